/** One fault case from its first request to its end: session after session over one journal, time moved by the case. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Provider } from '../../../src/engine/session/gatewayPorts.ts';
import type { SessionResult, TranscriptEntry } from '../../../src/engine/session/ports.ts';
import type { Event } from '../../../src/shared/workspace/events.ts';
import { randomOf } from '../suite/proof.ts';
import { FakeClock } from '../time/fakeClock.ts';
import { DEAD_ADDRESS } from './deadAddress.ts';
import { type Exchange, type FaultServer, newExchange, type ServedCase } from './faultServer.ts';
import type { Mishap } from './mishaps.ts';
import type { FaultRole, Stage } from './modelAnswers.ts';
import type { openSubject, Subject } from './subject.ts';

export interface FaultCase {
  readonly name: string;
  readonly role: FaultRole;
  readonly seed: number;
  /** What happens to the next request; asked once for each. */
  readonly next: (stage: Stage) => Mishap | null;
}

export interface Bench {
  readonly server: FaultServer;
  readonly open: typeof openSubject;
  /** With a README.md in it. */
  readonly workdir: string;
}

/** What came of a case, as seen from outside. */
export interface Account {
  readonly role: FaultRole;
  readonly exchanges: readonly Exchange[];
  readonly commands: readonly string[];
  readonly events: readonly Event[];
  readonly entries: readonly TranscriptEntry[];
  /** Of each life of the session; the last is the end. */
  readonly results: readonly SessionResult[];
  /** Times at which a life began, by the case's clock. */
  readonly beganAt: readonly number[];
  /** Why it was given up, or null. */
  readonly hung: string | null;
  /** Calls listed as perhaps billed, before the steward corrected them. */
  readonly listed: readonly { readonly id: number; readonly usd: number }[];
}

/** Lives of a session in one case. */
const MOST_LIVES = 20;
/** Of real time in which nothing happens, and of the case's in all. */
const BOUND_MS = 30_000;
const BOUND_CASE_MS = 12 * 3_600_000;
const DRIBBLE_EVERY_MS = 60_000;
const IDLE_MS = 90_000;

export async function runCase(bench: Bench, given: FaultCase): Promise<Account> {
  const clock = new FakeClock({ skipSleeps: true });
  const served: ServedCase = { role: given.role, seed: given.seed, next: given.next, exchanges: [] };
  const commands: string[] = [];
  const stateDir = mkdtempSync(join(tmpdir(), 'autonomous-case-'));
  const random = randomOf(given.seed);
  const line = new Tap(bench, served, clock);
  const subject = await bench.open({
    role: given.role,
    clock,
    random: () => random(1_000) / 1_000,
    stateDir,
    workdir: bench.workdir,
    provider: (at) => line.provider(at),
    ran: (command) => commands.push(command),
  });
  try {
    const lives = await live(subject, line, clock);
    const listed = subject.listed();
    await correct(subject, served.exchanges);
    const { events, entries } = subject;
    return { role: given.role, exchanges: served.exchanges, commands, events, entries, listed, ...lives };
  } finally {
    await subject.close();
    rmSync(stateDir, { recursive: true });
  }
}

type Lives = Pick<Account, 'results' | 'beganAt' | 'hung'>;

/** Waits as the engine does, asks as the steward would, until the session is over. */
async function live(subject: Subject, line: Tap, clock: FakeClock): Promise<Lives> {
  const results: SessionResult[] = [];
  const beganAt: number[] = [];
  while (results.length < MOST_LIVES) {
    beganAt.push(clock.now());
    const abort = new AbortController();
    const run = { over: false };
    const done = subject.run(abort.signal).finally(() => {
      run.over = true;
    });
    const hung = await line.move(run);
    if (hung !== null) {
      abort.abort();
      await done.catch(() => null);
      return { results, beganAt, hung };
    }
    const result = await done;
    results.push(result);
    if (result.outcome !== 'unavailable') return { results, beganAt, hung: null };
    if (result.wakeAt !== null) clock.advance(Math.max(0, Date.parse(result.wakeAt) - clock.now()));
  }
  return { results, beganAt, hung: `it was begun ${MOST_LIVES} times` };
}

/** The steward reads the provider's bill and corrects what the ledger was not told. */
async function correct(subject: Subject, exchanges: readonly Exchange[]): Promise<void> {
  for (const { id } of subject.listed()) await subject.adjust(id, exchanges[id - 1]?.bill ?? 0);
}

/** The way to the provider: leads some requests astray, and knows what of an answer has arrived. */
class Tap {
  readonly #bench: Bench;
  readonly #served: ServedCase;
  readonly #clock: FakeClock;
  readonly #url: string;
  #arrived = -1;

  constructor(bench: Bench, served: ServedCase, clock: FakeClock) {
    this.#bench = bench;
    this.#served = served;
    this.#clock = clock;
    this.#url = bench.server.serve(served);
  }

  provider(at: (baseUrl: string) => Provider): Provider {
    const live = at(this.#url);
    const astray = {
      refused: at(`http://${DEAD_ADDRESS}`),
      tls: at(`https://127.0.0.1:${this.#bench.server.port}`),
      // An empty label: no resolver asks anyone for it.
      dns: at('https://nobody..invalid'),
    };
    return {
      name: 'anthropic',
      send: async (request, signal) => {
        const { mishap } = newExchange(this.#served, request.body, this.#clock.now());
        this.#arrived = -1;
        const reply = await (mishap?.at === 'address' ? astray[mishap.address] : live).send(request, signal);
        this.#arrived = 0;
        return { ...reply, body: this.#counted(reply.body) };
      },
    };
  }

  /** Lets time pass while an answer stands still, until the life is over; says why when that takes too long. */
  async move(run: { readonly over: boolean }): Promise<string | null> {
    const begun = this.#clock.now();
    let moved = { at: performance.now(), seen: '' };
    while (!run.over) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      const seen = `${this.#served.exchanges.length} ${this.#arrived} ${this.#clock.now()}`;
      if (seen !== moved.seen) moved = { at: performance.now(), seen };
      else if (performance.now() - moved.at > BOUND_MS) return `nothing happens for ${BOUND_MS} ms`;
      if (this.#clock.now() - begun > BOUND_CASE_MS)
        return `no end within ${BOUND_CASE_MS / 3_600_000} hours of its own time`;
      const exchange = this.#served.exchanges.at(-1);
      if (exchange === undefined || exchange.stalledAt === null || !this.#hasArrived(exchange, exchange.stalledAt))
        continue;
      if (exchange.dribble === null) {
        exchange.stalledAt = null;
        this.#clock.advance(IDLE_MS);
      } else {
        exchange.dribble();
        this.#clock.advance(DRIBBLE_EVERY_MS);
      }
    }
    return null;
  }

  #hasArrived({ dribble }: Exchange, sent: number): boolean {
    return sent === 0 && dribble === null ? true : this.#arrived >= sent;
  }

  #counted(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          this.#arrived += value.length;
          controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }
}
