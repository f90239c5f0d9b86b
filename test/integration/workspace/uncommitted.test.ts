/** A client of an owner that has written a line and not committed it: it counts when the owner says so, and never when the disk refused it. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/adapters/clock.ts';
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import { makeRuntimeDir } from '../../../src/adapters/ipc/ownFolder.ts';
import { type Listening, listen } from '../../../src/adapters/ipc/server.ts';
import { loadKey } from '../../../src/adapters/log/key.ts';
import { becomeClient } from '../../../src/app/open/client.ts';
import { COMMITTED } from '../../../src/engine/state/api.ts';
import type { Store } from '../../../src/engine/state/store.ts';
import type { AppendFile, FileOps } from '../../../src/engine/state/storePorts.ts';
import type { WorkspacePaths } from '../../../src/engine/state/workspacePaths.ts';
import { WASM_FILE } from '../../support/process/testPrograms.ts';
import { addProject } from '../../support/state/memoryStore.ts';
import { open, type StateFolder, stateFolder } from '../../support/state/stateFolder.ts';
import { workspacePathsOf } from '../../support/state/testPaths.ts';

const clock = systemClock();
let folder: StateFolder;
let places: WorkspacePaths;
let store: Store;
let listening: Listening;
/** While a write is held: called when its bytes are in the file, and what it waits for then. */
let held: { readonly written: () => void; readonly go: Promise<void> } | null;

const holding = (file: AppendFile): AppendFile => ({
  ...file,
  sync: async () => {
    held?.written();
    await held?.go;
    return file.sync();
  },
});
const ops: FileOps = {
  ...nodeFiles,
  openNew: async (path) => {
    const file = await nodeFiles.openNew(path);
    return file && holding(file);
  },
};

beforeEach(async () => {
  folder = stateFolder();
  places = workspacePathsOf(folder.root, folder.root);
  await makeRuntimeDir(places.runtimeDir);
  held = null;
  store = await open(folder, { ops, key: await loadKey(places.configDir, nodeFiles) });
  await addProject(store, 'first');
});
afterEach(async () => {
  await store.close();
  await listening.close();
  folder[Symbol.dispose]();
});

/** As an owner does. */
async function serve(functions: Parameters<typeof listen>[0]['functions']): Promise<void> {
  const { runtimeDir, stateDir } = places;
  listening = await listen({ runtimeDir, stateDir, functions, clock });
  await listening.open({ isOwner: async () => true, problem: () => undefined });
  store.subscribe((event) => listening.publish('event', event));
}

async function connected() {
  const client = await becomeClient({ places, clock, wasmFile: WASM_FILE });
  const told: string[] = [];
  client.follow({ event: ({ type }) => told.push(type) });
  return { client, told, projects: () => [...client.state.projects.keys()] };
}

/** Begins to make a project whose line is written and waits for the disk. */
async function halfMade(name: string) {
  const written = Promise.withResolvers<void>();
  const { promise: go, resolve, reject } = Promise.withResolvers<void>();
  held = { written: written.resolve, go };
  const made = addProject(store, name).then(
    () => 'made',
    (thrown: unknown) => String(thrown),
  );
  await written.promise;
  held = null;
  return { made, goOn: resolve, fail: reject };
}

const served = { [COMMITTED]: async () => store.state.meta.last_seq };

test('a line that is on its way to the disk counts once it is there, and is told', async () => {
  await serve(served);
  const { made, goOn } = await halfMade('second');
  const { client, told, projects } = await connected();
  expect(projects()).toEqual(['first']);
  expect(client.state.meta.last_seq).toBe(store.state.meta.last_seq);
  goOn();
  expect(await made).toBe('made');
  await expect.poll(projects).toEqual(['first', 'second']);
  expect(told).toEqual(['project_created']);
  await client.close();
});

test('a line that the disk refused never counts, and the one that comes in its place does', async () => {
  await serve(served);
  const { made, fail } = await halfMade('second');
  const { client, told, projects } = await connected();
  fail(Object.assign(new Error('EIO: sync'), { code: 'EIO' }));
  expect(await made).toContain('EIO');
  await addProject(store, 'third');
  await expect.poll(projects).toEqual(['first', 'third']);
  expect(client.state).toEqual(store.state);
  expect(told).toEqual(['project_created']);
  await client.close();
});

test('an owner that cannot say how far it is is of an older version, and is not followed', async () => {
  await serve({});
  await expect(connected()).rejects.toMatchObject({
    code: 'OWNER_BUSY',
    message: expect.stringContaining('older version'),
  });
});
