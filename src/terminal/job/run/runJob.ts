/** Runs a job in this process, from its start or its current state as far as possible, and shows its progress. */
import { isShortKey } from '../../../core/guard/knownSecrets.ts';
import { jobWaiting } from '../../../core/job/view/waiting.ts';
import { need } from '../../../core/state/rows.ts';
import type { SandboxState } from '../../../engine/session/commandPorts.ts';
import type { OpenedEngine } from '../../../engine/workspace/workspace.ts';
import { failure } from '../../../shared/errors.ts';
import type { Steward } from '../../approval/approvalPrompts.ts';
import type { Context } from '../../screen/context.ts';
import { type Connection, connect } from '../../screen/run/connection.ts';
import { runningHere } from '../../screen/run/leaving.ts';
import { watchRunWarnings } from '../../screen/run/runWarnings.ts';
import { type Stop, watchStop } from '../../screen/run/stop.ts';
import { type RunView, runView } from '../../screen/run/views.ts';
import { besideQuestions, waitReporter } from '../../screen/run/waits.ts';
import { visibleLine } from '../../text/visible.ts';
import { type Ending, followJob, pausesIt } from './follow.ts';
import { finish, type RunEnd } from './runEnd.ts';
import { sandboxText, simulationText } from './runSummary.ts';

export interface Run extends RunEnd {
  /** Files the brief, or resumes a job. Returns the job's id. */
  begin(engine: OpenedEngine): Promise<string>;
  /** Whether `begin` files a brief. False if the job already existed. */
  readonly files: boolean;
  readonly steward: Steward;
}

/** Returns the exit code. The first stop signal pauses the job, the second one ends the run immediately. */
export async function runJob(context: Context, run: Run): Promise<number> {
  const stop = watchStop(context.deps.signals);
  try {
    const connection = await stop.orKilled(connect(context, stop.bell));
    let closed = false;
    const told: string[] = [];
    const close = async (): Promise<void> => {
      if (closed) return;
      closed = true;
      await Promise.race([connection.close(told), stop.killed]);
    };
    try {
      return await attend(context, run, connection, stop, close, told);
    } finally {
      await close();
    }
  } finally {
    stop.forget();
  }
}

async function attend(
  context: Context,
  run: Run,
  connection: Connection,
  stop: Stop,
  close: () => Promise<void>,
  told: string[],
): Promise<number> {
  if (stop.times > 0) throw failure('ABORTED', 'stopped before the job was started');
  const [jobId, sandbox] = await stop.orKilled(
    Promise.all([run.begin(connection.engine), context.deps.workspaces.sandbox()]),
  );
  told.push(jobId);
  const view = runView(context, jobId, () => connection.state);
  const warnings = watchRunWarnings(view, jobId);
  const jobNow = () => need(connection.state, 'jobs', jobId);
  const waits = waitReporter(
    context,
    { of: 'job', id: jobId, projectId: jobNow().project_id },
    () => besideQuestions(jobWaiting(connection.state, jobNow())),
    (waiting, text) => view.waiting(waiting, text),
  );
  let ending: Ending;
  try {
    head(context, view, connection, { jobId, filed: run.files, sandbox });
    for (const { id, text } of await runningHere(connection.engine))
      if (id !== jobId) view.say(`Also resumed: ${text}`);
    waits.look();
    connection.listen({
      event: (event) => {
        warnings.event(event, connection.state);
        view.event(event, connection.state);
        waits.look();
      },
      live: (line) => view.live(line),
      failed: warnings.failed,
      problem: warnings.problem,
    });
    ending = await followJob({ context, connection, jobId, filed: run.files, steward: run.steward, view, stop });
  } finally {
    view.end();
  }
  const { ownerPid } = connection.engine;
  await close();
  return finish(context, run, { ending, halted: warnings.halted, state: connection.state, jobId, sandbox, ownerPid });
}

function head(
  context: Context,
  view: RunView,
  connection: Connection,
  { jobId, filed, sandbox }: { readonly jobId: string; readonly filed: boolean; readonly sandbox: SandboxState },
): void {
  const job = need(connection.state, 'jobs', jobId);
  view.say(`Job ${jobId}: ${visibleLine(job.title)}`, 'strong');
  if (job.options.provider === 'simulated') view.say(simulationText(job.options).replaceAll('was', 'is'), 'warning');
  if (job.options.provider === 'anthropic' && isShortKey(context.deps.env['ANTHROPIC_API_KEY'] ?? '')) {
    view.say('The API key is too short to be taken out of logs, transcripts and exports.', 'warning');
  }
  view.say(`Commands run ${sandboxText(sandbox)}`, sandbox.mode === 'sandboxed' ? 'plain' : 'warning');
  if (sandbox.mode === 'unconfined') for (const what of sandbox.missing) view.say(`  ${visibleLine(what)}`);
  if (!connection.engine.owner) {
    const stopped = pausesIt({ connection, filed }) ? 'pauses the job' : 'leaves it, and the job continues';
    view.say(`Another process owns this workspace; this one looks on and answers. Ctrl-C ${stopped}.`);
  }
}
