/** Builds the tasks of the page: the list, of which only changed rows are rebuilt, and the selected task in full. */

import type { Spent } from '../../../shared/money.ts';
import type { PanelTask } from '../../../shared/task/taskPanel.ts';
import type { TaskRow, TaskStepRow } from '../../../shared/task/tasks.ts';
import type { AtWork } from '../../../shared/workspace/atWork.ts';
import type { PanelView } from '../../../shared/workspace/panel.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { pendingApprovals } from '../../approval/stewardship.ts';
import { taskStandsStill } from '../../job/view/jobStatus.ts';
import { shortened } from '../../job/view/panelCards.ts';
import { waitsIn } from '../../job/view/waiting.ts';
import type { Ledger } from '../../money/ledger.ts';
import { atOnce, followed } from '../../money/view/followed.ts';
import { isSameSpent, spentOf } from '../../money/view/spent.ts';
import { isOver } from '../../state/rows.ts';
import { type TaskFacts, taskFacts } from './taskFacts.ts';
import { detailsMaker, type TaskFrame } from './taskPanelDetails.ts';
import { scheduleMaker } from './taskPanelSchedules.ts';
import { taskSummary } from './tasks.ts';

/** Limit of ended tasks. */
const NEWEST = 200;

/** Shortest interval between updates of the usual durations. */
const USUAL_MS = 30_000;

/** The parts that a line of the list depends on. */
interface Parts {
  readonly task: TaskRow;
  /** Number of changes of its steps. */
  readonly steps: number;
  readonly spent: Spent;
  readonly questions: number;
  /** Whether no process carries it out. */
  readonly still: boolean;
  /** Serialized, because it may change with a job or the project. */
  readonly waiting: string;
}

interface Made {
  readonly parts: Parts;
  readonly line: PanelTask;
}

type TaskPart = Pick<PanelView, 'tasks' | 'schedules' | 'task'>;

function lineOf(state: State, { task, questions, still }: Parts, facts: TaskFacts, nowMs: number): PanelTask {
  const { current, eta, reason, waiting, ...summary } = taskSummary(state, task.id, nowMs, facts);
  const { id, projectId, name, status, percent, stepsDone, stepsTotal, elapsedMs, simulated } = summary;
  const { costUsd, reservedUsd, unsettledUsd, scheduleId, createdAt, startedAt, endedAt } = summary;
  return {
    id,
    projectId,
    name,
    status,
    ...(still ? { still } : {}),
    reason: shortened(reason),
    waiting: waiting === null ? null : { ...waiting, reason: shortened(waiting.reason) ?? '' },
    percent,
    stepsDone,
    stepsTotal,
    current: current[0] ?? null,
    running: current.length,
    questions,
    elapsedMs,
    asOf: new Date(nowMs).toISOString(),
    etaAt: eta.at,
    costUsd,
    reservedUsd,
    unsettledUsd,
    simulated,
    scheduleId,
    createdAt,
    startedAt,
    endedAt,
  };
}

const unchanged = (a: Parts, b: Parts): boolean =>
  a.task === b.task &&
  a.steps === b.steps &&
  isSameSpent(a.spent, b.spent) &&
  a.questions === b.questions &&
  a.still === b.still &&
  a.waiting === b.waiting;

/** All open tasks and the newest ended ones, in the order of creation. */
function listed(state: State): TaskRow[] {
  const all = [...state.tasks.values()];
  let skipped = all.filter(isOver).length - NEWEST;
  return all.filter((task) => !isOver(task) || skipped-- <= 0);
}

/** Facts about the whole state, from the existing ledger. */
function factsMaker(): (state: State, ledger: Ledger, nowMs: number) => TaskFacts {
  let last: { readonly at: number; readonly facts: TaskFacts } | null = null;
  return (state, ledger, nowMs) => {
    if (last === null || Math.abs(nowMs - last.at) > USUAL_MS) last = { at: nowMs, facts: taskFacts(state) };
    const asked = pendingApprovals(state).filter(({ task_id }) => task_id !== null);
    return {
      taskSums: ledger.byTask,
      stepSums: ledger.byStep,
      simulated: ledger.simulatedTasks,
      isSimulated: last.facts.isSimulated,
      questions: Map.groupBy(asked, ({ task_id }) => task_id ?? ''),
      waits: waitsIn(state),
      usual: last.facts.usual,
    };
  };
}

/** Follows one state; `ledger` is up to date with it. */
export function taskPanelMaker(): (state: State, ledger: Ledger, frame: TaskFrame, nowMs: number) => TaskPart {
  const changes = new Map<string, number>();
  const follow = followed<TaskStepRow>(({ task_id }) => changes.set(task_id, (changes.get(task_id) ?? 0) + 1));
  const detailsOf = detailsMaker();
  const schedulesOf = scheduleMaker();
  const factsOf = factsMaker();
  let made = new Map<string, Made>();

  const list = (state: State, facts: TaskFacts, atWork: AtWork, nowMs: number): PanelTask[] => {
    const before = made;
    made = new Map();
    for (const task of listed(state)) {
      const { id } = task;
      const spent = spentOf(facts.taskSums.get(id));
      const questions = facts.questions.get(id)?.length ?? 0;
      const still = taskStandsStill({ status: task.status, questions }, atWork);
      const waiting = JSON.stringify(facts.waits.task(task));
      const parts: Parts = { task, steps: changes.get(id) ?? 0, spent, questions, still, waiting };
      const was = before.get(id);
      const isSame = was !== undefined && unchanged(was.parts, parts);
      made.set(id, isSame ? was : { parts, line: lineOf(state, parts, facts, nowMs) });
    }
    return [...made.values()].map(({ line }) => line);
  };

  return (state, ledger, frame, nowMs) => {
    const schedules = schedulesOf(state, nowMs);
    if (state.tasks.size === 0) return { tasks: [], schedules, task: null };
    atOnce(follow(state.task_steps.values()));
    const facts = factsOf(state, ledger, nowMs);
    return { tasks: list(state, facts, frame.atWork, nowMs), schedules, task: detailsOf(state, facts, frame) };
  };
}
