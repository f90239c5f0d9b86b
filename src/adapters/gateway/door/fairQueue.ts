/**
 * Queues calls by priority, and calls of one priority so that features that compete spend equally: start-time fair queueing, with the cost
 * of each call as its length. Source: P. Goyal, H. M. Vin, H. Cheng, "Start-time Fair Queueing", 1996.
 */
import type { Queue, QueueAddOptions } from 'p-queue';

type Run = () => Promise<unknown>;

export type FairQueue = Queue<Run, FairOptions>;

export interface FairOptions extends QueueAddOptions {
  readonly priority?: number;
  /** Calls of one account share: those of a feature. */
  readonly account?: string;
}

interface Entry {
  readonly run: Run;
  readonly priority: number;
  readonly account: string;
  /** Virtual time, in micro-USD, from which its account may be served. */
  readonly start: number;
}

/** What each account has spent, measured from the time at which it last had to wait for no other. */
export class FairShares {
  #now = 0;
  readonly #ends = new Map<string, number>();
  /** Number of calls in flight. */
  readonly #inFlight = new Map<string, number>();

  start(account: string): number {
    return Math.max(this.#now, this.#ends.get(account) ?? 0);
  }

  /** A call of the account that may start at this time is sent. Call `leave` when it is over. */
  serve(account: string, start: number): void {
    this.#now = Math.max(this.#now, start);
    this.#inFlight.set(account, (this.#inFlight.get(account) ?? 0) + 1);
    // Its cost counts from here: what others are served while it is in flight does not delay its account.
    this.#ends.set(account, start);
    for (const [other, end] of this.#ends) if (end <= this.#now && !this.#inFlight.has(other)) this.#ends.delete(other);
  }

  leave(account: string): void {
    const others = (this.#inFlight.get(account) ?? 1) - 1;
    if (others > 0) this.#inFlight.set(account, others);
    else this.#inFlight.delete(account);
  }

  /** A call in flight of the account cost this much. */
  charge(account: string, microUsd: number): void {
    this.#ends.set(account, (this.#ends.get(account) ?? this.#now) + microUsd);
  }
}

/** A class for PQueue, which makes its queue itself. */
export function fairQueueOn(shares: FairShares): new () => FairQueue {
  return class implements FairQueue {
    readonly #entries: Entry[] = [];

    get size(): number {
      return this.#entries.length;
    }

    enqueue(run: Run, { priority = 0, account = '' }: Partial<FairOptions> = {}): void {
      this.#entries.push({ run, priority, account, start: shares.start(account) });
    }

    dequeue(): Run | undefined {
      let best = -1;
      for (const [at, entry] of this.#entries.entries()) {
        const first = this.#entries[best];
        if (first === undefined || isBefore(entry, first, shares)) best = at;
      }
      const [entry] = best === -1 ? [] : this.#entries.splice(best, 1);
      if (entry === undefined) return undefined;
      const { run, account } = entry;
      shares.serve(account, startOf(entry, shares));
      return () => run().finally(() => shares.leave(account));
    }

    filter(options: Readonly<Partial<FairOptions>>): Run[] {
      return this.#entries.filter(({ priority }) => priority === (options.priority ?? 0)).map(({ run }) => run);
    }

    setPriority(): void {
      throw new Error('the priority of a call does not change');
    }

    remove(): void {
      throw new Error('a call leaves the queue when it has its turn');
    }
  };
}

/** An account may have been charged while its call waited. */
const startOf = ({ start, account }: Entry, shares: FairShares): number => Math.max(start, shares.start(account));

function isBefore(a: Entry, b: Entry, shares: FairShares): boolean {
  if (a.priority !== b.priority) return a.priority > b.priority;
  return startOf(a, shares) < startOf(b, shares);
}
