/** Runs the hidden tests of a task: on its own trees before any agent works on it, and on the result of a run. */
import { withoutSecrets } from '../../core/guard/secrets.ts';
import { endText } from '../../core/job/missingTool.ts';
import { failureExcerpt } from '../../core/text/output/failureExcerpt.ts';
import type { CommandResult } from '../session/commandPorts.ts';
import type { Check, EvalTask, GradedCode, TaskTrees, Workshop } from './ports.ts';
import { evalStopped } from './stopped.ts';

export interface CheckPorts {
  readonly trees: TaskTrees;
  readonly workshop: Workshop;
}

export type Verdict =
  | { readonly verdict: 'passed' }
  | { readonly verdict: 'failed'; readonly reason: string }
  /** The tests did not run to their end, so they state nothing. */
  | { readonly verdict: 'unknown'; readonly reason: string };

const EXCERPT = 600;

const clean = withoutSecrets();

/** Throws ABORTED after `signal`. */
export async function checkCode(
  { trees, workshop }: CheckPorts,
  task: EvalTask,
  code: GradedCode,
  { test, setup }: Check,
  signal: AbortSignal,
): Promise<Verdict> {
  return workshop.inCheckout(async (folder) => {
    await trees.writeGraded(task, code, folder);
    for (const command of setup) {
      const ran = await workshop.command(folder, command, 'registries', signal);
      if (signal.aborted) throw evalStopped();
      if (ran.ended === null && ran.exitCode === 0) continue;
      const reason = reasonOf('setup', command, ran, folder);
      // Its cause is the work only if the command passes without the work.
      const isWork =
        typeof code !== 'string' && hasRun(ran) && (await setsUp({ trees, workshop }, task, setup, signal));
      return { verdict: isWork ? 'failed' : 'unknown', reason };
    }
    const ran = await workshop.command(folder, test, 'none', signal);
    if (signal.aborted) throw evalStopped();
    if (!hasRun(ran)) return unknown('test', test, ran);
    if (ran.ended === null && ran.exitCode === 0) return { verdict: 'passed' };
    return { verdict: 'failed', reason: reasonOf('test', test, ran, folder) };
  });
}

async function setsUp(
  { trees, workshop }: CheckPorts,
  task: EvalTask,
  setup: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  return workshop.inCheckout(async (folder) => {
    await trees.writeGraded(task, 'before', folder);
    for (const command of setup) {
      const ran = await workshop.command(folder, command, 'registries', signal);
      if (ran.ended !== null || ran.exitCode !== 0) return false;
    }
    return true;
  });
}

const hasRun = ({ ended }: CommandResult): boolean =>
  ended !== 'refused' && ended !== 'failed_to_start' && ended !== 'aborted';

const unknown = (kind: string, command: string, ran: CommandResult): Verdict => ({
  verdict: 'unknown',
  reason: `the ${kind} command \`${command}\` did not run: ${endText(ran)}`,
});

function reasonOf(kind: string, command: string, ran: CommandResult, folder: string): string {
  const excerpt = clean(failureExcerpt(ran.output, EXCERPT, folder)).trim();
  return `the ${kind} command \`${command}\` failed (${endText(ran)})${excerpt === '' ? '' : `: ${excerpt}`}`;
}

/** Null if the hidden tests fail before the change and pass with it. Otherwise the reason why the task is not used. */
export async function faultOf(
  ports: CheckPorts,
  task: EvalTask,
  check: Check,
  signal: AbortSignal,
): Promise<string | null> {
  if (task.hasSolution) {
    const own = await checkCode(ports, task, 'solution', check, signal);
    if (own.verdict !== 'passed') return `its tests do not pass with it: ${own.reason}`;
  }
  const before = await checkCode(ports, task, 'before', check, signal);
  if (before.verdict === 'unknown') return `its tests could not run before it: ${before.reason}`;
  return before.verdict === 'passed' ? 'its tests pass without it' : null;
}
