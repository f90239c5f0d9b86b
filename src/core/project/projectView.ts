/** Views of the projects and their messages, as functions of the state. One pass over each table for any number of projects. */

import type { JobRow } from '../../shared/job/rows.ts';
import type { Spent } from '../../shared/money.ts';
import { DEFAULT_PROJECT, MAIN_PROJECT, type MessageRow, type ProjectRow } from '../../shared/project/projects.ts';
import type { ConversationMessage, ConversationView, ProjectView } from '../../shared/project/projectView.ts';
import type { Waiting } from '../../shared/waiting.ts';
import type { AtWork } from '../../shared/workspace/atWork.ts';
import type { State } from '../../shared/workspace/state.ts';
import { openQuestions } from '../approval/sameCause.ts';
import { isActive, isAtWork } from '../job/view/jobStatus.ts';
import { type Waits, waitsIn } from '../job/view/waiting.ts';
import { book, emptyLedger, type Ledger } from '../money/ledger.ts';
import { spentOf } from '../money/view/spent.ts';
import { isFinal, JOB } from '../state/machines.ts';
import { projectMessages } from '../state/rows.ts';
import { laterDay } from '../text/day.ts';
import { unfinishedConversations, wakesTurn } from './conversations.ts';

/** The newest that are shown unless more are asked for. */
const SHOWN_MESSAGES = 200;
/** Limit of the characters of all shown messages. The newest message is shown whatever its length. */
const MAX_SHOWN_CHARS = 2_000_000;

interface Tally {
  /** One per cause, outside the project's jobs. */
  questions: number;
  unread: number;
  /** Messages that start a turn and that its conversation has not taken yet. */
  unheard: number;
  lastAt: string;
  readonly jobs: JobRow[];
}

/** The part of the ledger that is read here. */
type Money = Pick<Ledger, 'byProject'>;

function tallies(state: State): Map<string, Tally> {
  const all = new Map<string, Tally>();
  for (const { id, created_at } of state.projects.values()) {
    all.set(id, { questions: 0, unread: 0, unheard: 0, lastAt: created_at, jobs: [] });
  }
  for (const job of state.jobs.values()) {
    const of = all.get(job.project_id);
    of?.jobs.push(job);
    if (of !== undefined && job.created_at > of.lastAt) of.lastAt = job.created_at;
  }
  for (const message of state.messages.values()) {
    const of = all.get(message.project_id);
    if (of === undefined) continue;
    if (message.at > of.lastAt) of.lastAt = message.at;
    if (message.read_at !== null) continue;
    if (message.direction === 'out') of.unread++;
    else if (wakesTurn(message)) of.unheard++;
  }
  for (const { row, others } of openQuestions(state)) {
    for (const projectId of new Set([row, ...others].map(({ project_id }) => project_id))) {
      const of = all.get(projectId);
      if (of !== undefined) of.questions++;
    }
  }
  return all;
}

/** Whether a call of its conversation is in flight. A call that is being retried counts as waiting. */
const talks = ({ wait }: ProjectRow, asking: number): boolean => asking > 0 && wait === null;

/** If a question is open, a message that was not read yet waits for its answer: the project is not talking. */
function doingOf(
  project: ProjectRow,
  { jobs, unheard, questions }: Tally,
  asking: number,
  waiting: Waiting | null,
): ProjectView['doing'] {
  if (project.status !== 'active' || project.parked !== null) return 'stopped';
  if (talks(project, asking)) return 'talking';
  if (waiting !== null) return 'waiting';
  if (unheard > 0 && questions === 0) return 'talking';
  if (jobs.some(isAtWork)) return 'working';
  return questions > 0 || jobs.some(isActive) ? 'waiting' : 'idle';
}

/** The first line of text that is not a heading. */
export function goalOf(body: string): string {
  const line = body.split('\n').find((text) => text.trim() !== '' && !text.startsWith('#')) ?? '';
  return line.replace(/^[-*\s]+/, '').trim();
}

const usd = (micro: number | null): number | null => (micro === null ? null : micro / 1e6);

function viewOf(project: ProjectRow, tally: Tally, day: string, money: Money, waits: Waits): ProjectView {
  const sum = money.byProject.get(project.id);
  const asking = sum?.asking ?? 0;
  const waiting = talks(project, asking) ? null : waits.project(project);

  const [today, total] = [spentOf(sum?.byDay.get(day)), spentOf(sum?.sums)];
  return {
    name: project.id,
    status: project.status,
    reason: project.parked ?? project.reason,
    parked: project.parked !== null,
    goal: goalOf(project.body),
    workdir: project.workdir,
    model: project.model,
    doing: doingOf(project, tally, asking, waiting),
    waiting,
    liveJobs: tally.jobs.filter((job) => !isFinal(JOB, job.status)).length,
    jobs: tally.jobs.length,
    questions: tally.questions,
    unread: tally.unread,
    todayUsd: today.costUsd,
    todayReservedUsd: today.reservedUsd,
    todayUnsettledUsd: today.unsettledUsd,
    totalUsd: total.costUsd,
    totalReservedUsd: total.reservedUsd,
    totalUnsettledUsd: total.unsettledUsd,
    dayLimitUsd: usd(project.limits.dayMicroUsd),
    createdAt: project.created_at,
    lastAt: tally.lastAt,
  };
}

const same = (a: ProjectView, b: ProjectView): boolean =>
  (Object.keys(a) as (keyof ProjectView)[]).every(
    (name) => a[name] === b[name] || (name === 'waiting' && JSON.stringify(a.waiting) === JSON.stringify(b.waiting)),
  );

