/** Reads the relevant settings of the user's git without running anything, and validates each. */
import { isAbsolute, join } from 'node:path';
import { type Identity, OWN_IDENTITY, readIfThere } from '../gitDirectory.ts';
import { splitZ } from '../names.ts';
import type { UserEnvironment } from '../neutral.ts';
import type { RunGit } from '../runGit.ts';

export interface UserSettings {
  /** Settings for files in the user's tree: line ends, modes, links, case. */
  readonly core: Readonly<Record<string, string>>;
  /** Text of the user's global ignore file; empty if there is none. */
  readonly globalExclude: string;
  /** Absolute path of the user's global attributes, which may be missing; null if it cannot be known. */
  readonly globalAttributes: string | null;
  /** `user.name` and `user.email` of the user's git in this repository, otherwise those of Autonomous. */
  readonly identity: Identity;
  readonly partialClone: boolean;
  readonly sparse: boolean;
  /** Whether the user's configuration declares this folder, or every folder, safe. */
  readonly declaredSafe: (folder: string) => boolean;
}

const BOOLEAN = /^(?:true|false|yes|no|on|off|0|1)$/i;
const CORE: Readonly<Record<string, RegExp>> = {
  autocrlf: /^(?:true|false|yes|no|on|off|0|1|input)$/i,
  eol: /^(?:lf|crlf|native)$/i,
  filemode: BOOLEAN,
  symlinks: BOOLEAN,
  ignorecase: BOOLEAN,
  precomposeunicode: BOOLEAN,
};
const MAX_EXCLUDE = 256 * 1024;
const isTrue = (value: string | undefined) => value !== undefined && /^(?:true|yes|on|1)$/i.test(value);

interface Setting {
  readonly scope: string;
  readonly key: string;
  readonly value: string;
}

/** `--show-scope -z`: scope NUL key LF value NUL. A key without a value has no LF: git takes it as true. */
function parseSettings(text: string): Setting[] {
  const items = splitZ(text);
  const settings: Setting[] = [];
  for (let at = 0; at + 1 < items.length; at += 2) {
    const [scope = '', pair = ''] = items.slice(at, at + 2);
    const cut = pair.indexOf('\n');
    settings.push({ scope, key: cut < 0 ? pair : pair.slice(0, cut), value: cut < 0 ? 'true' : pair.slice(cut + 1) });
  }
  return settings;
}

/** Absolute path of a file that a setting names, or of the one that git reads without the setting. */
function globalFile(set: string | undefined, name: 'ignore' | 'attributes', env: UserEnvironment): string | null {
  const home = env['HOME'] ?? env['USERPROFILE'];
  const config = env['XDG_CONFIG_HOME'] ?? (home === undefined ? undefined : join(home, '.config'));
  const fallback = config === undefined ? undefined : join(config, 'git', name);
  const path = set?.startsWith('~/') && home !== undefined ? join(home, set.slice(2)) : (set ?? fallback);
  return path === undefined || !isAbsolute(path) ? null : path;
}

async function globalExcludeText(path: string | null): Promise<string> {
  const text = path === null ? '' : ((await readIfThere(path)) ?? '');
  return text.length > MAX_EXCLUDE ? '' : text;
}

/** Reads every setting of the user's git for this folder. Missing files are no error. */
export async function readSettings(git: RunGit, cwd: string): Promise<readonly Setting[]> {
  const text = await git.ok({ cwd }, ['config', '--list', '-z', '--show-scope', '--includes'], { userSettings: true });
  return parseSettings(text).filter(({ scope }) => scope !== 'command');
}

/** Reads and validates the relevant settings. */
export async function readUserSettings(git: RunGit, cwd: string, env: UserEnvironment): Promise<UserSettings> {
  const settings = await readSettings(git, cwd);
  const last = (key: string) => settings.findLast((one) => one.key === key)?.value;
  const own = ['local', 'worktree'];
  const core: Record<string, string> = {};
  for (const [key, allowed] of Object.entries(CORE)) {
    const value = last(`core.${key}`);
    if (value !== undefined && allowed.test(value)) core[key] = value;
  }
  const [name, email] = [clean(last('user.name')), clean(last('user.email'))];
  const safe = settings.filter(({ scope, key }) => key === 'safe.directory' && !own.includes(scope));
  return {
    core,
    globalExclude: await globalExcludeText(globalFile(last('core.excludesfile'), 'ignore', env)),
    globalAttributes: globalFile(last('core.attributesfile'), 'attributes', env),
    identity: name && email ? { name, email } : OWN_IDENTITY,
    partialClone: settings.some(
      ({ key, value }) => /^(?:extensions\.partialclone|remote\..*\.promisor)$/.test(key) && value !== 'false',
    ),
    sparse: isTrue(last('core.sparsecheckout')),
    declaredSafe: (folder) => safe.some(({ value }) => value === '*' || value === folder),
  };
}

/** Removes the characters that git would drop from a name or an address. */
function clean(value: string | undefined): string {
  return (value ?? '')
    .replace(/[\p{Cc}<>]/gu, '')
    .trim()
    .slice(0, 200);
}
