/**
 * When a job ends, an episode is written into its project's memory, and the project's conversation is told. Both are read from
 * the state and the file each time, so that a crash in between leaves neither out and makes neither twice.
 */
import { isFinal, JOB } from '../core/machines.ts';
import { jobFeatures, jobPhases, projectMessages } from '../core/rows.ts';
import { spentBy, spentText } from '../core/spent.ts';
import type { Store } from '../engine/store.ts';
import type { JobRow } from '../shared/domain.ts';
import { findFailure } from '../shared/errors.ts';
import { DEFAULT_PROJECT } from '../shared/projects.ts';
import { emptyState, type State } from '../shared/state.ts';
import type { MemoryFiles } from './conversationPorts.ts';
import { newMessage } from './messages.ts';

export interface EpisodeOptions {
  readonly store: Store;
  memoryOf(projectId: string): MemoryFiles;
  /** Something could not be written; it is tried again at the next start. */
  failed(thrown: unknown): void;
}

export interface Episodes {
  /** Resolves when all jobs that ended so far are written down and told. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const MAX_TEXT = 600;
/** Of one month's file, below what a memory takes: the newest jobs are told in full. */
const MAX_BYTES = 200 * 1024;

/** Begins with the jobs that ended before: what was done for them stays as it is. */
export function followEndedJobs(options: EpisodeOptions): Episodes {
  const { store, failed } = options;
  let work = Promise.resolve();
  let closed = false;
  const take = (jobs: readonly JobRow[]): void => {
    work = work.then(async () => {
      for (const ofMonth of byMonth(jobs)) {
        try {
          if (!closed) await write(options, ofMonth);
        } catch (thrown) {
          failed(thrown);
        }
      }
      for (const job of jobs) if (!closed) await tell(store, job, failed);
    });
  };
  const isOver = (job: JobRow): boolean => isFinal(JOB, job.status);
  const unsubscribe = store.subscribe((_, changes) => {
    const ended = changes.flatMap((change) => (change.table === 'jobs' && 'put' in change ? [change.put] : []));
    if (ended.some(isOver)) take(ended.filter(isOver));
  });
  take([...store.state.jobs.values()].filter(isOver));
  return {
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

/** Of one project and one month each: they are one file. */
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

/** Each job's own rows, in one pass: whoever hears of projects late may have thousands of jobs behind him. */
function rowsOf(state: State, jobs: readonly JobRow[]): ReadonlyMap<string, State> {
  const own = new Map(jobs.map(({ id }) => [id, emptyState()]));
  for (const row of state.phases.values()) own.get(row.job_id)?.phases.set(row.id, row);
  for (const row of state.features.values()) own.get(row.job_id ?? '')?.features.set(row.id, row);
  for (const row of state.spends.values()) own.get(row.job_id ?? '')?.spends.set(row.id, row);
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

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TEXT);

/** `state` holds what is of the job alone. */
function episode(state: State, job: JobRow): string {
  const phases = jobPhases(state, job.id).map(
    (phase) => `- Phase ${phase.number}, ${oneLine(phase.title)}: ${phase.status}. ${oneLine(phase.summary ?? '')}`,
  );
  const failed = jobFeatures(state, job.id)
    .filter((feature) => feature.status === 'failed')
    .map((feature) => `- Failed: ${oneLine(feature.name)}: ${oneLine(feature.failure_reason ?? '')}`);
  const facts = [
    `- ${endOf(job)}: ${outcome(job)}`,
    ...phases,
    ...failed,
    `- Cost: ${spentText(spentBy(state.spends.values()), (usd) => `$${usd.toFixed(4)}`)}`,
  ];
  return [`## ${oneLine(job.title)} ${mark(job)}`, '', ...facts.map((line) => line.trimEnd()), ''].join('\n');
}

function outcome({ status, reason, merge }: JobRow): string {
  const into = merge === null ? '' : `, ${merge.mode} to ${merge.target}`;
  return `${status}${into}${reason === null ? '' : `: ${oneLine(reason)}`}`;
}

/** The project may be archived by now, or the owner stopping: then there is nobody to tell. */
async function tell(store: Store, job: JobRow, failed: (thrown: unknown) => void): Promise<void> {
  if (!isTold(store.state, job)) return;
  const text = `Job ${job.id} is over, ${outcome(job)}. It was: ${oneLine(job.title)}. More in job_status and in your memory.`;
  try {
    await store.commit(newMessage(store, { project_id: job.project_id, direction: 'in', sender: 'engine', text }));
  } catch (thrown) {
    if (findFailure(thrown)?.code !== 'ILLEGAL_TRANSITION') failed(thrown);
  }
}

/** Once, and not the default project unless somebody talked to it before: who never heard of projects has no conversation. */
function isTold(state: State, job: JobRow): boolean {
  const project = state.projects.get(job.project_id);
  if (project === undefined || (project.status !== 'active' && project.status !== 'suspended')) return false;
  const messages = projectMessages(state, project.id);
  const known = messages.some((row) => row.sender === 'engine' && row.text.startsWith(`Job ${job.id} is over`));
  if (known) return false;
  return project.id !== DEFAULT_PROJECT || messages.some((row) => row.at <= endOf(job));
}
