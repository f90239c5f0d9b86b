/**
 * Taken along and back: an export holds all that a workspace has of its work, comes back into another one byte for byte, and nothing
 * of it is ever gone on with, whatever it says. The oracle reads the files of an export and the rows of the state.
 */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { systemClock } from '../../src/adapters/clock.ts';
import { openArtifacts } from '../../src/adapters/files/artifacts.ts';
import { nodeFiles } from '../../src/adapters/files/files.ts';
import { keptAttempts } from '../../src/adapters/files/keptWork.ts';
import { openTranscript } from '../../src/adapters/files/transcripts.ts';
import { loadKey } from '../../src/adapters/log/key.ts';
import { lineSeal } from '../../src/adapters/log/seal.ts';
import { keptBytes } from '../../src/core/job/keptWork.ts';
import { indexFiles, jobFiles } from '../../src/core/workspace/manifest.ts';
import { recordRows } from '../../src/core/workspace/rows.ts';
import type { Store } from '../../src/engine/state/store.ts';
import type { WorkspacePaths } from '../../src/engine/state/workspacePaths.ts';
import { type State, TABLE_NAMES } from '../../src/shared/workspace/state.ts';
import { goldenRun } from '../support/golden/goldenRun.ts';
import { testPrograms, WASM_FILE } from '../support/process/testPrograms.ts';
import { attemptEnded } from '../support/state/fold.ts';
import { planted } from '../support/suite/planted.ts';
import { type Built, buildWith, type PlantedBug } from '../support/suite/plantedBug.ts';
import { amount, figure, SEED } from '../support/suite/proof.ts';
import { anyCharacter, fc } from '../support/suite/property.ts';

/** What is judged: our own modules, or those with a bug. */
interface Program {
  readonly exportTo: typeof import('../../src/app/workspace/record.ts').exportTo;
  readonly importFrom: typeof import('../../src/app/workspace/record.ts').importFrom;
  readonly ownState: typeof import('../../src/app/open/store.ts').ownState;
  readonly lookAtState: typeof import('../../src/app/open/store.ts').lookAtState;
}

const ENTRIES = ['src/app/workspace/record.ts', 'src/app/open/store.ts'];

async function programOf(built: Built): Promise<Program> {
  const [{ exportTo, importFrom }, storage] = (await Promise.all(
    ['record', 'store'].map((name) => import(built.program(name).href)),
  )) as [Program, Program];
  return { exportTo, importFrom, ownState: storage.ownState, lookAtState: storage.lookAtState };
}

let program: Program;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(inject('tempRoot'), 'export-'));
  program = await programOf(await testPrograms(inject('tempRoot')));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const SECRET = 'sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AA';
let made = 0;

/** A workspace of an installation of its own. */
function workspace(): WorkspacePaths {
  made++;
  const at = join(folder, String(made));
  const projectDir = join(at, 'repo');
  mkdirSync(join(projectDir, '.git'), { recursive: true });
  return {
    projectDir,
    stateDir: join(projectDir, '.autonomous'),
    jobsDir: join(at, 'jobs'),
    configDir: join(at, 'config'),
    runtimeDir: join(at, 'run'),
  };
}

const readOnlyOf = (places: WorkspacePaths) => ({ places, clock: systemClock(), wasmFile: WASM_FILE, env: {} });

