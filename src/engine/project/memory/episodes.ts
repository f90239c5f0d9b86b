/**
 * Writes a summary into the project's memory when a job ends, and notifies the project's conversation. Both are derived from
 * the state and the file each time, so that a crash in between neither omits nor repeats one.
 */

import { isCancelledBySteward, isStoppedByProject } from '../../../core/job/jobStops.ts';
import { endReport, jobReport, oneLine, outcomeText, shortReport } from '../../../core/job/view/jobReport.ts';
import { isFinal, JOB } from '../../../core/state/machines.ts';
import { projectMessages } from '../../../core/state/rows.ts';
import { minuteText } from '../../../shared/clock.ts';
import { findFailure } from '../../../shared/errors.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import { DEFAULT_PROJECT } from '../../../shared/project/projects.ts';
import { emptyState, type State } from '../../../shared/workspace/state.ts';
import { headAndTail } from '../../session/text.ts';
import type { Store } from '../../state/store.ts';
import type { MemoryFiles } from '../talk/conversationPorts.ts';
import { newMessage } from '../talk/messages.ts';

export interface EpisodeOptions {
  readonly store: Store;
  memoryOf(projectId: string): MemoryFiles;
  /** Something could not be written; it is tried again at the next start. */
  failed(thrown: unknown): void;
}

