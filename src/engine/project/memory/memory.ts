/** A project's memory as the memory tool's commands: files below `/memories`, whose answers are text for the model. */

import { foldedName, isOtherOnWindows } from '../../../core/guard/hiddenNames.ts';
import { withLf } from '../../../core/text/lineEnds.ts';
import { failure, findFailure, messageOf } from '../../../shared/errors.ts';
import type { MemoryStore } from '../../session/ports.ts';
import type { MemoryFiles } from '../talk/conversationPorts.ts';

const ROOT = '/memories';
/** Written by the engine alone. */
const EPISODES = 'episodes';
const MAX_DEPTH = 6;
const MAX_NAME = 120;
const LISTED_LEVELS = 2;
const LISTED = 200;

const refused = (path: string, why: string): Error =>
  failure('INVALID_INPUT', `${JSON.stringify(path.slice(0, 200))} ${why}`);

/** Letters that some file system takes for something else. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const ODD = /[\u0000-\u001f\u007f\\]|[\p{Cf}]/u;

function checkName(name: string, path: string): void {
  if (name === '' || name === '.' || name === '..') throw refused(path, 'leads out of /memories, or nowhere');
  if (name.startsWith('.')) throw refused(path, 'is hidden: no name may start with a full stop');
  if (ODD.test(name) || isOtherOnWindows(name))
    throw refused(path, 'has a name that some system takes for another one');
  if (name.length > MAX_NAME) throw refused(path, `has a name of more than ${MAX_NAME} characters`);
}

/** `/memories/facts/a.md` as `facts/a.md`. Throws INVALID_INPUT with the reason. */
export function memoryPath(path: string): string {
  if (path !== ROOT && !path.startsWith(`${ROOT}/`)) throw refused(path, `does not start with ${ROOT}`);
  const inside = path.slice(ROOT.length).replace(/^\/|\/$/g, '');
  if (inside === '') return '';
  const names = inside.normalize('NFC').split('/');
  for (const name of names) checkName(name, path);
  if (names.length > MAX_DEPTH) throw refused(path, `is more than ${MAX_DEPTH} folders deep`);
  return names.join('/');
}

function writable(path: string): string {
  const inside = memoryPath(path);
  if (inside === '') throw refused(path, 'is the memory itself: name a file in it');
  if (foldedName(inside.split('/')[0] ?? '') === EPISODES)
    throw refused(path, 'is written by the engine: read it only');
  return inside;
}

const numbered = (lines: readonly string[], first: number): string =>
  lines.map((line, index) => `${String(first + index).padStart(6, ' ')}\t${line}`).join('\n');

