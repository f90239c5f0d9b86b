/** Handles a turn without a starting or ending step: the summary of a checkpoint, the end of the task, progress messages. */
import type { NextSteps } from '../../../core/task/next.ts';
import { findFailure } from '../../../shared/errors.ts';
import type { SessionEnd } from '../../../shared/session.ts';
import type { TaskRow, TaskStepRow } from '../../../shared/task/tasks.ts';
import type { InFlightSteps } from '../inFlightSteps.ts';
import type { RunnerPorts } from '../ports.ts';
import type { TaskAlarms } from '../taskAlarms.ts';
import { notice, progressText, speaks } from './notices.ts';
import { givenUp, summaryAssignment } from './stepAssignments.ts';
import { type Found, foundBy, plainSummary } from './summaries.ts';

const MINUTE_MS = 60_000;
const MOST_DEATHS = 5;

export interface Settling {
  readonly ports: RunnerPorts;
  readonly alarms: TaskAlarms;
  readonly inFlight: InFlightSteps;
  readonly mayBegin: boolean;
  /** A step has ended that is not recorded yet. */
  readonly isUnrecorded: boolean;
  /** Committed before the next turn. */
  first(commit: () => Promise<unknown>): void;
  /** Deaths of what made this summary, in a row. */
  readonly deaths: Map<string, number>;
}

export async function settle(
  run: Settling,
  task: TaskRow,
  steps: readonly TaskStepRow[],
  { end, checkpoints }: NextSteps,
): Promise<void> {
  const { store } = run.ports;
  if (run.isUnrecorded) return;
  if (end !== null && typeof end === 'object') {
    const { name, error } = end.failed;
    const reason = `${name}: ${error ?? 'it failed'}`;
    const message = notice(run.ports, task, 'error', `${task.name} failed. ${reason}`);
    await store.commit({ type: 'task_failed', task_id: task.id, reason, message });
    return;
  }
  if (task.status !== 'RUNNING') return;
  const [checkpoint] = checkpoints;
  if (checkpoint !== undefined) sumUpCheckpoint(run, task, steps, checkpoint);
  else if (end === 'completed') await complete(run, task, steps);
  else await notifyProgress(run, task);
}

interface Summary {
  readonly text: string;
  readonly session: SessionEnd | null;
}

function sumUpCheckpoint(run: Settling, task: TaskRow, steps: readonly TaskStepRow[], step: TaskStepRow): void {
  const { ports } = run;
  summarize(run, { key: `checkpoint ${step.id}`, task, steps, step, isWhole: false }, ({ text, session }) =>
    run.first(() => {
      const said = `${task.name}, checkpoint "${step.name}":\n\n${text}`;
      const message = speaks(task) ? notice(ports, task, 'info', said) : null;
      const of = { task_id: task.id, step_id: step.id } as const;
      return ports.store.commit({ type: 'task_checkpointed', ...of, summary: text, session, message });
    }),
  );
}

async function complete(run: Settling, task: TaskRow, steps: readonly TaskStepRow[]): Promise<void> {
  const { ports } = run;
  const last = steps.at(-1);
  if (task.completion_behavior !== 'NOTIFY_AND_SUMMARIZE' || last === undefined) {
    await done(ports, task, { text: null, session: null });
    return;
  }
  summarize(run, { key: 'summary', task, steps, step: last, isWhole: true }, (summary) =>
    run.first(async () => {
      try {
        await done(ports, task, summary);
      } catch (thrown) {
        // Steps were added meanwhile: the summary is not about the whole task.
        const isMore =
          findFailure(thrown)?.code === 'ILLEGAL_TRANSITION' &&
          ports.store.state.tasks.get(task.id)?.status === 'RUNNING';
        if (isMore && summary.session !== null) {
          await ports.store.commit({ type: 'session_ended', session: summary.session });
        }
        throw thrown;
      }
    }),
  );
}

interface End {
  /** Null if no summary was requested. */
  readonly text: string | null;
  readonly session: SessionEnd | null;
}

function done({ store }: RunnerPorts, task: TaskRow, { text, session }: End) {
  const said = text === null ? `${task.name} is completed.` : `${task.name} is completed.\n\n${text}`;
  const message = speaks(task) ? notice({ store }, task, 'success', said) : null;
  return store.commit({ type: 'task_completed', task_id: task.id, summary: text, session, message });
}

interface About {
  /** Purpose of the summary. */
  readonly key: string;
  readonly task: TaskRow;
  readonly steps: readonly TaskStepRow[];
  readonly step: TaskStepRow;
  readonly isWhole: boolean;
}

/** Asks the summarizer, if there is one. A summary is never invented and never blocks the task. */
function summarize(run: Settling, about: About, made: (summary: Summary) => void): void {
  const { key, task, steps, step, isWhole } = about;
  const { ports, inFlight } = run;
  if (!run.mayBegin || inFlight.isBusy(key)) return;
  let found: readonly Found[] = [];
  inFlight.begin(
    key,
    async (signal) => {
      found = await foundBy(ports.results, steps);
      return ports.worker.carryOut(summaryAssignment(ports, task, step, found, isWhole), signal);
    },
    (result) => {
      const plain = (why: string, ended: SessionEnd | null = null): void => {
        const session = ended ?? givenUp(ports.store.state, step, 'summarizer', why);
        made({ text: plainSummary(found, why), session });
      };
      switch (result.outcome) {
        case 'completed':
          if (typeof result.result === 'string') return made({ text: result.result, session: result.session });
          return plain('the summarizer gave no text', result.session);
        case 'failed':
          return plain(result.error, result.session);
        case 'unavailable':
          return plain(result.detail);
        case 'ask':
          return plain('a question came up');
        case 'aborted':
          return inFlight.hold(key);
        case 'interrupted': {
          const deaths = (run.deaths.get(key) ?? 0) + 1;
          run.deaths.set(key, deaths);
          if (deaths >= MOST_DEATHS) plain(`what makes it died ${deaths} times: ${result.error}`);
        }
      }
    },
  );
}

async function notifyProgress({ ports, alarms }: Settling, task: TaskRow): Promise<void> {
  if (!task.notify_on_progress) return;
  const last = Date.parse(task.progress_told_at ?? task.started_at ?? task.created_at);
  const due = new Date(last + task.progress_interval_minutes * MINUTE_MS).toISOString();
  if (!alarms.isDue('progress', due, Number.POSITIVE_INFINITY)) return;
  const message = notice(ports, task, 'info', progressText(ports, task.id));
  await ports.store.commit({ type: 'task_progressed', task_id: task.id, message });
}
