/**
 * Several starters at once on one state, over real sockets and files, in one process. Between any two of their steps others have
 * theirs: in which order depends on a seed alone.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/adapters/clock.ts';
import { addressOf } from '../../../src/adapters/ipc/address.ts';
import { connect } from '../../../src/adapters/ipc/client.ts';
import { type Listening, listen } from '../../../src/adapters/ipc/server.ts';
import { askHighest, checkEpoch, claimEpoch, isReleased } from '../../../src/adapters/log/epoch.ts';
import { lineSeal } from '../../../src/adapters/log/seal.ts';
import type { ProcessMark } from '../../../src/core/state/processMark.ts';
import type { FileOps } from '../../../src/engine/state/storePorts.ts';
import { type OwnerLock, ownerLock } from '../../../src/engine/workspace/ownerLock.ts';
import { asFailure } from '../../../src/shared/errors.ts';
import { unsyncedFiles } from '../state/unsyncedFiles.ts';

const clock = systemClock();
const seal = lineSeal(Buffer.alloc(32, 7), 'claim');
const MACHINE = { machine: 'm', host: 'h', boot: 'b', space: 's' };
const FORMER: ProcessMark = { ...MACHINE, pid: 1, start: '1' };

/** One of those that wait continues once all wait or have ended. */
class Turns {
  readonly #random: (below: number) => number;
  readonly #waiting: (() => void)[] = [];
  #running: number;

  constructor(starters: number, random: (below: number) => number) {
    this.#running = starters;
    this.#random = random;
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.end();
    });
  }

  end(): void {
    this.#running--;
    if (this.#running > 0 || this.#waiting.length === 0) return;
    const [chosen] = this.#waiting.splice(this.#random(this.#waiting.length), 1);
    this.#running++;
    chosen?.();
  }
}

/** How the last owner ended. `killed`: its socket, its token and its claim are left. */
export type Before = 'none' | 'closed' | 'killed';

export interface Round {
  readonly starters: number;
  readonly before: Before;
  /** Sockets whose names stay taken, as those of pipes. */
  readonly pipes: boolean;
  readonly random: (below: number) => number;
}

export interface Ended {
  /** `owner`, or the code of its failure, for each starter. */
  readonly results: readonly string[];
  /** What is wrong. */
  readonly faults: readonly string[];
}

class State implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'aut-at-once-'));
  readonly runtimeDir = join(this.root, 'run');
  readonly stateDir = join(this.root, 'repo', '.autonomous');
  readonly epochs = join(this.stateDir, 'epoch');
  readonly system: { readonly pipe: ((name: string) => string) | null };

  constructor(pipes: boolean) {
    mkdirSync(this.epochs, { recursive: true });
    mkdirSync(this.runtimeDir, { mode: 0o700 });
    this.system = { pipe: pipes ? (name) => join(this.runtimeDir, `${name}.pipe`) : null };
  }

  lock(own: ProcessMark, ops: FileOps): OwnerLock {
    return ownerLock({
      stateDir: this.stateDir,
      folder: '1',
      seal,
      epochs: { askHighest: (gone) => askHighest(this.epochs, ops, { gone }), isReleased },
      others: {
        own: () => own,
        whereabouts: ({ pid }) => (pid === own.pid ? 'self' : pid === FORMER.pid ? 'gone' : 'alive'),
        isGoneWithin: async () => false,
        end: async () => undefined,
      },
      isPipeOpen: this.system.pipe === null ? null : async () => true,
      takeOver: false,
    });
  }

  async leave(before: Before): Promise<void> {
    if (before === 'none') return;
    const token = 'e'.repeat(64);
    const mark = createHash('sha256').update(token).digest('hex').slice(0, 16);
    const { claim } = this.lock(FORMER, unsyncedFiles).claimant(mark);
    writeFileSync(join(this.epochs, '1'), before === 'closed' ? `${Buffer.from(claim).toString()}released\n` : claim);
    if (before === 'closed') return;
    const { socket, tokenFile, isPipe } = addressOf(this.runtimeDir, this.stateDir, this.system);
    writeFileSync(tokenFile, token, { mode: 0o600 });
    // A pipe ends with its process.
    if (isPipe) return;
    const dead = createServer();
    await new Promise<void>((resolve) => dead.listen(`${socket}.x`, () => resolve()));
    renameSync(`${socket}.x`, socket);
    await new Promise<void>((resolve) => dead.close(() => resolve()));
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true });
  }
}