async function owned<T>(places: WorkspacePaths, use: (store: Store) => Promise<T>): Promise<T> {
  const options = { ...readOnlyOf(places), version: 'test', isShipped: async () => false };
  const store = await program.ownState(options);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function seen(places: WorkspacePaths): Promise<State> {
  const store = await program.lookAtState(readOnlyOf(places));
  await store.close();
  return store.state;
}

/** Everything that can happen has happened in it, and files of every kind lie beside. */
async function richWorkspace(): Promise<WorkspacePaths> {
  const places = workspace();
  await owned(places, async (store) => {
    await goldenRun(store);
    const artifacts = openArtifacts(places.stateDir, nodeFiles);
    const output = await artifacts.put(`all tests pass\nwith ${SECRET}\n`);
    const patch = Buffer.from(`diff --git a/a b/a\n+caf\xe9\n`, 'latin1');
    const step = { tree: 'a'.repeat(40), patch };
    const kept = keptBytes({ attempt: 7, job: 'j4', origin: 'b'.repeat(40), after: null, start: step, work: step });
    const keptHash = await keptAttempts(places.stateDir, nodeFiles).put(7, kept);
    const summary = `It said ${SECRET}.`;
    const of = { id: 7, job_id: 'j4', status: 'failed', cause: 'turns' } as const;
    await store.commit(attemptEnded({ ...of, summary, diff: output, kept: keptHash }));
    const seal = lineSeal(await loadKey(places.configDir, nodeFiles), 'transcript');
    const options = { stateDir: places.stateDir, sessionId: 17, epoch: store.epoch, ops: nodeFiles, seal };
    const transcript = await openTranscript(options);
    await transcript.append({ kind: 'user', text: `Use ${SECRET}` } as never);
    await transcript.append({ kind: 'ended', reason: 'turns', detail: 'too many' } as never);
    await transcript.close();
  });
  return places;
}

/** Every file with its bytes; an archive as one. */
function bytesOf(target: string): ReadonlyMap<string, string> {
  if (target.endsWith('.gz')) return new Map([['.', readFileSync(target, 'latin1')]]);
  const names = readdirSync(target, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    names
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(target.length), readFileSync(path, 'latin1')]),
  );
}

const imported = (places: WorkspacePaths, source: string) =>
  owned(places, (store) => program.importFrom(places, store, source));

/** Export, import elsewhere, export again: what is not as it was. */
async function differences(judge: Program, from: WorkspacePaths, name: string): Promise<string[]> {
  const [first, second] = [join(folder, `a-${name}`), join(folder, `b-${name}`)];
  await judge.exportTo(readOnlyOf(from), first, null);
  const into = workspace();
  await owned(into, (store) => judge.importFrom(into, store, first));
  await judge.exportTo(readOnlyOf(into), second, null);
  const [one, two] = [bytesOf(first), bytesOf(second)];
  return [...new Set([...one.keys(), ...two.keys()])].filter((path) => one.get(path) !== two.get(path));
}

/** Rows of the state that an export does not name: by table. What is authority, and the built-in projects, is none of it. */
function missing(target: string, state: State): string[] {
  return TABLE_NAMES.filter((table) => {
    const text = readFileSync(join(target, 'state', `${table}.json`), 'utf8');
    const ids = new Set((JSON.parse(text) as { id: unknown }[]).map(({ id }) => id));
    return [...state[table].keys()].some((id) => !ids.has(id) && id !== 'default' && id !== 'main');
  });
}

/** What could go on by itself. */
function alive(state: State): string[] {
  const told = (name: string, rows: Iterable<{ id: unknown; status?: unknown }>, live: readonly string[]) =>
    [...rows]
      .filter(({ status }) => live.includes(String(status)))
      .map(({ id, status }) => `${name} ${id} is ${status}`);
  return [
    ...told('job', state.jobs.values(), ['planning', 'running', 'awaiting_steward', 'paused', 'waiting']),
    ...told('phase', state.phases.values(), ['executing', 'reviewing']),
    ...told('attempt', state.attempts.values(), ['running', 'interrupted']),
    ...told('session', state.sessions.values(), ['running']),
    ...told('approval', state.approvals.values(), ['pending']),
    ...told('spend', state.spends.values(), ['reserved']),
    ...told('task', state.tasks.values(), ['PENDING', 'RUNNING', 'PAUSED']),
    ...told(
      'project',
      [...state.projects.values()].filter(({ id }) => id !== 'default'),
      ['active', 'suspended'],
    ),
    ...[...state.schedules.values()].filter(({ enabled }) => enabled).map(({ id }) => `schedule ${id} is on`),
    ...[...state.jobs.values()]
      .filter((row) => row.job_dir !== '' || row.clone_dir !== null)
      .map(({ id }) => `job ${id} names a folder`),
    ...[...state.notes.values()]
      .filter((row) => row.feature_id === null && row.superseded_by === null)
      .map(({ id }) => `note ${id} is told to all`),
    ...[...state.jobs.keys()]
      .flatMap((id) => [...jobFiles(state, id), ...indexFiles(state)])
      .map(({ path }) => `${path} would be written`),
  ];
}

