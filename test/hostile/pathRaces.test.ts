/** T9: what is a file or a folder at one moment and a link at the next. Step by step, and against a process that swaps. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { betaReadTool, betaWriteTool } from '@anthropic-ai/sdk/tools/agent-toolset/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTree } from '../../src/adapters/tree/treeFiles.ts';
import type { OpenTree } from '../../src/engine/session/ports.ts';
import { withStep } from '../support/hostilePaths/everyStep.ts';
import { ASKED, MARK, SWAPS, type Swap, SwapGround } from '../support/hostilePaths/swaps.ts';
import type { PathTaker } from '../support/hostilePaths/takers.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith } from '../support/suite/plantedBug.ts';
import { amount, figure, LONG, SEED } from '../support/suite/proof.ts';

const RACES = amount({ short: 200, long: 10_000 });
/** How many calls after the swap it may be undone. */
const LATER = amount({ short: 1, long: 1_000 });
const RACER = fileURLToPath(new URL('../support/hostilePaths/swapRacer.ts', import.meta.url));

let folder: string;
let ground: SwapGround;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ar-'));
  ground = new SwapGround(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The work as it may end: what was shown counts, a refusal does not. */
async function shown(worker: PathTaker, path: string): Promise<string> {
  try {
    return await worker.take(path);
  } catch (thrown) {
    return String(thrown);
  }
}

interface Moment {
  readonly told: string;
  readonly escaped: boolean;
}

/** One worker, one path, one swap: before each of its calls, and undone before each later one, or the next few. */
async function* everyMoment(worker: PathTaker, path: string, swap: Swap): AsyncGenerator<Moment> {
  let calls = 0;
  const once = async (at: number, undoneAt: number | null): Promise<Moment> => {
    ground.grow();
    const before = ground.sentinel();
    let text = '';
    const step = { happens: () => ground.swap(swap), undone: () => ground.swapBack(swap) };
    calls = await withStep({ at, undoneAt }, async () => (text = await shown(worker, path)), step);
    const told = `${worker.name} ${path}: ${swap.name} is a link before call ${at}, until ${undoneAt ?? 'the end'}`;
    return { told, escaped: text.includes(MARK) || ground.sentinel() !== before };
  };
  yield await once(0, null);
  const all = calls;
  for (let at = 1; at <= all; at++) {
    yield await once(at, null);
    for (let undoneAt = at + 1; undoneAt <= Math.min(all, at + LATER); undoneAt++) yield await once(at, undoneAt);
  }
}

async function* everyInterleaving(open: OpenTree): AsyncGenerator<Moment> {
  const workers = ground.workers(open).filter(({ name }) => LONG || ['read', 'write'].includes(name));
  for (const worker of workers) {
    for (const path of ASKED) {
      for (const swap of LONG ? SWAPS : SWAPS.slice(0, 2)) yield* everyMoment(worker, path, swap);
    }
  }
}

async function firstEscape(open: OpenTree, by: string): Promise<string | null> {
  for await (const { told, escaped } of everyInterleaving(open)) if (escaped && told.startsWith(by)) return told;
  return null;
}

test('whatever becomes a link between any two calls, nothing beyond the tree is read or touched', async () => {
  const escapes: string[] = [];
  let tried = 0;
  for await (const { told, escaped } of everyInterleaving(openTree)) {
    tried++;
    if (escaped) escapes.push(told);
  }
  figure({
    method: 'T9',
    what: 'interleavings of a swap with a file tool',
    value: tried,
    unit: '',
    aim: { atLeast: 300 },
  });
  figure({ method: 'T9', what: 'escapes in these interleavings', value: escapes.length, unit: '', aim: { atMost: 0 } });
  expect(escapes.slice(0, 10)).toEqual([]);
  expect(tried).toBeGreaterThan(LONG ? 300 : 60);
});

test(`a process that swaps a file or a folder for a link wins nothing (${RACES} races, seed ${SEED})`, async () => {
  let escapes = 0;
  for (const swap of SWAPS.slice(0, 2)) {
    ground.grow();
    const before = ground.sentinel();
    await using _racer = await racing(join(ground.tree, swap.entry), swap.target);
    const workers = ground.workers(openTree);
    for (let race = 0; race < RACES / 2; race++) {
      const worker = workers[race % workers.length];
      const path = ASKED[race % 3 === 0 ? 1 : 0];
      if (worker === undefined || path === undefined) throw new Error('nobody works');
      if ((await shown(worker, path)).includes(MARK)) escapes++;
      if (race % 50 === 0 && ground.sentinel() !== before) escapes++;
      renew(swap);
    }
    if (ground.sentinel() !== before) escapes++;
  }
  figure({
    method: 'T9',
    what: 'races against a process that swaps',
    value: RACES,
    unit: '',
    aim: { atLeast: 10_000 },
  });
  figure({ method: 'T9', what: 'escapes in these races', value: escapes, unit: '', aim: { atMost: 0 } });
  expect(escapes).toBe(0);
});

/** What a race may have lost of the tree. */
function renew({ entry }: Swap): void {
  try {
    if (entry.endsWith('.txt')) writeFileSync(join(ground.tree, entry), 'old', { flag: 'wx' });
    else mkdirSync(join(ground.tree, entry));
  } catch (thrown) {
    // It is there, or a link stands there right now.
    if (!(thrown instanceof Error && 'code' in thrown)) throw thrown;
  }
}

async function racing(entry: string, target: string): Promise<AsyncDisposable> {
  const child = spawn(process.execPath, [RACER, entry, target], { stdio: ['ignore', 'pipe', 'ignore'] });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
  return {
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

planted('a link is followed on the way down', async () => {
  const bug = {
    file: 'src/adapters/tree/heldFolder.ts',
    find: 'constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)',
    put: 'constants.O_RDONLY | (constants.O_DIRECTORY ?? 0)',
  };
  using built = await buildWith(bug, ['src/adapters/tree/treeFiles.ts']);
  const { openTree: planted } = (await import(built.program('treeFiles').href)) as { readonly openTree: OpenTree };
  expect(await firstEscape(planted, 'read ')).not.toBeNull();
});

planted("a path is looked up first and opened later, as the SDK's tools do", async () => {
  const sdk: OpenTree = (workdir) => ({
    ...openTree(workdir),
    bytes: async (file_path) => Buffer.from(String(await betaReadTool({ workdir }).run({ file_path }))),
    write: async (file_path, content) => String(await betaWriteTool({ workdir }).run({ file_path, content })),
  });
  expect(await firstEscape(sdk, 'read ')).not.toBeNull();
  expect(await firstEscape(sdk, 'write ')).not.toBeNull();
});
