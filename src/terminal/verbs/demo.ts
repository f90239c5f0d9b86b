/** `demo`: the run path on a simulated model and a repository of its own, with the demo as the steward. */
import type { WishInput } from '../../engine/api.ts';
import { type Context, print } from '../context.ts';
import type { Demo, DemoCheck } from '../deps.ts';
import { runJob } from '../run/runJob.ts';
import { needPerson, personSteward, type Steward } from '../run/stewards.ts';
import { shellWord } from '../text/shell.ts';
import { indented, visibleLine } from '../text/visible.ts';

export interface DemoOptions {
  readonly ask?: true;
  readonly keep?: true;
}

export async function demoVerb(context: Context, options: DemoOptions): Promise<number> {
  if (options.ask === true) needPerson(context, '--ask');
  const demo = await context.deps.makeDemo();
  try {
    return await runDemo(context, demo, options);
  } finally {
    if (options.keep !== true) await demo.cleanUp();
  }
}

async function runDemo(context: Context, demo: Demo, options: DemoOptions): Promise<number> {
  const inDemo: Context = { ...context, projectDir: demo.projectDir, jobsDir: demo.jobsDir };
  const input: WishInput<'submitBrief'> = {
    brief: demo.brief,
    provider: 'simulated',
    scenario: demo.scenario,
    allowedCommands: demo.allowedCommands.map((argv) => [...argv]),
  };
  if (!context.json) context.deps.io.out(`${introduction(demo, options)}\n\n`);
  const code = await runJob(inDemo, {
    begin: async (engine) => (await engine.wish('submitBrief', input)).jobId,
    passing: options.keep !== true,
    steward: options.ask === true ? personSteward(inDemo) : demoSteward(demo),
    async after() {
      const checks = await demo.check();
      return { ok: checks.every((check) => check.ok), json: { checks }, text: checksText(context, checks) };
    },
  });
  if (!context.json) print(context, {}, whatNext(context, demo, options));
  return code;
}

function introduction(demo: Demo, options: DemoOptions): string {
  const steward =
    options.ask === true ? 'You answer its questions.' : 'It answers its own questions; --ask leaves them to you.';
  return `The demo builds a small real program with a simulated model. ${steward} The brief:\n\n${indented(demo.brief)}`;
}

function demoSteward(demo: Demo): Steward {
  return async (approval) => ({ ...demo.answers(approval), by: 'demo' });
}

function checksText(context: Context, checks: readonly DemoCheck[]): string {
  const blocks = checks.map(({ command, output, ok }) => {
    const head = context.paint(`$ ${visibleLine(command)}${ok ? '' : '   FAILED'}`, ok ? 'strong' : 'bad');
    return `${head}\n${indented(output)}`;
  });
  return ['What was built, checked outside the run:', ...blocks].join('\n\n');
}

/** The demo's own folder is no place to go on: the real run gets a fresh repository. */
function whatNext(context: Context, demo: Demo, options: DemoOptions): string {
  const real = [
    '  mkdir autonomous-demo && git -C autonomous-demo init',
    "  git -C autonomous-demo commit --allow-empty -m 'Begin'",
    `  ANTHROPIC_API_KEY=… ${context.deps.program} run --project-dir autonomous-demo ${shellWord(demo.brief.trim())}`,
  ];
  const kept = options.keep === true ? `\n\nThe demo's repository was kept: ${visibleLine(demo.projectDir)}` : '';
  return `\nThe same brief with the real model (this costs real money):\n${real.join('\n')}${kept}`;
}