/** Each operation waits for its turn. */
function inTurns(ops: FileOps, turns: Turns): FileOps {
  const step =
    <A extends readonly unknown[], T>(act: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      await turns.next();
      return act(...args);
    };
  return {
    ...ops,
    list: step(ops.list),
    read: step(ops.read),
    // Its name appears before its content.
    create: async (path, data) => {
      await turns.next();
      const file = await ops.openNew(path);
      if (file === null) return false;
      await turns.next();
      await file.write(data);
      await file.close();
      return true;
    },
    link: step(ops.link),
    remove: step(ops.remove),
  };
}

interface Starter {
  readonly result: string;
  readonly listening: Listening | null;
}

async function start(state: State, index: number, turns: Turns): Promise<Starter> {
  const { runtimeDir, stateDir, epochs, system } = state;
  const ops = inTurns(unsyncedFiles, turns);
  const lock = state.lock({ ...MACHINE, pid: 100 + index, start: String(index) }, ops);
  let listening: Listening | null = null;
  try {
    await turns.next();
    const functions = { who: async () => index };
    const former = async (deaf: string | null): Promise<void> => {
      await turns.next();
      await lock.free(deaf);
      await turns.next();
    };
    const mine = await listen({ runtimeDir, stateDir, functions, clock, former }, system);
    listening = mine;
    await turns.next();
    const claimant = lock.claimant(mine.mark, async (isOwner) => {
      await turns.next();
      const problem = (text: string): void => {
        throw new Error(text);
      };
      await mine.open({ isOwner, problem });
    });
    const epoch = await claimEpoch(epochs, 0, ops, claimant);
    // As its first commit does.
    await turns.next();
    await checkEpoch(epochs, epoch, ops);
    return { result: 'owner', listening };
  } catch (thrown) {
    await listening?.close();
    return { result: asFailure(thrown).code, listening: null };
  } finally {
    turns.end();
  }
}

async function faultsOf(state: State, starters: readonly Starter[]): Promise<string[]> {
  const { runtimeDir, stateDir, system } = state;
  const owners = starters.flatMap(({ listening }, index) => (listening === null ? [] : [index]));
  const faults = owners.length === 1 ? [] : [`owners: ${owners.join(' ')}`];
  for (const { result } of starters) if (!['owner', 'OWNER_BUSY'].includes(result)) faults.push(result);
  const files = readdirSync(runtimeDir).map((name) => name.replace(/^(autonomous-)?[0-9a-f]{16}/, ''));
  if (files.toSorted().join(' ') !== (system.pipe === null ? '.sock .token' : '.pipe .token'))
    faults.push(files.join(' '));
  const claims = readdirSync(state.epochs);
  if (claims.length !== 1) faults.push(`claims: ${claims.join(' ')}`);
  try {
    const client = await connect({ runtimeDir, stateDir, clock }, system);
    const who = await client.call('who', null);
    client.close();
    if (who !== owners[0]) faults.push(`${String(who)} answers for ${owners[0]}`);
  } catch (thrown) {
    faults.push(asFailure(thrown).message);
  }
  return faults;
}

export async function startAtOnce({ starters: many, before, pipes, random }: Round): Promise<Ended> {
  using state = new State(pipes);
  await state.leave(before);
  const turns = new Turns(many, random);
  const starters = await Promise.all(Array.from({ length: many }, (_, index) => start(state, index, turns)));
  const faults = await faultsOf(state, starters);
  for (const { listening } of starters) await listening?.close();
  const left = readdirSync(state.runtimeDir);
  if (left.length > 0) faults.push(`left: ${left.join(' ')}`);
  return { results: starters.map(({ result }) => result), faults };
}
