/** Decides which files of a repository are instructions for agents, and which of them repeat another one. */
import type { ListedFile } from './repositoryFiles.ts';

export interface InstructionFile {
  readonly path: string;
  /** Null if the file is too large to be read. */
  readonly text: string | null;
}

/** In the order of the output. */
const AT_THE_TOP: readonly RegExp[] = [
  /^AGENTS?\.md$/,
  /^(?:\.claude\/)?CLAUDE\.md$/,
  /^\.github\/copilot-instructions\.md$/,
  /^GEMINI\.md$/,
  /^\.cursorrules$/,
  /^\.cursor\/rules\/.+\.mdc?$/,
  /^\.github\/instructions\/.+\.instructions\.md$/,
  /^\.clinerules$/,
  /^\.clinerules\/.+\.md$/,
  /^\.windsurfrules$/,
  /^\.windsurf\/rules\/.+\.md$/,
  /^\.junie\/guidelines\.md$/,
  /^CONVENTIONS\.md$/,
];
const NESTED = /^(?!\.)(.+)\/(?:AGENTS|CLAUDE|GEMINI)\.md$/;
/** Examples and third-party packages. */
const NOT_OURS = /(?:^|\/)(?:node_modules|vendor|third[_-]party|fixtures?|testdata)\//;
const MAX_FILES = 20;
const MAX_NESTED = 40;
/** Characters of a line that only names another file. */
const MAX_POINTER = 160;

/** Instruction files for the whole repository. */
export function topInstructions(files: readonly ListedFile[]): readonly ListedFile[] {
  return AT_THE_TOP.flatMap((name) => files.filter(({ path }) => name.test(path))).slice(0, MAX_FILES);
}

/** Instruction files for single folders. */
export function nestedInstructions(files: readonly ListedFile[]): readonly ListedFile[] {
  return files.filter(({ path }) => NESTED.test(path) && !NOT_OURS.test(path)).slice(0, MAX_NESTED);
}

/** The folder that a nested file applies to. */
export function folderOf(path: string): string {
  return NESTED.exec(path)?.[1] ?? '';
}

/** Whether a text names a path at or below the folder. */
export function namesFolder(text: string, folder: string): boolean {
  const before = String.raw`(?<![\w./-])(?:\./)?`;
  const name = folder.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`${before}${name}(?![\\w.-]*[\\w-])`).test(text);
}

/** The target of a link, from the top of the repository. Null if it is outside. */
export function linkTarget(path: string, target: string): string | null {
  if (target.startsWith('/')) return null;
  const names = path.split('/').slice(0, -1);
  for (const name of target.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return null;
  }
  return names.join('/');
}

/** Leaves out files that are empty, equal to an earlier one, or only name another one. */
export function withoutRepeats(files: readonly InstructionFile[]): readonly InstructionFile[] {
  const seen = new Set<string>();
  return files.filter(({ path, text }) => {
    if (text === null) return true;
    const words = text.replaceAll(/\s+/g, ' ').trim();
    if (words === '' || seen.has(words)) return false;
    seen.add(words);
    return !files.some((other) => other.path !== path && isPointer(text, other));
  });
}

/** Whether each line but headings names the other, longer file: `@AGENTS.md`, `See [AGENTS.md](AGENTS.md).` */
function isPointer(text: string, other: InstructionFile): boolean {
  const name = other.path.slice(other.path.lastIndexOf('/') + 1);
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const isLonger = other.text === null || other.text.length > text.length;
  return isLonger && lines.length > 0 && lines.every((line) => line.length < MAX_POINTER && line.includes(name));
}
