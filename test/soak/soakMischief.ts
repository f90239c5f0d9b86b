/** What happens now and then to whatever is at work: a command that dies, a pause, a cancel. By the seed, as far as it goes. */
import type { Engine } from '../../src/engine/state/api.ts';
import { findFailure } from '../../src/shared/errors.ts';
import { below } from './soakProbe.ts';
import { SLEEP } from './soakWork.ts';

const KINDS = ['command', 'pause', 'command', 'cancel', 'pause'] as const;
type Kind = (typeof KINDS)[number];

export interface Done {
  command: number;
  pause: number;
  cancel: number;
}

export class Mischief {
  readonly done: Done = { command: 0, pause: 0, cancel: 0 };
  /** Jobs that it cancelled. */
  readonly cancelled: string[] = [];
  readonly #random: (below: number) => number;
  readonly #everyMs: number;
  #next: number;
  #wanted: Kind[] = [];
  readonly #paused = new Map<string, number>();

  constructor(random: (below: number) => number, everyMs: number) {
    this.#random = random;
    this.#everyMs = everyMs;
    this.#next = performance.now() + everyMs;
  }

  /** To be called every few hundred milliseconds. `begin`: more of it is wanted; else it only ends what it began. */
  async turn({ state, request }: Pick<Engine, 'state' | 'request'>, pid: number, begin: boolean): Promise<void> {
    const now = performance.now();
    for (const [jobId, until] of this.#paused) {
      if (now < until) continue;
      this.#paused.delete(jobId);
      await asked(() => request('resumeJob', { jobId }));
    }
    if (!begin) return;
    if (now >= this.#next) {
      this.#next = now + this.#everyMs * (0.5 + this.#random(100) / 100);
      const kind = KINDS[this.#random(KINDS.length)];
      if (kind !== undefined) this.#wanted.push(kind);
    }
    for (const kind of new Set(this.#wanted)) {
      if (!(kind === 'command' ? this.#killCommand(pid) : await this.#toAJob(kind, { state, request }))) continue;
      this.#wanted.splice(this.#wanted.indexOf(kind), 1);
      this.done[kind]++;
    }
  }

  /** False: none is there now. */
  #killCommand(pid: number): boolean {
    const found = below(pid).find(({ words }) => words.endsWith(SLEEP.join(' ')));
    if (found === undefined) return false;
    try {
      process.kill(found.pid, 'SIGKILL');
      return true;
    } catch {
      return false; // it ended just then
    }
  }

  async #toAJob(kind: 'pause' | 'cancel', { state, request }: Pick<Engine, 'state' | 'request'>): Promise<boolean> {
    const jobs = [...state.jobs.values()].filter((job) => job.status === 'running' && !job.merging);
    const job = jobs[this.#random(Math.max(1, jobs.length))];
    if (job === undefined) return false;
    if (kind === 'cancel') {
      if (!(await asked(() => request('cancelJob', { jobId: job.id })))) return false;
      this.cancelled.push(job.id);
      return true;
    }
    this.#paused.set(job.id, performance.now() + 2_000 + this.#random(3_000));
    return asked(() => request('pauseJob', { jobId: job.id }));
  }
}

/** False: the job was over, or the owner dead, by then. */
async function asked(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (thrown) {
    if (findFailure(thrown) === null) throw thrown;
    return false;
  }
}