/** An export whose rows say that everything is under way: its manifest is right, so only the import itself can refuse it. */
function hostile(from: string, name: string): string {
  const target = join(folder, name);
  cpSync(from, target, { recursive: true });
  const change = (table: string, more: object): void => {
    const file = join(target, 'state', `${table}.json`);
    const rows = (JSON.parse(readFileSync(file, 'utf8')) as object[]).map((row) => ({ ...row, ...more }));
    writeFileSync(file, JSON.stringify(rows));
  };
  change('jobs', { status: 'running', job_dir: '/somewhere/else', clone_dir: '/somewhere/else/work', ended_at: null });
  change('attempts', { status: 'interrupted', ended_at: null });
  change('sessions', { status: 'running', ended_at: null });
  change('approvals', { status: 'pending' });
  change('tasks', { status: 'RUNNING', ended_at: null });
  change('projects', {
    status: 'active',
    trusted_workdir: '/',
    workdir: '/',
    heartbeat: { minutes: 1, prompt: 'Go on' },
  });
  change('schedules', { enabled: true });
  change('notes', { superseded_by: null });
  sealManifest(target);
  return target;
}

function sealManifest(target: string): void {
  const file = join(target, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as {
    files: { path: string; sha256: string; bytes: number }[];
  };
  for (const entry of manifest.files) {
    const data = readFileSync(join(target, entry.path));
    entry.sha256 = createHash('sha256').update(data).digest('hex');
    entry.bytes = data.length;
  }
  writeFileSync(file, JSON.stringify(manifest));
}

async function aliveAfterHostile(judge: Program, from: WorkspacePaths, name: string): Promise<string[]> {
  const plain = join(folder, `plain-${name}`);
  await program.exportTo(readOnlyOf(from), plain, null);
  const into = workspace();
  await owned(into, (store) => judge.importFrom(into, store, hostile(plain, `hostile-${name}`)));
  return alive(await seen(into));
}

describe('an export', () => {
  test('has every row and file of a rich workspace, comes back byte for byte, folder and archive, and no secret', async () => {
    const from = await richWorkspace();
    expect(await differences(program, from, 'folder')).toEqual([]);
    expect(await differences(program, from, 'archive.tar.gz')).toEqual([]);
    const target = join(folder, 'a-folder');
    expect(missing(target, await seen(from))).toEqual([]);
    const files = bytesOf(target);
    expect([...files].filter(([, text]) => text.includes(SECRET.slice(14))).map(([path]) => path)).toEqual([]);
    expect(files.get('/attempts/7.patch')).toContain('+caf\xe9');
    expect(files.get('/sessions/17.md')).toContain('[secret:');
    expect(files.get('/jobs/j1.md')).toContain('Write a stack.');
    expect(files.get('/tasks/t1.md')).toContain('Know the market');
    expect(files.get('/projects/research.md')).toContain('Message 1');
    figure({
      method: 'item 7',
      what: 'files of an export that came back byte for byte',
      value: files.size,
      unit: '',
      aim: null,
    });
  });

  test(`of arbitrary rows comes back byte for byte; seed ${SEED}`, async () => {
    const numRuns = amount({ short: 2, long: 200 });
    const golden = await seen(await richWorkspace());
    const words = fc.array(fc.string({ unit: anyCharacter, maxLength: 30 }), { minLength: 1, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(words, async (texts) => {
        const state = withTexts(golden, texts);
        const from = workspace();
        await owned(from, (store) =>
          store.commit({ type: 'record_imported', source: 'x', rows: recordRows(state, null) }),
        );
        expect(await differences(program, from, `random-${made}`)).toEqual([]);
      }),
      { numRuns, endOnFailure: true },
    );
    figure({
      method: 'item 7',
      what: 'arbitrary workspaces exported, imported and exported alike',
      value: numRuns,
      unit: '',
      aim: null,
    });
  });

  test('comes back with nothing in it that could go on, even when it says that all of it is under way', async () => {
    expect(await aliveAfterHostile(program, await richWorkspace(), 'plain')).toEqual([]);
  });

  test('that was changed, is of a newer format, has a link or more files, or goes where something is, is refused', async () => {
    const from = await richWorkspace();
    const good = join(folder, 'good');
    await program.exportTo(readOnlyOf(from), good, null);
    const tampered = (name: string, change: (target: string) => void): string => {
      const target = join(folder, name);
      cpSync(good, target, { recursive: true });
      change(target);
      return target;
    };
    const newer = (target: string): void => {
      const file = join(target, 'manifest.json');
      writeFileSync(file, readFileSync(file, 'utf8').replace('"format": 1', '"format": 2'));
    };
    const cases: readonly (readonly [string, RegExp])[] = [
      [
        tampered('changed', (at) => writeFileSync(join(at, 'state', 'jobs.json'), '[]')),
        /state\/jobs\.json was changed since/,
      ],
      [tampered('newer', newer), /format 2, and this version reads 1/],
      [
        tampered('more', (at) => writeFileSync(join(at, 'state', 'more.json'), '[]')),
        /does not name "state\/more\.json"/,
      ],
      [tampered('less', (at) => rmSync(join(at, 'README.md'))), /"README\.md" is missing/],
      [tampered('none', (at) => rmSync(join(at, 'manifest.json'))), /no manifest\.json/],
      [join(folder, 'nowhere'), /there is no /],
    ];
    for (const [source, message] of cases) await expect(imported(workspace(), source)).rejects.toThrow(message);
    await expect(imported(from, good)).rejects.toThrow(/this workspace has messages already/);
    await expect(program.exportTo(readOnlyOf(from), good, null)).rejects.toThrow(/already/);
    const into = workspace();
    await expect(imported(into, cases[0]?.[0] ?? '')).rejects.toThrow();
    expect((await seen(into)).jobs.size).toBe(0);
  });
});

/** Fields that hold what people and models say. */
const WORDS =
  /^(?:title|brief|text|question|detail|feedback|reason|summary|description|objective|content|body|cause|error|model)$/;

/** The same rows with other words in them, and some rows less. */
function withTexts(state: State, texts: readonly string[]): State {
  let nth = 0;
  const said = (value: unknown): unknown => {
    if (typeof value !== 'string') return value;
    nth++;
    return `${value}${texts[nth % texts.length]}`;
  };
  const reworded = TABLE_NAMES.map((table) => {
    const rows = [...(state[table] as Map<unknown, { id: unknown }>).values()];
    const left = rows.filter((_, at) => (at + texts.length) % 5 !== 0);
    const changed = left.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, WORDS.test(name) ? said(value) : value])),
    );
    return [table, new Map(changed.map((row) => [row['id'], row]))];
  });
  return { ...state, ...Object.fromEntries(reworded) } as State;
}

