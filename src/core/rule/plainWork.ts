/**
 * Decides whether a change consists of plain documents or plain data alone. The list names what is plain; everything else may execute: scripts, build
 * and package files, lock files, settings of tools, hooks, workflows, and files with an executable mode.
 */

import type { ChangedFile, WorkKind } from '../../shared/rule/rules.ts';
import { executablePaths } from '../guard/executablePaths.ts';
import { foldedName } from '../guard/hiddenNames.ts';

const KINDS: readonly (readonly [RegExp, WorkKind])[] = [
  [/\.(?:md|markdown)$/, 'docs'],
  // Elsewhere, `.txt` may be CMakeLists.txt, requirements.txt and the like.
  [/^(?:.*\/)?docs?\/(?:.*\/)?[^/]+\.txt$/, 'docs'],
  [/\.(?:csv|tsv)$/, 'data'],
];

/** Names that build tools, package managers or agents read, whatever their folder. */
const READ_BY_TOOLS =
  /^(?:skill|agents?|claude|gemini|qwen|prompt|system|instructions?|memory|project|conventions|copilot-instructions)(?:\..*)?\.md$|^(?:cmakelists|.*(?:requirements|constraints|dependencies).*)\.txt$/;
/** Folders of prompts, which agents obey, and of code that others wrote. */
const OBEYED_FOLDERS: ReadonlySet<string> = new Set([
  ...['prompts', 'skills', 'agents', 'commands', 'rules', 'instructions', 'memory', 'hooks'],
  ...['node_modules', 'vendor', 'third_party', 'bin', 'scripts'],
]);
/** Letters, digits and few signs: a name in which no file system can see another one. No hidden name, no short name, no trailing dot. */
const PLAIN_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_ .()+@,&-]*(?<![ .])$/u;
/** A regular file that is not executable, or no file. Links and submodules have other modes. */
const PLAIN_MODES: ReadonlySet<string> = new Set(['000000', '100644']);

/** Null if the file is not plain. */
function kindOf({ path, modes, lines }: ChangedFile): WorkKind | null {
  if (lines === null || modes.some((mode) => !PLAIN_MODES.has(mode))) return null;
  const segments = path.split('/');
  if (!segments.every((segment) => PLAIN_NAME.test(segment))) return null;
  const folded = segments.map(foldedName);
  if (READ_BY_TOOLS.test(folded.at(-1) ?? '') || folded.slice(0, -1).some((one) => OBEYED_FOLDERS.has(one)))
    return null;
  if (executablePaths([path]).length > 0) return null;
  const lower = path.toLowerCase();
  return KINDS.find(([pattern]) => pattern.test(lower))?.[1] ?? null;
}

/** The kind of the whole change. Null if it is empty, mixes kinds, or has a file that is not plain or is in `flagged`. */
export function plainWork(files: readonly ChangedFile[], flagged: readonly string[]): WorkKind | null {
  const [first = null, ...others] = new Set(files.map(kindOf));
  return first === null || others.length > 0 || flagged.length > 0 ? null : first;
}