export interface ProjectList {
  /** All except the main agent's project: the default one first, then by name. */
  readonly projects: readonly ProjectView[];
  /** The main agent's own; null before the first message to it. */
  readonly mainAgent: ProjectView | null;
}

/** Follows one state: the view of an unchanged project stays the same object. `today` as for `costs`; `money` must be up to date. */
export function projectMaker(): (state: State, today: string, money: Money) => ProjectList {
  let made = new Map<string, ProjectView>();
  return (state, today, money) => {
    const day = laterDay(today, state.meta.last_day);
    const before = made;
    made = new Map();
    const waits = waitsIn(state);
    for (const [id, tally] of tallies(state)) {
      const row = state.projects.get(id);
      if (row === undefined) continue;
      const now = viewOf(row, tally, day, money, waits);
      const was = before.get(id);
      made.set(id, was !== undefined && same(was, now) ? was : now);
    }
    const place = ({ name }: ProjectView): string => (name === DEFAULT_PROJECT ? '' : name);
    const projects = [...made.values()]
      .filter(({ name }) => name !== MAIN_PROJECT)
      .sort((a, b) => (place(a) < place(b) ? -1 : 1));
    return { projects, mainAgent: made.get(MAIN_PROJECT) ?? null };
  };
}

/** The project's cost today, by the ledger's day. */
export const spentToday = ({ todayUsd, todayReservedUsd, todayUnsettledUsd }: ProjectView): Spent => ({
  costUsd: todayUsd,
  reservedUsd: todayReservedUsd,
  unsettledUsd: todayUnsettledUsd,
});

/** The project's total cost. */
export const spentInAll = ({ totalUsd, totalReservedUsd, totalUnsettledUsd }: ProjectView): Spent => ({
  costUsd: totalUsd,
  reservedUsd: totalReservedUsd,
  unsettledUsd: totalUnsettledUsd,
});

/** All except the main agent's project, for a single view. An answer that was interrupted between two calls counts as talking too. */
export function projectViews(state: State, today: string): readonly ProjectView[] {
  const ledger = emptyLedger();
  for (const row of state.spends.values()) book(ledger, row, 1);
  const unfinished = unfinishedConversations(state);
  return projectMaker()(state, today, ledger).projects.map((view) =>
    view.doing === 'idle' && unfinished.has(view.name) ? { ...view, doing: 'talking' } : view,
  );
}

/** The view with `stopped` for a project that could talk or work, and on which the owner does not work. */
export function asItRuns(state: State, view: ProjectView, { works, jobs }: AtWork): ProjectView {
  const runs = (id: string): boolean => {
    const job = state.jobs.get(id);
    return job?.project_id === view.name && isAtWork(job);
  };
  const isTrue = view.doing === 'working' ? jobs.some(runs) : view.doing !== 'talking' || works;
  return isTrue ? view : { ...view, doing: 'stopped' };
}

/** Returns the same list if nothing in it changed. */
export function listAsItRuns(state: State, list: ProjectList, atWork: AtWork): ProjectList {
  const projects = list.projects.map((view) => asItRuns(state, view, atWork));
  const mainAgent = list.mainAgent === null ? null : asItRuns(state, list.mainAgent, atWork);
  const isSame = mainAgent === list.mainAgent && projects.every((view, at) => view === list.projects[at]);
  return isSame ? list : { projects, mainAgent };
}

/** Cached messages by their rows, which are replaced when they change. */
export type MadeMessages = WeakMap<MessageRow, ConversationMessage>;

/** Projects to which each message was passed on, by its id. */
function passedOn(state: State): ReadonlyMap<number, readonly string[]> {
  const passed = new Map<number, string[]>();
  for (const { relayed_from, project_id } of state.messages.values()) {
    if (relayed_from === null || project_id === MAIN_PROJECT) continue;
    passed.set(relayed_from, [...new Set([...(passed.get(relayed_from) ?? []), project_id])]);
  }
  return passed;
}

function messageOf(
  state: State,
  row: MessageRow,
  passedTo: readonly string[] | undefined,
  made: MadeMessages,
): ConversationMessage {
  const before = made.get(row);
  if (before !== undefined && before.passedTo?.length === passedTo?.length) return before;
  const { id, direction, sender, text, concerns, at, read_at, relayed_from } = row;
  const relayedFrom = relayed_from === null ? null : (state.messages.get(relayed_from)?.project_id ?? null);
  const message = { id, direction, sender, text, concerns, at, read_at, relayedFrom, ...(passedTo && { passedTo }) };
  made.set(row, message);
  return message;
}

/** The number of newest messages that fit: not more than `most`, and not more text than a page can take. */
function fitting(rows: readonly MessageRow[], most: number): number {
  let chars = 0;
  let fits = 0;
  for (const { text } of rows.slice(-most).toReversed()) {
    chars += text.length;
    if (fits > 0 && chars > MAX_SHOWN_CHARS) break;
    fits++;
  }
  return fits;
}

/** The newest messages of a project. */
export function conversationView(
  state: State,
  project: string,
  most = SHOWN_MESSAGES,
  made: MadeMessages = new WeakMap(),
): ConversationView {
  const all = projectMessages(state, project);
  const earlier = all.length - fitting(all, most);
  const passed = passedOn(state);
  const session = [...state.sessions.values()].findLast(
    (row) =>
      row.project_id === project &&
      row.job_id === null &&
      row.task_id === null &&
      row.status === 'running' &&
      row.parent_id === null,
  );
  return {
    project,
    earlier,
    messages: all.slice(earlier).map((row) => messageOf(state, row, passed.get(row.id), made)),
    sessionId: session?.id ?? null,
  };
}
