/** The projects and what is said in them, as functions of the state. One pass over each table, however many projects there are. */
import type { JobRow } from '../../shared/domain.ts';
import { DEFAULT_PROJECT, MAIN_PROJECT, type MessageRow, type ProjectRow } from '../../shared/projects.ts';
import type { ConversationView, ProjectView } from '../../shared/projectView.ts';
import type { State } from '../../shared/state.ts';
import { laterDay } from '../day.ts';
import { isFinal, JOB } from '../machines.ts';
import { countedMicroUsd, projectMessages } from '../rows.ts';
import { pendingApprovals } from '../stewardship.ts';

const SHOWN_MESSAGES = 200;

interface Tally {
  todayMicro: number;
  totalMicro: number;
  questions: number;
  unread: number;
  /** Messages to it that its conversation does not hold yet. */
  unheard: number;
  lastAt: string;
  readonly jobs: JobRow[];
}

function tallies(state: State, day: string): Map<string, Tally> {
  const all = new Map<string, Tally>();
  for (const { id, created_at } of state.projects.values()) {
    all.set(id, { todayMicro: 0, totalMicro: 0, questions: 0, unread: 0, unheard: 0, lastAt: created_at, jobs: [] });
  }
  for (const spend of state.spends.values()) {
    const of = all.get(spend.project_id);
    if (of === undefined) continue;
    const micro = countedMicroUsd(spend);
    of.totalMicro += micro;
    if (spend.day === day) of.todayMicro += micro;
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
    else of.unheard++;
  }
  for (const { project_id } of pendingApprovals(state)) {
    const of = all.get(project_id);
    if (of !== undefined) of.questions++;
  }
  return all;
}

function doingOf(project: ProjectRow, { jobs, unheard }: Tally): ProjectView['doing'] {
  if (project.status !== 'active' || project.parked !== null) return 'stopped';
  if (jobs.some(({ status }) => status === 'running' || status === 'planning')) return 'working';
  if (unheard > 0) return 'talking';
  const waits = jobs.some(({ status }) => status === 'awaiting_steward' || status === 'waiting');
  return waits ? 'waiting' : 'idle';
}

/** The first line of text that is no heading. */
function goalOf(body: string): string {
  const line = body.split('\n').find((text) => text.trim() !== '' && !text.startsWith('#')) ?? '';
  return line.replace(/^[-*\s]+/, '').trim();
}

const usd = (micro: number | null): number | null => (micro === null ? null : micro / 1e6);

function viewOf(project: ProjectRow, tally: Tally): ProjectView {
  return {
    name: project.id,
    status: project.status,
    reason: project.parked ?? project.reason,
    parked: project.parked !== null,
    goal: goalOf(project.body),
    workdir: project.workdir,
    model: project.model,
    doing: doingOf(project, tally),
    liveJobs: tally.jobs.filter((job) => !isFinal(JOB, job.status)).length,
    jobs: tally.jobs.length,
    questions: tally.questions,
    unread: tally.unread,
    todayUsd: tally.todayMicro / 1e6,
    totalUsd: tally.totalMicro / 1e6,
    dayLimitUsd: usd(project.limits.dayMicroUsd),
    createdAt: project.created_at,
    lastAt: tally.lastAt,
  };
}

/** All but the main agent's own: the default one first, then by name. `today` as for `costs`. */
export function projectViews(state: State, today: string): readonly ProjectView[] {
  const all = tallies(state, laterDay(today, state.meta.last_day));
  const place = (row: ProjectRow): string => (row.id === DEFAULT_PROJECT ? '' : row.id);
  return [...state.projects.values()]
    .filter(({ id }) => id !== MAIN_PROJECT)
    .sort((a, b) => (place(a) < place(b) ? -1 : 1))
    .flatMap((row) => {
      const tally = all.get(row.id);
      return tally === undefined ? [] : [viewOf(row, tally)];
    });
}

/** The newest messages of a project. */
export function conversationView(state: State, project: string, shown = SHOWN_MESSAGES): ConversationView {
  const all = projectMessages(state, project);
  const relayedFrom = ({ relayed_from }: MessageRow): string | null =>
    relayed_from === null ? null : (state.messages.get(relayed_from)?.project_id ?? null);
  return {
    project,
    earlier: Math.max(0, all.length - shown),
    messages: all.slice(-shown).map((row) => {
      const { id, direction, sender, text, concerns, at, read_at } = row;
      return { id, direction, sender, text, concerns, at, read_at, relayedFrom: relayedFrom(row) };
    }),
  };
}
