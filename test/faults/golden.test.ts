/**
 * Logs of every release are read by every later one, and come to the same rows; what a newer release wrote is shown and never
 * written to. GOLDEN=write writes the log of this version anew: only while it is not released.
 */
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { systemClock } from '../../src/adapters/clock.ts';
import { nodeFiles } from '../../src/adapters/files/files.ts';
import { openEventLog } from '../../src/adapters/log/eventLog.ts';
import { lineSeal } from '../../src/adapters/log/seal.ts';
import { lookAtState } from '../../src/app/open/store.ts';
import { becomeOwner } from '../../src/app/owner/owner.ts';
import { EVENT_TYPES, reduce } from '../../src/core/workspace/reduce.ts';
import { openStore } from '../../src/engine/state/openStore.ts';
import type { Store } from '../../src/engine/state/store.ts';
import type { Clock } from '../../src/shared/clock.ts';
import { type State, TABLE_NAMES } from '../../src/shared/workspace/state.ts';
import { snapshotOf } from '../support/git/snapshotOf.ts';
import { goldenRun } from '../support/golden/goldenRun.ts';
import { WASM_FILE } from '../support/process/testPrograms.ts';
import { planted } from '../support/suite/planted.ts';
import { figure } from '../support/suite/proof.ts';
import { FakeClock } from '../support/time/fakeClock.ts';

const FOLDER = fileURLToPath(new URL('../fixtures/golden', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
/** Of the golden logs alone. */
const KEY = Buffer.alloc(32, 7);

const sealOf = () => lineSeal(KEY, 'events');

async function opened(stateDir: string): Promise<Store> {
  let now = Date.UTC(2026, 10, 2, 12);
  const clock: Clock = {
    now: () => {
      now += 1_000;
      return now;
    },
    monotonic: () => 0,
    sleep: () => Promise.resolve(),
    timer: () => () => undefined,
  };
  return openStore({
    log: await openEventLog({ stateDir, ops: nodeFiles, seal: sealOf() }),
    projection: null,
    reduce,
    eventTypes: EVENT_TYPES,
    clock,
    owner: { pid: 1, version },
  });
}

/** Rows and facts as a fixture has them, one row a line. */
function rowsText(state: State): string {
  const tables = TABLE_NAMES.map((table) => {
    const rows = [...(state[table] as Map<unknown, unknown>).values()].map((row) => `  ${JSON.stringify(row)}`);
    return `${JSON.stringify(table)}: [\n${rows.join(',\n')}\n]`;
  });
  return `{\n${tables.join(',\n')},\n"meta": ${JSON.stringify(state.meta)}\n}\n`;
}

/** What the fixture says, where a later release may have added fields: those are not judged. */
function asOf(release: Readonly<Record<string, unknown>>, state: State): unknown {
  const like = (told: unknown, found: unknown): unknown => {
    if (Array.isArray(told) && Array.isArray(found))
      return found.map((value, at) => (at in told ? like(told[at], value) : value));
    if (
      typeof told !== 'object' ||
      told === null ||
      typeof found !== 'object' ||
      found === null ||
      Array.isArray(found)
    )
      return found;
    const fields = found as Readonly<Record<string, unknown>>;
    return Object.fromEntries(Object.entries(told).map(([name, value]) => [name, like(value, fields[name])]));
  };
  return like(release, JSON.parse(rowsText(state)) as unknown);
}

async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(inject('tempRoot'), 'golden-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function written(): Promise<void> {
  await withFolder(async (folder) => {
    const stateDir = join(folder, '.autonomous');
    const store = await opened(stateDir);
    await goldenRun(store);
    await store.close();
    const into = join(FOLDER, version);
    rmSync(into, { recursive: true, force: true });
    mkdirSync(into, { recursive: true });
    cpSync(join(stateDir, 'events'), join(into, 'events'), { recursive: true });
    writeFileSync(join(into, 'rows.json'), rowsText(store.state));
  });
}

beforeAll(async () => {
  if (process.env['GOLDEN'] === 'write') await written();
});

const releases = () => readdirSync(FOLDER).sort();

/** A copy of a release's log, to be opened. */
function copied(release: string, folder: string): string {
  const stateDir = join(folder, '.autonomous');
  mkdirSync(join(stateDir, 'epoch'), { recursive: true });
  writeFileSync(join(stateDir, 'epoch', '1'), '');
  cpSync(join(FOLDER, release, 'events'), join(stateDir, 'events'), { recursive: true });
  return stateDir;
}

type Rows = Readonly<Record<string, unknown>>;

/** What is not as the fixture says, for a fold of events. */
async function judged(release: string, fold: typeof reduce = reduce): Promise<string[]> {
  return withFolder(async (folder) => {
    const stateDir = copied(release, folder);
    const log = await openEventLog({ stateDir, ops: nodeFiles, seal: sealOf() });
    const store = await openStore({
      log,
      projection: null,
      reduce: fold,
      eventTypes: EVENT_TYPES,
      clock: new FakeClock(),
      owner: null,
    });
    await store.close();
    const told = JSON.parse(readFileSync(join(FOLDER, release, 'rows.json'), 'utf8')) as Rows;
    const found = asOf(told, store.state) as Rows;
    return [
      ...(store.origin === 'own' ? [] : [`its origin is ${store.origin}`]),
      ...store.problems.map(({ file, what }) => `${file}: ${what}`),
      ...Object.keys(told).filter((table) => JSON.stringify(told[table]) !== JSON.stringify(found[table])),
    ];
  });
}

describe('golden logs', () => {
  test('of every release are read, without a problem, and come to the rows that they came to', async () => {
    let lines = 0;
    for (const release of releases()) {
      expect(await judged(release), `${release}: GOLDEN=write is only for a version that is not released`).toEqual([]);
      lines += eventsOf(release).length;
    }
    figure({ method: 'T17', what: 'events of golden logs replayed', value: lines, unit: '', aim: null });
  });

  test('of this version have every type of event', () => {
    const there = new Set(eventsOf(version).map(({ type }) => type));
    expect(EVENT_TYPES.filter((type) => !there.has(type))).toEqual([]);
  });

  planted('a reducer that means something else by an old event', async () => {
    const other: typeof reduce = (state, event) =>
      reduce(state, event.type === 'call_settled' ? { ...event, micro_usd: event.micro_usd + 1 } : event);
    expect(await judged(version, other)).toContain('spends');
  });
});

function eventsOf(release: string): { readonly type: string; readonly seq: number }[] {
  const folder = join(FOLDER, release, 'events');
  const lines = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean),
  );
  return lines.flatMap((line) => {
    const value = JSON.parse(line) as { type?: string; seq: number };
    return value.type === undefined ? [] : [{ type: value.type, seq: value.seq }];
  });
}