const DROPPED: PlantedBug = {
  file: 'src/core/workspace/rows.ts',
  find: 'task_logs: rows.task_logs,',
  put: 'task_logs: [],',
};
const OBEYS: PlantedBug = {
  file: 'src/core/workspace/reduceWorkspace.ts',
  find: 'const rows = ended(completed(event.rows));',
  put: 'const rows = completed(event.rows);',
};
const LEAKS: PlantedBug = {
  file: 'src/engine/workspace/record/exportRecord.ts',
  find: 'const entries = dataWithoutSecrets(await ports.transcript(id), clean, EXACT);',
  put: 'const entries = await ports.transcript(id);',
};

planted('an export that drops a table', async () => {
  using wrong = await buildWith(DROPPED, ENTRIES);
  const from = await richWorkspace();
  const target = join(folder, 'dropped');
  await (await programOf(wrong)).exportTo(readOnlyOf(from), target, null);
  expect(missing(target, await seen(from))).toEqual(['task_logs']);
});

planted('an import that obeys', async () => {
  using wrong = await buildWith(OBEYS, ENTRIES);
  const judge = await programOf(wrong);
  const from = await richWorkspace();
  const before = program;
  program = judge;
  try {
    expect(await aliveAfterHostile(judge, from, 'obeys')).not.toEqual([]);
  } finally {
    program = before;
  }
});

planted('a transcript that keeps its secrets', async () => {
  using wrong = await buildWith(LEAKS, ENTRIES);
  const target = join(folder, 'leaks');
  await (await programOf(wrong)).exportTo(readOnlyOf(await richWorkspace()), target, null);
  expect([...bytesOf(target).values()].some((text) => text.includes(SECRET.slice(14)))).toBe(true);
});
