/** `demo`: a run with a simulated model and a sample repository, in which the demo is the steward. */
import type { RequestInput } from '../../engine/state/api.ts';
import type { Demo, DemoCheck } from '../../engine/workspace/workspace.ts';
import type { Executors } from '../../shared/agent/executorSchemas.ts';
import { needPerson, personSteward, type Steward } from '../approval/approvalPrompts.ts';
import { parseLanes } from '../job/run/brief.ts';
import { runJob } from '../job/run/runJob.ts';
import { type Context, inPlace, PROGRAM, print } from '../screen/context.ts';
import { parseExecutors, parseProvider } from '../text/parse.ts';
import { shellWord } from '../text/shell.ts';
import { indented, visibleLine } from '../text/visible.ts';

export interface DemoOptions {
  readonly ask?: true;
  readonly keep: boolean;
  readonly provider?: string;
  /** Values of each `--executor`. */
  readonly executor?: readonly string[];
  readonly lanes?: string;
}

interface Play {
  readonly real: boolean;
  readonly ask: boolean;
  readonly keep: boolean;
  readonly executors: Executors;
  readonly lanes: number;
}

/** With the real model, the demo is a normal run: a person answers, and paid results are kept. */
function playOf(options: DemoOptions): Play {
  const real = options.provider !== undefined && parseProvider(options.provider) === 'anthropic';
  const executors = parseExecutors(options.executor ?? []);
  const lanes = options.lanes === undefined ? 1 : parseLanes(options.lanes);
  return { real, ask: real || options.ask === true, keep: real || options.keep, executors, lanes };
}

export async function demoVerb(context: Context, options: DemoOptions): Promise<number> {
  const play = playOf(options);
  if (play.ask) needPerson(context, play.real ? '--provider anthropic' : '--ask');
  const demo = await context.deps.workspaces.demo.make();
  try {
    return await runDemo(context, demo, play);
  } finally {
    if (!play.keep) await demo.cleanUp();
  }
}

async function runDemo(context: Context, demo: Demo, play: Play): Promise<number> {
  const inDemo = inPlace(context, { folder: demo.projectDir, jobsDir: demo.jobsDir });
  const allowedCommands = demo.allowedCommands.map((argv) => [...argv]);
  const { executors, lanes } = play;
  const input: RequestInput<'submitBrief'> = play.real
    ? { brief: demo.brief, provider: 'anthropic', executors, lanes, allowedCommands }
    : { brief: demo.brief, provider: 'simulated', scenario: demo.scenario, executors, lanes, allowedCommands };
  if (!context.json) context.deps.io.out(`${introduction(demo, play)}\n\n`);
  const code = await runJob(inDemo, {
    begin: async (engine) => (await engine.request('submitBrief', input)).jobId,
    files: true,
    passing: !play.keep,
    steward: play.ask ? personSteward(inDemo) : demoSteward(demo),
    async after() {
      const checks = await demo.check();
      const json = { checks, ...(play.keep ? { repository: demo.projectDir } : {}) };
      return { ok: checks.every((check) => check.ok), json, text: checksText(context, checks) };
    },
  });
  if (!context.json) print(context, {}, whatNext(demo, play));
  return code;
}

function introduction(demo: Demo, { real, ask, keep }: Play): string {
  const model = real ? 'the real model, which costs real money' : 'a simulated model';
  const steward = ask ? 'You answer its questions.' : 'It answers its own questions; --ask leaves them to you.';
  const place = `Its sample repository: ${visibleLine(demo.projectDir)}${keep ? '' : ' (removed at the end)'}`;
  return `The demo builds a small real program with ${model}. ${steward}\n${place}\nThe brief:\n\n${indented(demo.brief)}`;
}

function demoSteward(demo: Demo): Steward {
  return async (approval) => ({ ...demo.answers(approval), by: 'demo' });
}

function checksText(context: Context, checks: readonly DemoCheck[]): string {
  const blocks = checks.map(({ command, output, ok }) => {
    const head = context.paint(`$ ${visibleLine(command)}${ok ? '' : '   FAILED'}`, ok ? 'strong' : 'bad');
    return `${head}\n${indented(output)}`;
  });
  return ['The result, checked outside the run:', ...blocks].join('\n\n');
}

function whatNext(demo: Demo, { real, keep }: Play): string {
  const folder = shellWord(demo.projectDir);
  const lines = keep
    ? [
        'The sample repository is kept. Look at it, or remove its folder when you are done:',
        `  cd ${folder}`,
        `  ${PROGRAM} board --project-dir ${folder}`,
      ]
    : [];
  if (!real) {
    lines.push(
      'The same brief on the same files with the real model (this costs real money):',
      `  ANTHROPIC_API_KEY=… ${PROGRAM} demo --provider anthropic`,
    );
  }
  return `\n${lines.join('\n')}`;
}
