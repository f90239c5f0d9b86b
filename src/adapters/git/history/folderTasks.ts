/** Reads tasks for an eval from a folder: each subfolder with a `brief.md` is one. */
import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { titleOf } from '../../../core/eval/qualify.ts';
import { isFields, parseJson } from '../../../core/text/json.ts';
import { withLf } from '../../../core/text/lineEnds.ts';
import type { Candidate, EvalTask, TaskTrees } from '../../../engine/eval/ports.ts';
import { failure } from '../../../shared/errors.ts';
import { writeGitDirectory } from '../gitDirectory.ts';
import { splitZ } from '../names.ts';
import { createRunGit, type GitLocation, type GitSettings, type RunGit } from '../runGit.ts';
import { manifestOf, type TaskPair, writesTaskTrees } from './taskTrees.ts';

export interface FolderOptions extends GitSettings {
  /** Absolute. */
  readonly folder: string;
  /** Folder for git directories. The caller removes it. */
  readonly root: string;
}

/** Throws NOT_FOUND if the folder holds no task. */
export async function folderTasks(options: FolderOptions): Promise<TaskTrees> {
  const git = createRunGit(options);
  const entries = await readdir(options.folder, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  if (names.length === 0) {
    throw failure('NOT_FOUND', `there is no task in ${options.folder}`, {
      hint: 'Each task is a folder with brief.md, before/ and tests/.',
    });
  }
  const store = join(await mkdtemp(join(options.root, 'tasks-')), 'git');
  await writeGitDirectory(store, { objectFormat: 'sha1', head: 'ref: refs/heads/none' });
  const pairs = new Map<string, TaskPair>();
  const reading = { git, store };
  return {
    async *candidates() {
      for (const name of names) {
        const { candidate, pair } = await readTask(reading, join(options.folder, name), name);
        if ('task' in candidate && pair !== null) pairs.set(candidate.task.id, pair);
        yield candidate;
      }
    },
    ...writesTaskTrees({ git, root: options.root, objectFormat: 'sha1', objects: join(store, 'objects') }, pairs),
  };
}

interface Reading {
  readonly git: RunGit;
  readonly store: string;
}

const isFolder = async (path: string): Promise<boolean> => (await stat(path).catch(() => null))?.isDirectory() === true;

async function readTask(
  reading: Reading,
  folder: string,
  name: string,
): Promise<{ readonly candidate: Candidate; readonly pair: TaskPair | null }> {
  const refused = (reason: string) => ({ candidate: { name, refused: reason }, pair: null });
  const brief = withLf(await readFile(join(folder, 'brief.md'), 'utf8').catch(() => '')).trim();
  if (brief === '') return refused('it has no brief.md');
  for (const part of ['before', 'tests'])
    if (!(await isFolder(join(folder, part)))) return refused(`it has no folder ${part}`);
  const settings = await readSettings(join(folder, 'task.json'));
  if (settings === null) return refused('its task.json is not valid');
  const hasSolution = await isFolder(join(folder, 'after'));
  const parts = hasSolution ? ['before', 'after', 'tests'] : ['before', 'tests'];
  const before = await treeOf(reading, [join(folder, 'before')]);
  const own = await treeOf(
    reading,
    parts.map((part) => join(folder, part)),
  );
  const tests = await pathsOf(reading, await treeOf(reading, [join(folder, 'tests')]));
  const id = await textId(reading, JSON.stringify([name, brief, before, own, settings]));
  const task: EvalTask = {
    id: `${name}@${id.slice(0, 16)}`,
    title: titleOf(brief.replace(/^#+\s*/, '')),
    brief,
    category: settings.category ?? 'tasks',
    test: settings.test,
    setup: settings.setup,
    hasSolution,
    manifest: await manifestOf((args) => reading.git.ok(placeIn(reading, reading.store), args), own),
  };
  return { candidate: { task }, pair: { before, own, tests } };
}

interface TaskSettings {
  readonly test: string | null;
  readonly setup: readonly string[] | null;
  readonly category: string | null;
}

/** Null if the file exists and is not valid. */
async function readSettings(path: string): Promise<TaskSettings | null> {
  const text = await readFile(path, 'utf8').catch(() => '{}');
  const fields = parseJson(text);
  if (!isFields(fields)) return null;
  const { test = null, category = null, setup = null } = fields;
  const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
  if ((test !== null && !isText(test)) || (category !== null && !isText(category))) return null;
  if (setup !== null && !(Array.isArray(setup) && setup.every(isText))) return null;
  return { test, category, setup };
}

const placeIn = ({ store }: Reading, folder: string): GitLocation => ({
  cwd: folder,
  gitDir: store,
  workTree: folder,
  indexFile: join(store, 'reading-index'),
});

/** The files of these folders as one tree. A file of a later folder replaces one of an earlier folder. */
async function treeOf(reading: Reading, folders: readonly string[]): Promise<string> {
  const [first = ''] = folders;
  await reading.git.ok(placeIn(reading, first), ['read-tree', '--empty']);
  for (const folder of folders) {
    const place = placeIn(reading, folder);
    // Without this option, files of the earlier folders would count as removed.
    await reading.git.ok(place, ['add', '--force', '--ignore-removal', '.']);
  }
  return (await reading.git.ok(placeIn(reading, first), ['write-tree'])).trim();
}

async function pathsOf(reading: Reading, tree: string): Promise<ReadonlySet<string>> {
  const place = placeIn(reading, reading.store);
  return new Set(splitZ(await reading.git.ok(place, ['ls-tree', '-r', '-z', '--name-only', tree], { bytes: true })));
}

async function textId(reading: Reading, text: string): Promise<string> {
  return (await reading.git.ok(placeIn(reading, reading.store), ['hash-object', '--stdin'], { input: text })).trim();
}
