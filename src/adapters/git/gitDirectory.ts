/** Writes a git directory, file by file: no template, no hooks, and a known configuration. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failure } from '../../shared/errors.ts';
import { platform } from '../platform/platform.ts';

export type ObjectFormat = 'sha1' | 'sha256';

export interface Identity {
  readonly name: string;
  readonly email: string;
}

export const OWN_IDENTITY: Identity = { name: 'Autonomous', email: 'autonomous@localhost' };

export interface GitDirectoryOptions {
  readonly objectFormat: ObjectFormat;
  /** Content of HEAD: `ref: refs/heads/…` or a commit. */
  readonly head: string;
  /** Full ref name → commit. */
  readonly refs?: Readonly<Record<string, string>>;
  /** As `refs`, in one file, without limits of number or names. */
  readonly packed?: Readonly<Record<string, string>>;
  /** Additional object folders to read. */
  readonly alternates?: readonly string[];
  /** Boundary commits of a shallow history. */
  readonly shallow?: string | null;
  readonly identity?: Identity;
  /** Text of `info/exclude`. */
  readonly exclude?: string;
  /** Text of `info/attributes`: it overrides every `.gitattributes` of the tree. */
  readonly attributes?: string;
  /** The `[core]` settings of files; the caller has validated keys and values. Absent: `OWN_CORE`. */
  readonly core?: Readonly<Record<string, string>>;
  /** Whether other internal git directories may fetch any commit from here. */
  readonly serve?: boolean;
}

/**
 * For internal work trees: capabilities of the file system, which git would test otherwise, and the line ends that the
 * repository stores, whatever those of the system or the user are. Attributes of the repository still count.
 */
export const OWN_CORE: Readonly<Record<string, string>> = { ...platform.gitCore, autocrlf: 'false', eol: 'lf' };

/** A value for a configuration file: quoted, without control characters. */
function quoted(value: string): string {
  return `"${value.replace(/\p{Cc}+/gu, ' ').replace(/[\\"]/g, '\\$&')}"`;
}

function configText(options: GitDirectoryOptions): string {
  const sha256 = options.objectFormat === 'sha256';
  const lines = [
    '[core]',
    `\trepositoryformatversion = ${sha256 ? 1 : 0}`,
    '\tbare = false',
    '\tlogallrefupdates = false',
  ];
  for (const [key, value] of Object.entries(options.core ?? OWN_CORE)) lines.push(`\t${key} = ${quoted(value)}`);
  if (sha256) lines.push('[extensions]', '\tobjectFormat = sha256');
  if (options.serve) lines.push('[uploadpack]', '\tallowAnySHA1InWant = true');
  const { name, email } = options.identity ?? OWN_IDENTITY;
  lines.push('[user]', `\tname = ${quoted(name)}`, `\temail = ${quoted(email)}`);
  return `${lines.join('\n')}\n`;
}

/** Creates the folder `gitDir`, which must not exist yet or be empty. */
export async function writeGitDirectory(gitDir: string, options: GitDirectoryOptions): Promise<void> {
  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(gitDir, path)), { recursive: true });
    await writeFile(join(gitDir, path), text, { flag: 'wx' });
  };
  await mkdir(join(gitDir, 'objects', 'info'), { recursive: true });
  await mkdir(join(gitDir, 'refs', 'heads'), { recursive: true });
  await put('config', configText(options));
  if (options.alternates?.length) {
    if (options.alternates.some((folder) => folder.includes('\n'))) {
      throw failure('REPOSITORY_UNSUPPORTED', 'a folder with a line break in its name cannot be worked in');
    }
    await put('objects/info/alternates', options.alternates.map((folder) => `${folder}\n`).join(''));
  }
  if (options.shallow) await put('shallow', options.shallow);
  if (options.exclude) await put('info/exclude', options.exclude);
  if (options.attributes) await put('info/attributes', options.attributes);
  for (const [ref, commit] of Object.entries(options.refs ?? {})) await put(ref, `${commit}\n`);
  const packed = Object.entries(options.packed ?? {}).map(([ref, commit]) => `${commit} ${ref}\n`);
  if (packed.length > 0) await put('packed-refs', packed.join(''));
  // last, because git recognizes a git directory by its HEAD
  await put('HEAD', `${options.head}\n`);
}

/** The text of a small file, or null if the file does not exist. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR' || code === 'EACCES') return null;
    throw thrown;
  }
}