export interface Episodes {
  /** Projects with ended jobs whose summary or notice is still pending. */
  readonly passing: readonly string[];
  /** Resolves when all ended jobs so far have a summary and a notice. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Characters of the message to the project; the episode has the rest. */
const MAX_MESSAGE = 8_000;
/** Maximum size of one month's file, below the limit of a memory file: the newest jobs are described in full. */
const MAX_BYTES = 200 * 1024;

/** Starts with the jobs that ended before; their finished summaries are kept. */
export function followEndedJobs(options: EpisodeOptions): Episodes {
  const { store, failed } = options;
  let work = Promise.resolve();
  let closed = false;
  const taken = new Set<JobRow>();
  const take = (jobs: readonly JobRow[]): void => {
    for (const job of jobs) taken.add(job);
    work = work.then(async () => {
      for (const ofMonth of byMonth(jobs)) {
        try {
          if (!closed) await write(options, ofMonth);
        } catch (thrown) {
          failed(thrown);
        }
      }
      for (const job of jobs) {
        if (!closed) await notifyProject(store, job, failed);
        taken.delete(job);
      }
    });
  };
  const isOver = (job: JobRow): boolean => isFinal(JOB, job.status);
  /** Jobs that ended during one of their calls: they are reported with the settled cost. */
  const unsettled = new Set<string>();
  const unsubscribe = store.subscribe((_, changes) => {
    let moved = false;
    for (const change of changes) {
      if (!('put' in change)) continue;
      if (change.table === 'jobs' && isOver(change.put)) unsettled.add(change.put.id);
      moved ||= change.table === 'jobs' || change.table === 'spends';
    }
    if (!moved || unsettled.size === 0) return;
    const calling = new Set(
      [...store.state.spends.values()].flatMap((row) => (row.status === 'reserved' ? [row.job_id] : [])),
    );
    const ready = [...unsettled].filter((id) => !calling.has(id));
    for (const id of ready) unsettled.delete(id);
    if (ready.length > 0) take(ready.flatMap((id) => store.state.jobs.get(id) ?? []));
  });
  take([...store.state.jobs.values()].filter(isOver));
  return {
    get passing() {
      const waiting = [...unsettled].flatMap((id) => store.state.jobs.get(id) ?? []);
      return [...taken, ...waiting].map(({ project_id }) => project_id);
    },
    settled: () => work,
    close: async () => {
      closed = true;
      unsubscribe();
      await work;
    },
  };
}

const endOf = (job: JobRow): string => job.ended_at ?? job.created_at;
const fileOf = (job: JobRow): string => `episodes/${endOf(job).slice(0, 7)}.md`;
const mark = (job: JobRow): string => `(job ${job.id})`;

/** Groups jobs by project and month: each group has one file. */
function byMonth(jobs: readonly JobRow[]): JobRow[][] {
  const files = Map.groupBy(jobs, (job) => `${job.project_id} ${fileOf(job)}`);
  return [...files.values()].map((some) => some.sort((a, b) => (endOf(a) < endOf(b) ? -1 : 1)));
}

async function write({ store, memoryOf }: EpisodeOptions, jobs: readonly JobRow[]): Promise<void> {
  const [first] = jobs;
  if (first === undefined) return;
  const memory = memoryOf(first.project_id);
  const file = fileOf(first);
  const before = (await memory.read(file)) ?? `# What happened in ${endOf(first).slice(0, 7)}\n`;
  const missing = jobs.filter((job) => !before.includes(mark(job)));
  if (missing.length === 0) return;
  const rows = rowsOf(store.state, missing);
  const added = missing.map((job) => episode(rows.get(job.id) ?? emptyState(), job)).join('\n');
  await memory.write(file, fitting(`${before.trimEnd()}\n\n${added}`));
}

/** The rows of each job, in one pass, because thousands of jobs may be pending. */
function rowsOf(state: State, jobs: readonly JobRow[]): ReadonlyMap<string, State> {
  const own = new Map(jobs.map(({ id }) => [id, emptyState()]));
  for (const row of state.phases.values()) own.get(row.job_id)?.phases.set(row.id, row);
  for (const row of state.features.values()) own.get(row.job_id ?? '')?.features.set(row.id, row);
  for (const row of state.spends.values()) own.get(row.job_id ?? '')?.spends.set(row.id, row);
  for (const row of state.attempts.values()) own.get(row.job_id)?.attempts.set(row.id, row);
  for (const row of state.approvals.values()) own.get(row.job_id ?? '')?.approvals.set(row.id, row);
  return own;
}

/** A month of very many jobs: of the oldest the headings alone. */
function fitting(text: string): string {
  const parts = text.split(/^(?=## )/m);
  let over = Buffer.byteLength(text) - MAX_BYTES;
  return parts
    .map((part) => {
      if (over <= 0 || !part.startsWith('## ')) return part;
      const short = `${part.split('\n', 1)[0]}\n\n`;
      over -= Buffer.byteLength(part) - Buffer.byteLength(short);
      return short;
    })
    .join('');
}

/** `state` holds the rows of the job. */
function episode(state: State, job: JobRow): string {
  const facts = [`- ${minuteText(endOf(job))}: ${outcomeText(state, job)}`, ...jobReport(state, job)];
  return [`## ${oneLine(job.title)} ${mark(job)}`, '', ...facts, ''].join('\n');
}

/** The project may be archived meanwhile, or the owner may be stopping: then no message can be sent. */
async function notifyProject(store: Store, job: JobRow, failed: (thrown: unknown) => void): Promise<void> {
  if (!isUnreported(store.state, job)) return;
  const isOwnDoing = isStoppedByProject(job, 'cancelled');
  const text = headAndTail(endText(store.state, job, isOwnDoing), MAX_MESSAGE);
  try {
    // No turn starts if the project itself cancelled the job.
    const level = isOwnDoing ? 'info' : null;
    const about = { project_id: job.project_id, direction: 'in', sender: 'engine', level } as const;
    await store.commit(newMessage(store, { ...about, text }));
  } catch (thrown) {
    if (findFailure(thrown)?.code !== 'ILLEGAL_TRANSITION') failed(thrown);
  }
}

/** The first words of the message about a job's end, by which the message is recognized. */
const overWords = ({ id }: JobRow): string => `Job ${id} is over`;

/** Short if the steward or the project cancelled the job: both know of it. */
function endText(state: State, job: JobRow, isOwnDoing: boolean): string {
  const over = `${overWords(job)} ("${oneLine(job.title)}"): ${outcomeText(state, job)}.`;
  if (isOwnDoing || isCancelledBySteward(job)) return [over, ...shortReport(state, job)].join('\n');
  const notify = 'The steward does not get this message: use notify if they should know.';
  return [`${over} ${notify}`, ...endReport(state, job)].join('\n');
}

/**
 * Whether the message about a job that ended is still to be sent. Each project gets one for a job. The default project gets one only
 * if it has a conversation.
 */
export function isUnreported(state: State, job: JobRow): boolean {
  const project = state.projects.get(job.project_id);
  if (project === undefined || (project.status !== 'active' && project.status !== 'suspended')) return false;
  const messages = projectMessages(state, project.id);
  const known = messages.some((row) => row.sender === 'engine' && row.text.startsWith(overWords(job)));
  if (known) return false;
  return project.id !== DEFAULT_PROJECT || messages.some((row) => row.at <= endOf(job));
}