export function memoryStore(files: MemoryFiles): MemoryStore {
  async function text(path: string, inside: string): Promise<string> {
    const found = (await files.stat(inside))?.kind === 'file' ? await files.read(inside) : null;
    if (found === null) throw failure('NOT_FOUND', `The path ${path} does not exist. Please provide a valid path.`);
    // A person's editor may have written CRLF, which no model writes.
    return withLf(found);
  }

  return {
    async view({ path, view_range }) {
      const inside = memoryPath(path);
      if (inside === '' || (await files.stat(inside))?.kind === 'folder') return listing(files, path, inside);
      const lines = (await text(path, inside)).split('\n');
      const [from = 1, to = -1] = view_range ?? [];
      const first = Math.max(1, from);
      const shown = lines.slice(first - 1, to === -1 ? lines.length : to);
      return `Here's the content of ${path} with line numbers:\n${numbered(shown, first)}`;
    },
    async create({ path, file_text }) {
      await files.write(writable(path), file_text);
      return `File created successfully at: ${path}`;
    },
    async str_replace({ path, old_str, new_str }) {
      const inside = writable(path);
      const before = await text(path, inside);
      const at = before.indexOf(old_str);
      if (at === -1) {
        throw failure('INVALID_INPUT', `No replacement was performed, old_str did not appear verbatim in ${path}.`);
      }
      if (before.includes(old_str, at + 1)) {
        throw failure('INVALID_INPUT', 'No replacement was performed. old_str occurs more than once: make it unique.');
      }
      // The one old_str is part of a new_str already: an interrupted round of tools is repeated.
      const isDone = new_str.includes(old_str) && before.includes(new_str);
      const after = isDone ? before : before.slice(0, at) + new_str + before.slice(at + old_str.length);
      if (!isDone) await files.write(inside, after);
      const line = before.slice(0, at).split('\n').length;
      const first = Math.max(1, line - 2);
      return `The memory file has been edited.\n${numbered(after.split('\n').slice(first - 1, line + 3), first)}`;
    },
    async insert({ path, insert_line, insert_text }) {
      const inside = writable(path);
      const lines = (await text(path, inside)).split('\n');
      if (insert_line > lines.length) {
        throw failure('INVALID_INPUT', `insert_line ${insert_line} is not within the file's ${lines.length} lines.`);
      }
      const added = insert_text.replace(/\n$/, '').split('\n');
      // As with str_replace: a repeated insert is not made twice.
      const isDone = added.every((line, index) => lines[insert_line + index] === line);
      if (!isDone) await files.write(inside, lines.toSpliced(insert_line, 0, ...added).join('\n'));
      return `The file ${path} has been edited.`;
    },
    async delete({ path }) {
      const inside = writable(path);
      if ((await files.stat(inside)) === null) throw failure('NOT_FOUND', `The path ${path} does not exist`);
      await files.remove(inside);
      return `Successfully deleted ${path}`;
    },
    async rename({ old_path, new_path }) {
      const [from, to] = [writable(old_path), writable(new_path)];
      if ((await files.stat(from)) === null) throw failure('NOT_FOUND', `The path ${old_path} does not exist`);
      if ((await files.stat(to)) !== null) throw failure('INVALID_INPUT', `The destination ${new_path} already exists`);
      if (to.startsWith(`${from}/`)) throw failure('INVALID_INPUT', `${new_path} is inside ${old_path}`);
      await files.rename(from, to);
      return `Successfully renamed ${old_path} to ${new_path}`;
    },
  };
}

interface Listed {
  readonly path: string;
  readonly bytes: number;
  readonly folder: boolean;
}

async function below(files: MemoryFiles, inside: string, levels: number): Promise<Listed[]> {
  const found: Listed[] = [];
  for (const { name, kind, bytes } of await files.list(inside)) {
    const path = inside === '' ? name : `${inside}/${name}`;
    found.push({ path, bytes, folder: kind === 'folder' });
    if (kind === 'folder' && levels > 1) found.push(...(await below(files, path, levels - 1)));
  }
  return found;
}

async function listing(files: MemoryFiles, path: string, inside: string): Promise<string> {
  const all = await below(files, inside, LISTED_LEVELS);
  const lines = all.slice(0, LISTED).map((one) => `${one.bytes} B\t${ROOT}/${one.path}${one.folder ? '/' : ''}`);
  const more = all.length > LISTED ? [`[… ${all.length - LISTED} more]`] : [];
  return [`Here're the files and directories up to 2 levels deep in ${path}:`, ...lines, ...more].join('\n');
}

const INDEXED = 60;
const MAX_LINE = 120;

/** A person may have put an unreadable file there: the line reports it, and the rest is listed. */
async function firstLine(files: MemoryFiles, path: string): Promise<string> {
  try {
    const text = withLf((await files.read(path)) ?? '');
    const first = text.split('\n').find((line) => line.trim() !== '') ?? '';
    const line = first.replace(/^#+\s*/, '');
    return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
  } catch (thrown) {
    if (findFailure(thrown)?.code !== 'INVALID_INPUT') throw thrown;
    return `[cannot be read: ${messageOf(thrown)}]`;
  }
}

/** One line for each file, the newest months of summaries last: the overview for a conversation before its first turn. */
export async function memoryIndex(files: MemoryFiles): Promise<string> {
  const all = (await below(files, '', LISTED_LEVELS)).filter((one) => !one.folder);
  const lines: string[] = [];
  for (const { path } of all.slice(-INDEXED)) {
    lines.push(`- ${ROOT}/${path}: ${await firstLine(files, path)}`);
  }
  if (all.length > INDEXED) lines.unshift(`- ${all.length - INDEXED} more: view ${ROOT}`);
  return lines.join('\n');
}