function lastLine(file: string): { readonly seq: number; readonly epoch: number; readonly mac: string } {
  return JSON.parse(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '') as ReturnType<typeof lastLine>;
}

/** What a later release could have written, sealed by the same installation. */
const NEWER: Readonly<Record<string, (stateDir: string) => void>> = {
  'an event that this one does not know': (stateDir) => {
    const file = join(stateDir, 'events', '1-1.jsonl');
    const last = lastLine(file);
    const event = {
      type: 'job_dreamed',
      job_id: 'j1',
      seq: last.seq + 1,
      epoch: last.epoch,
      at: '2027-01-01T00:00:00.000Z',
    };
    const { line } = sealOf().seal(JSON.stringify({ ...event, prev: last.mac.slice(0, 16) }));
    appendFileSync(file, `${line}\n`);
  },
  'another form of segments': (stateDir) => {
    const { epoch, seq, mac } = lastLine(join(stateDir, 'events', '1-1.jsonl'));
    const header = { v: 2, epoch: 2, n: 1, after: { epoch, seq, mac }, more: true };
    writeFileSync(join(stateDir, 'epoch', '2'), '');
    writeFileSync(join(stateDir, 'events', '2-1.jsonl'), `${sealOf().seal(JSON.stringify(header)).line}\n`);
  },
};

describe('state that a newer release wrote', () => {
  test.each(Object.entries(NEWER))('%s: is shown, said, and never written to', async (_name, write) => {
    await withFolder(async (folder) => {
      const repo = join(folder, 'repo');
      mkdirSync(join(repo, '.git'), { recursive: true });
      const stateDir = copied(version, repo);
      write(stateDir);
      const configDir = join(folder, 'config');
      mkdirSync(configDir);
      writeFileSync(join(configDir, 'state.key'), KEY, { mode: 0o600 });
      const places = {
        projectDir: repo,
        stateDir,
        jobsDir: join(folder, 'jobs'),
        configDir,
        runtimeDir: join(folder, 'run'),
      };
      const before = JSON.stringify(snapshotOf(stateDir));
      const options = { places, clock: systemClock(), wasmFile: WASM_FILE };
      const seen = await lookAtState(options);
      expect(seen.origin).toBe('newer');
      expect(seen.state.jobs.get('j1')?.status).toBe('completed');
      const owner = becomeOwner({
        ...options,
        version,
        credentials: { key: () => null, baseUrl: null },
        workerScript: new URL('file:///none'),
        work: false,
        delayMs: null,
        env: process.env,
      });
      await expect(owner).rejects.toMatchObject({
        code: 'STATE_NEWER',
        message: 'the state in .autonomous was written by a newer version of Autonomous',
        hint: 'It can be looked at with `autonomous board`. To continue it, update Autonomous.',
      });
      await expect(seen.commit({ type: 'job_woken', job_id: 'j4' })).rejects.toMatchObject({ code: 'STATE_NEWER' });
      await seen.close();
      expect(JSON.stringify(snapshotOf(stateDir))).toBe(before);
    });
  });
});
