/**
 * Implements `SkillFiles` on folders of folders. Links are never followed; a file that is too large or not text is
 * never read.
 */
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isOtherOnWindows, isPlainName } from '../../core/guard/hiddenNames.ts';
import type { SkillFiles, SkillFolder } from '../../engine/project/talk/conversationPorts.ts';
import { failure } from '../../shared/errors.ts';

const MAX_FILE_BYTES = 256 * 1024;
const MAX_FILES = 500;
const MAX_SKILLS = 200;
const MAX_DEPTH = 4;

async function kindOf(path: string): Promise<{ kind: 'file' | 'folder' | 'other'; bytes: number } | null> {
  try {
    const stat = await lstat(path);
    return { kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other', bytes: stat.size };
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw thrown;
  }
}

/** Returns null if it is not a plain text file of a sensible size. */
async function textOf(path: string): Promise<string | null> {
  const found = await kindOf(path);
  if (found?.kind !== 'file' || found.bytes > MAX_FILE_BYTES) return null;
  const text = (await readFile(path)).toString('utf8');
  return text.includes('\0') || text.includes('\uFFFD') ? null : text;
}

/** Names below a folder, sorted; empty if it is a link or does not exist. */
async function namesIn(path: string): Promise<string[]> {
  if ((await kindOf(path))?.kind !== 'folder') return [];
  return (await readdir(path)).filter((name) => !name.startsWith('.')).sort();
}

/** Why no file of a skill may have this path; null if one may. */
function refusalOf(path: string): string | null {
  const names = path.split('/');
  if (names.some(isOtherOnWindows)) return 'has a name that means something else on Windows: rename the file';
  if (names.some((name) => name.startsWith('.') || !isPlainName(name))) return "leads out of the skill's folder";
  return null;
}

/** `roots`: the nearest first. `isOthers`: files to ignore. */
export function skillFiles(
  roots: readonly string[],
  isOthers: (path: string) => Promise<boolean> = async () => false,
): SkillFiles {
  async function below(folder: string, inside: string, depth: number, found: string[]): Promise<string[]> {
    for (const name of await namesIn(join(folder, inside))) {
      const path = inside === '' ? name : `${inside}/${name}`;
      const kind = (await kindOf(join(folder, path)))?.kind;
      if (found.length >= MAX_FILES) break;
      if (refusalOf(path) !== null) continue;
      if (kind === 'file' && !(await isOthers(join(folder, path)))) found.push(path);
      else if (kind === 'folder' && depth < MAX_DEPTH) await below(folder, path, depth + 1, found);
    }
    return found;
  }

  return {
    async folders() {
      const found: SkillFolder[] = [];
      for (const root of roots) {
        for (const name of await namesIn(root)) {
          const place = join(root, name);
          const kind = (await kindOf(place))?.kind;
          if (found.length >= MAX_SKILLS || kind === 'file') continue;
          const file = join(place, 'SKILL.md');
          const text = kind === 'folder' ? await textOf(file) : null;
          if (text !== null && (await isOthers(file))) continue;
          found.push({ name, place, text });
        }
      }
      return found;
    },
    files: (folder) => below(folder.place, '', 1, []),
    async read(folder, path) {
      const names = path.split('/');
      const refusal = refusalOf(path);
      if (refusal !== null) throw failure('INVALID_INPUT', `${JSON.stringify(path.slice(0, 200))} ${refusal}`);
      for (let depth = 1; depth <= names.length; depth++) {
        const found = await kindOf(join(folder.place, ...names.slice(0, depth)));
        if (found === null) return null;
        if (found.kind !== (depth === names.length ? 'file' : 'folder')) {
          throw failure('INVALID_INPUT', `${path} is not a plain file of this skill`);
        }
      }
      const text = await textOf(join(folder.place, ...names));
      if (text === null) throw failure('INVALID_INPUT', `${path} is too large, or no text`);
      if (await isOthers(join(folder.place, ...names))) return null;
      return text;
    },
  };
}
