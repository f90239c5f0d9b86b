/**
 * Projects side by side, in real worker threads: memory of one that has nothing to do, sixteen at work against one, what the death of
 * one means to the rest, and how soon a suspended one with a long conversation is there again.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../src/adapters/clock.ts';
import { openConversation } from '../src/adapters/files/conversationFile.ts';
import { nodeFiles } from '../src/adapters/files/files.ts';
import { loadKey } from '../src/adapters/log/key.ts';
import { lineSeal } from '../src/adapters/log/seal.ts';
import type { Owner } from '../src/app/owner/assemble.ts';
import { becomeOwner } from '../src/app/owner/owner.ts';
import type { OwnerOptions } from '../src/app/owner/ownerOptions.ts';
import type { SpendRow } from '../src/shared/money.ts';
import type { Fault } from '../test/support/crash/faultyWorker.ts';
import { testPrograms, WASM_FILE } from '../test/support/process/testPrograms.ts';
import { median, round, show } from './table.ts';
import { benchWorld } from './world.ts';

const MANY = 16;
const CALL_MS = 2_000;
const MESSAGES = 3;
const ROUNDS = 5;
const LONG_BYTES = 50 * 1024 * 1024;
const MB = 1024 * 1024;

/** Of the monotonic clock, ms. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const temp = mkdtempSync(join(tmpdir(), 'autonomous-bench-projects-'));
const { worker } = await testPrograms(temp);
const clock = systemClock();

const worldOf = () => benchWorld({ 'README.md': 'A program.\n' }, ['git', 'sh']);

const optionsOf = ({ places, env }: ReturnType<typeof worldOf>): OwnerOptions => ({
  places,
  clock,
  version: 'bench',
  credentials: { key: () => null, baseUrl: null },
  workerScript: worker,
  wasmFile: WASM_FILE,
  work: true,
  delayMs: 0,
  env,
});

async function open(given: Partial<OwnerOptions> = {}): Promise<{ owner: Owner; close: () => Promise<void> }> {
  const world = worldOf();
  const owner = await becomeOwner({
    ...optionsOf(world),
    env: { ...world.env, ...given.env },
    ...(given.workerScript === undefined ? {} : { workerScript: given.workerScript }),
    ...(given.threadMb === undefined ? {} : { threadMb: given.threadMb }),
    ...(given.delayMs === undefined ? {} : { delayMs: given.delayMs, concurrency: MANY }),
  });
  const close = async (): Promise<void> => {
    await owner.close();
    rmSync(world.folder, { recursive: true, force: true });
  };
  return { owner, close };
}

const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `project-${at + 1}`);

const create = (owner: Owner, name: string): Promise<unknown> =>
  owner.request('createProject', { name, provider: 'simulated', body: 'Answer what is asked.' });

/** Resolves when it holds, looked at after each event. */
function until(owner: Owner, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = owner.follow({
      event: () => {
        if (!holds()) return;
        stop();
        resolve();
      },
    });
    if (holds()) {
      stop();
      resolve();
    }
  });
}

const settledCalls = (owner: Owner): SpendRow[] =>
  [...owner.state.spends.values()].filter((row) => row.status === 'settled');

/** Says it, and waits for the whole answer. */
async function ask(owner: Owner, project: string): Promise<void> {
  const { messageId } = await owner.request('sendMessage', { project, text: 'How are things?' });
  await until(owner, () => {
    const said = owner.state.messages.get(messageId);
    if (said === undefined || said.read_at === null) return false;
    const last = [...owner.state.spends.values()].findLast((row) => row.project_id === project);
    return last?.status === 'settled' && last.tool_calls === 0 && last.at >= said.read_at;
  });
}

function residentMb(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss() / MB;
}

async function memory(): Promise<void> {
  const { owner, close } = await open();
  const [first = '', ...rest] = names(MANY);
  await create(owner, first);
  await wait(1_500);
  const one = residentMb();
  for (const name of rest) await create(owner, name);
  await wait(3_000);
  const all = residentMb();
  await ask(owner, first);
  await wait(500);
  const loaded = residentMb();
  show(
    'Resident memory of this process, MB',
    ['projects', 'RSS', 'each beyond the first', 'aim'],
    [
      ['1 idle', round(one), '', ''],
      [`${MANY} idle`, round(all), round((all - one) / (MANY - 1)), '<= 25'],
      [`${MANY} idle, 1 of them answered`, round(loaded), round(loaded - all), ''],
    ],
  );
  await close();
}

/** Calls a second when so many projects answer message after message. */
async function throughput(count: number): Promise<number> {
  const { owner, close } = await open({ delayMs: CALL_MS });
  const all = names(count);
  for (const name of all) await create(owner, name);
  // Each loads its libraries with the first.
  await Promise.all(all.map((name) => ask(owner, name)));
  const before = settledCalls(owner).length;
  const start = performance.now();
  await Promise.all(
    all.map(async (name) => {
      for (let message = 0; message < MESSAGES; message++) await ask(owner, name);
    }),
  );
  const rate = (settledCalls(owner).length - before) / ((performance.now() - start) / 1_000);
  await close();
  return rate;
}

