/** T9: what is removed is the link and never what it leads to, nor is anything written through one on the way. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeFiles } from '../../src/adapters/files/files.ts';
import { memoryFiles } from '../../src/adapters/files/memoryFiles.ts';
import * as removal from '../../src/adapters/shell/removeTree.ts';
import * as homeFiles from '../../src/adapters/shell/sandbox/homeFiles.ts';
import { openPrivateFolders } from '../../src/adapters/shell/sandbox/privateFolders.ts';
import { LinkedTree } from '../support/hostilePaths/linkedTree.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith } from '../support/suite/plantedBug.ts';
import { figure } from '../support/suite/proof.ts';

type Judged = Pick<typeof removal, 'removeTree' | 'removeLargeTree'> &
  Pick<typeof homeFiles, 'putHomeFiles' | 'removeLeftSecrets'>;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ad-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ENTRIES = [
  '',
  'out-dir',
  'out-link',
  'out-up',
  'dangling-dir',
  'loop',
  'hard',
  'fifo',
  'sub',
  'sub/out-dir',
  'back',
  'to-state',
];
const BELOW_LINKS = [
  'out-dir/secret.txt',
  'out-dir/new.txt',
  'sub/out-dir/deep/new.txt',
  'out-link',
  'out-up/outside/new.txt',
  'hard',
];

/** Everything that removes, or clears the way, as a function of an entry of the tree. */
function removersOf(
  world: LinkedTree,
  { removeTree, removeLargeTree, putHomeFiles, removeLeftSecrets }: Judged,
): [name: string, entries: readonly string[], remove: (entry: string) => unknown][] {
  const { tree, root } = world;
  const memory = memoryFiles(tree, nodeFiles);
  const notes = join(root, 'real', 'tree', 'notes');
  const put = (path: string, secret: boolean) => putHomeFiles(tree, [{ path, content: 'ours', secret }], notes);
  return [
    ['a tree', ENTRIES, (entry) => removeTree(join(tree, entry))],
    ['a large tree', ENTRIES, (entry) => removeLargeTree(join(tree, entry))],
    ['a memory', ENTRIES.slice(1), (entry) => memory.remove(entry)],
    ['files of a home', BELOW_LINKS, (path) => put(path, false)],
    ['secrets of a home', BELOW_LINKS, (path) => put(path, true)()],
    [
      'secrets that were left',
      BELOW_LINKS,
      (path) => {
        mkdirSync(notes);
        writeFileSync(join(notes, 'tree'), path);
        removeLeftSecrets(join(root, 'real'), notes);
      },
    ],
    [
      'the folders of a command',
      BELOW_LINKS.slice(0, 1),
      async () => {
        const folders = openPrivateFolders(join(tree, 'private')).forCommand(tree, 'agent');
        symlinkSync(world.outside, join(folders.tmp, 'out'));
        symlinkSync(world.outside, join(folders.run, 'out'));
        await folders.remove();
      },
    ],
  ];
}

/** What crossed a link. `first`: the first one is enough. */
async function crossed(judged: Judged, first = false): Promise<{ readonly tried: number; readonly by: string[] }> {
  const by: string[] = [];
  let tried = 0;
  await using world = new LinkedTree(folder);
  for (const [name, entries, remove] of removersOf(world, judged)) {
    for (const entry of entries) {
      world.grow();
      const before = world.surroundings();
      try {
        await remove(entry);
      } catch (thrown) {
        // Refused is as good as done, when nothing else happened.
        if (!(thrown instanceof Error)) throw thrown;
      }
      tried++;
      if (world.surroundings() === before) continue;
      by.push(`${name}: ${entry}`);
      if (first) return { tried, by };
    }
  }
  return { tried, by };
}

const OURS: Judged = { ...removal, ...homeFiles };

test('nothing that is removed or put away crosses a link', async () => {
  const { tried, by } = await crossed(OURS);
  figure({ method: 'T9', what: 'deletions in trees of links', value: tried, unit: '', aim: { atLeast: 50 } });
  figure({ method: 'T9', what: 'deletions that crossed a link', value: by.length, unit: '', aim: { atMost: 0 } });
  expect(by).toEqual([]);
});

const NODE_FS = "process.getBuiltinModule('node:fs')";

planted('a deletion follows a link', async () => {
  const bug = {
    file: 'src/adapters/shell/removeTree.ts',
    find: 'export function removeTree(path: string): void {\n  try {\n',
    put: `export function removeTree(path: string): void {\n  try {\n    path = ${NODE_FS}.realpathSync(path);\n`,
  };
  using built = await buildWith(bug, ['src/adapters/shell/removeTree.ts']);
  const planted = (await import(built.program('removeTree').href)) as typeof removal;
  expect((await crossed({ ...OURS, ...planted }, true)).by).toEqual(['a tree: out-dir']);
});

planted('a link to a folder counts as a folder', async () => {
  const find = 'return lstatSync(path, ';
  const bug = { file: 'src/adapters/shell/removeTree.ts', find, put: `return ${NODE_FS}.statSync(path, ` };
  using built = await buildWith(bug, ['src/adapters/shell/sandbox/homeFiles.ts']);
  const planted = (await import(built.program('homeFiles').href)) as typeof homeFiles;
  expect((await crossed({ ...OURS, ...planted }, true)).by).toEqual(['files of a home: out-dir/secret.txt']);
});
