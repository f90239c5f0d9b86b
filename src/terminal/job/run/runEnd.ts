/** What a run prints at its end, and its exit code. */
import { jobApprovals, need } from '../../../core/state/rows.ts';
import type { SandboxState } from '../../../engine/session/commandPorts.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { canAsk } from '../../approval/approvalPrompts.ts';
import { howToAnswer } from '../../approval/approvalText.ts';
import { type Context, command } from '../../screen/context.ts';
import { plural } from '../../text/format.ts';
import { exitCode, finishedLine } from './finalSummary.ts';
import type { Ending } from './follow.ts';
import { runSummary } from './runSummary.ts';

export interface RunEnd {
  /** The project is removed afterwards. */
  readonly passing?: boolean;
  /** Work after the job's end and before the last line; its facts are added to the JSON. */
  after?(state: State, jobId: string): Promise<{ readonly ok: boolean; readonly json: object; readonly text: string }>;
}

interface Finish {
  readonly ending: Ending;
  /** The engine paused the job because it could not continue. */
  readonly halted: boolean;
  readonly state: State;
  readonly jobId: string;
  readonly sandbox: SandboxState;
  readonly ownerPid: number | undefined;
}

export async function finish(context: Context, run: RunEnd, finished: Finish): Promise<number> {
  const { ending, halted, state, jobId, sandbox } = finished;
  const { io } = context.deps;
  const code = halted ? 1 : exitCode(ending, state, jobId);
  const after = ending === 'over' ? await run.after?.(state, jobId) : undefined;
  if (context.json) {
    io.out(finishedLine(state, jobId, halted, after?.json));
  } else {
    const blocks = [
      runSummary(context, state, jobId, { sandbox, passing: run.passing === true, brief: ending === 'waits' }),
      nextText(context, finished),
    ];
    if (after !== undefined) blocks.unshift(after.text);
    io.out(`\n${blocks.filter((block) => block !== '').join('\n\n')}\n`);
  }
  return after?.ok === false ? 1 : code;
}

/** The command to type next. */
function nextText(context: Context, { ending, state, jobId, ownerPid }: Finish): string {
  const resume = command(context, `run --resume ${jobId}`);
  if (ending === 'killed') return `Stopped at once; everything that was committed is kept. Resume: ${resume}`;
  if (ending === 'left') return `The job continues in ${ownerPid === undefined ? 'its owner' : `process ${ownerPid}`}.`;
  if (ending === 'over') {
    return need(state, 'jobs', jobId).status === 'paused'
      ? `Paused (the job can be resumed at any time). Resume: ${resume}`
      : '';
  }
  const pending = jobApprovals(state, jobId).filter((row) => row.status === 'pending');
  const lines = pending.map(
    (row) => `To answer question ${row.id} (${row.kind}):\n${howToAnswer(context, row, state)}`,
  );
  if (canAsk(context)) return [...lines, `Then continue: ${resume}`].join('\n');
  return [
    `The job is kept and needs your answer: ${plural(pending.length, 'question')}, shown above. This command ended because it has no terminal to ask at.`,
    `Answer as shown, then continue: ${resume}`,
    'In a terminal the same command asks you, and stays until the job ends.',
  ].join('\n');
}
