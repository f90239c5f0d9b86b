/** Lives of a stateJob.ts in this process, on a disk that fails or loses what was not synced. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '../time/fakeClock.ts';
import { applies, DiskLayer, type Fault } from './layer.ts';
import { losePower, type Note } from './powerLoss.ts';
import { KINDS, type Kind, type openStateJob, placesIn } from './stateJob.ts';
import { missing } from './stateLook.ts';

/** stateJob.ts, as it was built. */
export interface Subject {
  readonly openStateJob: typeof openStateJob;
}

interface Life {
  dead: boolean;
  readonly died: PromiseWithResolvers<'died'>;
}

const roots = (root: string): string[] => [placesIn(root).stateDir, join(root, 'config')];

function tempFolder(): { readonly root: string; readonly removed: string } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), 'autonomous-disk-'));
  const [root, removed] = [join(folder, 'repo'), join(folder, 'removed')];
  for (const path of [root, removed]) mkdirSync(path);
  return { root, removed, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }) };
}

export interface FaultCase {
  readonly fault: Fault;
  /** Of the operations from the opening on; the first is 1. */
  readonly nth: number;
  /** Until somebody mends the disk, or only this one. */
  readonly lasting: boolean;
}

export interface FaultEnd {
  /** 0: there are not so many. */
  readonly failed: number;
  readonly operations: number;
  readonly missing: readonly string[];
  /** Failures that nobody would understand: of no code of ours. */
  readonly untyped: readonly string[];
  /** Calls of the disk for one thing to be done while it fails. */
  readonly most: number;
}

/** Two of each kind, in any order. */
function steps(random: (below: number) => number): Kind[] {
  const left = [...KINDS, ...KINDS];
  return Array.from(left, () => left.splice(random(left.length), 1)[0] ?? 'event');
}

/** Opens it, does some of each kind, and closes it; once the disk is whole it is opened again and goes on. */
export async function withFault(
  subject: Subject,
  { fault, nth, lasting }: FaultCase,
  random: (below: number) => number,
): Promise<FaultEnd> {
  using folder = tempFolder();
  const { root } = folder;
  let [operations, failed, broken, most] = [0, 0, true, 0];
  const layer = new DiskLayer({
    roots: roots(root),
    syncs: false,
    decide: (operation) => {
      operations++;
      if (!broken || (lasting ? operations < nth : operations !== nth) || !applies(fault, operation)) return null;
      failed++;
      return fault;
    },
    die: () => new Promise(() => undefined),
  });
  const untyped: string[] = [];
  const done: (readonly [Kind, number])[] = [];
  const begun: (readonly [Kind, number])[] = [];
  const attempt = async <T>(work: () => Promise<T>): Promise<T | null> => {
    const before = operations;
    try {
      return await work();
    } catch (thrown) {
      // Of another bundle: its class is not ours.
      if (!(thrown instanceof Error && thrown.name === 'AutonomousError')) untyped.push(String(thrown));
      return null;
    } finally {
      most = Math.max(most, operations - before);
    }
  };
  try {
    const clock = new FakeClock();
    let job = await attempt(() => subject.openStateJob(root, clock));
    for (const [index, kind] of job === null ? [] : steps(random).entries()) {
      const did = await attempt(async () => (await job?.do(kind, index + 1)) ?? true);
      (did === null ? begun : done).push([kind, index + 1]);
    }
    await attempt(async () => job?.close());
    broken = false;
    const until = operations;
    const lost = await missing(root, done, begun);
    job = await subject.openStateJob(root, clock);
    for (const [index, kind] of KINDS.entries()) {
      await job.do(kind, 100 + index);
      done.push([kind, 100 + index]);
    }
    await job.close();
    return { failed, operations: until, missing: [...lost, ...(await missing(root, done, []))], untyped, most };
  } finally {
    await layer.closeFiles();
    layer[Symbol.dispose]();
  }
}

export interface PowerEnd {
  readonly crashes: number;
  readonly acknowledged: number;
  readonly names: number;
  readonly bytes: number;
  /** After the crash of that number. */
  readonly missing: readonly string[];
}

/** Lives after each other on one state, each ended by a loss of power at a random operation. */
export async function withPowerLosses(
  subject: Subject,
  crashes: number,
  random: (below: number) => number,
): Promise<PowerEnd> {
  using folder = tempFolder();
  const { root, removed } = folder;
  const lives = new AsyncLocalStorage<Life>();
  let notes: Note[] = [];
  let left = 0;
  const layer = new DiskLayer({
    roots: roots(root),
    syncs: false,
    notes: { add: (note) => notes.push(note), removed },
    isDead: () => lives.getStore()?.dead === true,
    decide: () => (lives.getStore() !== undefined && --left === 0 ? 'die' : null),
    die: () => {
      const life = lives.getStore();
      if (life !== undefined) life.dead = true;
      life?.died.resolve('died');
      return new Promise(() => undefined);
    },
  });
  const done: (readonly [Kind, number])[] = [];
  let begun: readonly [Kind, number] | null = null;
  let n = 0;
  const live = async (): Promise<'died'> => {
    const job = await subject.openStateJob(root, new FakeClock());
    for (;;) {
      const kind = KINDS[random(KINDS.length)] ?? 'event';
      begun = [kind, ++n];
      await job.do(kind, n);
      done.push([kind, n]);
      begun = null;
    }
  };
  let [names, bytes] = [0, 0];
  try {
    for (let crash = 1; crash <= crashes; crash++) {
      [notes, left, begun] = [[], 1 + random(crash === 1 ? 60 : 150), null];
      const life: Life = { dead: false, died: Promise.withResolvers() };
      await lives.run(life, () => Promise.race([live(), life.died.promise]));
      await layer.closeFiles();
      const lost = losePower(notes, roots(root), random);
      names += lost.names;
      bytes += lost.bytes;
      const gone = await missing(root, done, begun === null ? [] : [begun]);
      if (gone.length > 0) return { crashes: crash, acknowledged: done.length, names, bytes, missing: gone };
    }
    return { crashes, acknowledged: done.length, names, bytes, missing: [] };
  } finally {
    layer[Symbol.dispose]();
  }
}
