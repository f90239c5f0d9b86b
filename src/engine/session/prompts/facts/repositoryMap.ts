/** Draws the folders of a repository within a number of characters. */

import {
  type FolderNode,
  folderTree,
  type ListedFile,
  topLanguages,
} from '../../../../core/repository/repositoryFiles.ts';
import { fileSize } from '../../../../core/text/fileSize.ts';
import { oneLine } from './factsBudget.ts';

const MAX_NAME = 48;
/** Numbers of files and of folders that are shown of an open folder: the first pair that fits. */
const SHOWN = [60, 30, 12, 6];
/** The same for the top folder, which is always open. */
const SHOWN_AT_TOP = [...SHOWN, 3, 1, 0];
/** Share of the room that one folder below the top may take before all others had their turn. */
const SHARE = 0.2;
/** A file of this many bytes is shown with its size. */
const LARGE = 30_000;
/** Folders of files that are not edited by hand. They are opened last. */
const BULKY =
  /^(?:dist|build|out|vendor|third[_-]party|fixtures?|__snapshots__|snapshots|testdata|node_modules|assets|generated)$/;

/** A folder that is open in the map. */
interface Opened {
  readonly files: string | null;
  readonly folders: readonly Shown[];
  /** Number of omitted folders. */
  readonly more: string | null;
}

interface Shown {
  readonly line: string;
  readonly folder: FolderNode;
  readonly indent: string;
}

/** At most `max` characters. Folders are opened from the top down, as far as there is room. */
export function repositoryMap(files: readonly ListedFile[], max: number): string {
  const top = folderTree(files);
  const languages = topLanguages(top, 4);
  const head = `${[sizeText(top), ...languages.map(({ name, percent }) => `${name} ${percent}%`)].join(', ')}.`;
  const usual = languages[0]?.name ?? '';
  const opened = new Map<FolderNode, Opened>();
  let left = max - head.length - 1;
  const open = (folder: FolderNode, indent: string, most: number): readonly Shown[] | null => {
    for (const count of folder === top ? SHOWN_AT_TOP : SHOWN) {
      const text = openedFolder(folder, indent, count, usual);
      const length = lengthOf(text);
      if (length > Math.min(left, most)) continue;
      left -= length;
      opened.set(folder, text);
      return text.folders;
    }
    return null;
  };
  let waiting = [...(open(top, '', max) ?? [])];
  for (const most of [SHARE * max, max]) {
    const closed: Shown[] = [];
    for (let next = first(waiting); next !== undefined; next = first(waiting)) {
      waiting.splice(waiting.indexOf(next), 1);
      const found = open(next.folder, `${next.indent}  `, most);
      if (found === null) closed.push(next);
      else waiting.push(...found);
    }
    waiting = closed;
  }
  return [head, ...drawn(top, opened)].join('\n');
}

/** The folder to open next. */
function first(waiting: readonly Shown[]): Shown | undefined {
  return waiting.reduce<Shown | undefined>(
    (best, one) => (best === undefined || weight(one.folder) > weight(best.folder) ? one : best),
    undefined,
  );
}

/** Order of opening: large before small, high before deep, code before the rest, bulky folders last. */
function weight({ name, count, depth, languages }: FolderNode): number {
  const kind = BULKY.test(name) ? 1e-9 : languages.size === 0 ? 0.25 : 1;
  return (kind * count) / 2 ** depth;
}

/** `usual`: the language that is not named for each folder. */
function openedFolder(folder: FolderNode, indent: string, most: number, usual: string): Opened {
  const files = folder.files.slice(0, most).map(fileText);
  const moreFiles = folder.files.length - files.length;
  const names = [...files, ...(moreFiles === 0 ? [] : [`${moreFiles} more files`])].join(', ');
  const all = [...folder.folders.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  const folders = all.slice(0, most).map((one) => shownFolder(one, indent, usual));
  folders.sort((a, b) => (a.line < b.line ? -1 : 1));
  const rest = all.slice(most);
  const count = rest.reduce((sum, one) => sum + one.count, 0);
  return {
    files: names === '' ? null : indent + names,
    folders,
    more: rest.length === 0 ? null : `${indent}${rest.length} more folders (${count} files)`,
  };
}

function fileText({ path, bytes }: ListedFile): string {
  const name = nameText(path.slice(path.lastIndexOf('/') + 1));
  return bytes < LARGE ? name : `${name} (${fileSize(bytes)})`;
}

/** Folders that each hold only one folder share a line. */
function shownFolder(folder: FolderNode, indent: string, usual: string): Shown {
  const names = [nameText(folder.name)];
  let at = folder;
  for (let [only] = at.folders.values(); at.files.length === 0 && at.folders.size === 1; [only] = at.folders.values()) {
    if (only === undefined || names.length > 3) break;
    names.push(nameText(only.name));
    at = only;
  }
  const [main] = topLanguages(at, 1);
  const language = main === undefined || main.name === usual ? '' : `, ${main.name}`;
  return { line: `${indent}${names.join('/')}/ (${sizeText(at)}${language})`, folder: at, indent };
}

function sizeText({ count, bytes }: FolderNode): string {
  return `${count === 1 ? '1 file' : `${count} files`}, ${fileSize(bytes)}`;
}

/** Quotes a name with characters that could be misread. */
function nameText(name: string): string {
  const text = oneLine(name, MAX_NAME);
  return /^[\p{L}\p{N}._@+~#%=&$!^()[\]{}-]+…?$/u.test(text) ? text : JSON.stringify(text);
}

function lengthOf({ files, folders, more }: Opened): number {
  const lines = [files ?? '', ...folders.map(({ line }) => line), more ?? ''].filter((line) => line !== '');
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function drawn(top: FolderNode, opened: ReadonlyMap<FolderNode, Opened>): string[] {
  const lines: string[] = [];
  const stack: (string | FolderNode)[] = [top];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (typeof next === 'string') {
      lines.push(next);
      continue;
    }
    const text = opened.get(next);
    if (text === undefined) continue;
    const below = text.folders.flatMap(({ line, folder }) => [line, folder]);
    const all = [text.files, ...below, text.more].filter((one) => one !== null);
    stack.push(...all.reverse());
  }
  return lines;
}