async function sideBySide(): Promise<void> {
  const one = await throughput(1);
  const many = await throughput(MANY);
  show(
    `Model calls a second, ${CALL_MS / 1_000} s each, ${MANY} at once, ${MESSAGES} messages to each project after a first one`,
    ['projects', 'calls/s', 'times one', 'aim'],
    [
      [1, round(one, 2), 1, ''],
      [MANY, round(many, 2), round(many / one), '>= 14'],
    ],
  );
}

/** The longest that the owner was held: what a death costs the others, whose threads are their own. */
async function deaths(): Promise<void> {
  const faults = join(temp, 'faults');
  mkdirSync(faults);
  const { owner, close } = await open({
    workerScript: new URL('../test/support/crash/faultyWorker.ts', import.meta.url),
    env: { FAULTS: faults, WORKER: worker.href },
    threadMb: 256,
  });
  await create(owner, 'steady');
  await ask(owner, 'steady');
  const told = (): number => [...owner.state.messages.values()].filter((row) => row.sender === 'engine').length;

  /** One more project, whose first thread ends so: what the owner and the other one's answers took while it ended. */
  async function oneDeath(fault: Fault | 'none', name: string): Promise<readonly [number, number]> {
    const before = told();
    if (fault !== 'none') writeFileSync(join(faults, name), fault satisfies Fault);
    const holds: Span[] = [];
    let last = performance.now();
    const ticks = setInterval(() => {
      const now = performance.now();
      holds.push({ from: last, to: now });
      last = now;
    }, 5);
    await create(owner, name);
    const died = fault === 'none' ? wait(500) : until(owner, () => told() > before);
    let at = Number.POSITIVE_INFINITY;
    const over = died.then(async () => {
      at = performance.now();
      await wait(1_000);
    });
    const answers: Span[] = [];
    while (performance.now() < at + 1_000) {
      const from = performance.now();
      await ask(owner, 'steady');
      answers.push({ from, to: performance.now() });
    }
    await over;
    clearInterval(ticks);
    await owner.request('suspendProject', { project: name });
    const longest = (spans: readonly Span[]): number =>
      Math.max(...spans.filter(({ from, to }) => to > at - 300 && from < at + 300).map(({ from, to }) => to - from));
    return [longest(answers), longest(holds)];
  }

  const rows: (readonly [string, number, number])[] = [];
  for (const fault of ['none', 'throws', 'exits', 'eats memory'] as const) {
    const rounds: (readonly [number, number])[] = [];
    for (let nth = 0; nth < ROUNDS; nth++) rounds.push(await oneDeath(fault, `dies-${rows.length}-${nth}`));
    rows.push([fault, round(median(rounds.map(([at]) => at))), round(median(rounds.map(([, at]) => at)))]);
  }
  show(
    `Within 300 ms of the death of one project, another one being asked without pause, ms, median of ${ROUNDS} (aim: at most 50 more than with none)`,
    ['death', 'slowest answer of the other', 'longest hold of the owner'],
    rows,
  );
  await close();
}

async function longConversation(): Promise<void> {
  const world = worldOf();
  const { folder, places } = world;
  const options = optionsOf(world);
  const owner = await becomeOwner(options);
  await create(owner, 'long');
  await ask(owner, 'long');
  await owner.request('suspendProject', { project: 'long' });
  await wait(500);
  const seal = lineSeal(await loadKey(places.configDir, nodeFiles), 'transcript');
  const journal = await openConversation({
    folder: join(places.stateDir, 'projects', 'long', 'session'),
    projectId: 'long',
    epoch: 1,
    ops: nodeFiles,
    seal,
    clock,
  });
  const say = (text: string) => ({ kind: 'user' as const, text });
  for (let written = 0; written < LONG_BYTES; written += 256 * 1024) await journal.append(say('x'.repeat(256 * 1024)));
  const summary = { role: 'user', content: [{ type: 'text', text: 'What was said before.' }] };
  await journal.append({ kind: 'compacted', messages: [summary], upTo: journal.heldUpTo, atRest: true });
  await journal.close();
  const { messageId } = await owner.request('sendMessage', { project: 'long', text: 'Are you there?' });
  const start = performance.now();
  const cpu = process.cpuUsage();
  await owner.request('resumeProject', { project: 'long' });
  await until(owner, () => owner.state.messages.get(messageId)?.read_at !== null);
  const { user, system } = process.cpuUsage(cpu);
  show(
    'A suspended project with a conversation of 50 MB: from its resumption until it holds the next message, ms',
    ['time', 'of it processor, all threads', 'aim'],
    [[round(performance.now() - start), round((user + system) / 1_000), '<= 1000']],
  );
  await owner.close();
  rmSync(folder, { recursive: true, force: true });
}

console.log(
  `load average: ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')} on ${availableParallelism()} processors`,
);
const PARTS = { memory, sideBySide, deaths, longConversation };
const chosen = process.argv.slice(2);
for (const [name, part] of Object.entries(PARTS)) if (chosen.length === 0 || chosen.includes(name)) await part();
rmSync(temp, { recursive: true, force: true });
