/**
 * Defines the settings of every internal git process: an environment built from scratch, and settings that override
 * every configuration file. None of these values comes from a repository or a model. Reasons per line: DESIGN section
 * 8, reliability 7.8.
 */
import { dirname } from 'node:path';
import type { SimpleGitOptions } from 'simple-git';
import { platform } from '../platform/platform.ts';

/** Git of Windows takes this name too; it refuses that of the system (`\\\\.\\nul`). */
const NOTHING = '/dev/null';

/** `-c key=value`, constants only. */
export const NEUTRAL_CONFIG: readonly string[] = [
  // nothing that runs a program
  `core.hooksPath=${NOTHING}`,
  'core.fsmonitor=false',
  'core.sshCommand=false',
  'core.gitProxy=false',
  'core.askPass=false',
  'core.pager=cat',
  'core.editor=false',
  'sequence.editor=false',
  'credential.helper=',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  // no access to other repositories
  'protocol.allow=never',
  'protocol.file.allow=always',
  'protocol.ext.allow=never',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'diff.ignoreSubmodules=all',
  'safe.bareRepository=explicit',
  `core.attributesFile=${NOTHING}`,
  `core.excludesFile=${NOTHING}`,
  'core.useReplaceRefs=false',
  // names that another file system would resolve to `.git`
  'core.protectHFS=true',
  'core.protectNTFS=true',
  'core.longPaths=true',
  // an index that every git version can read
  'core.splitIndex=false',
  'core.untrackedCache=false',
  'index.version=2',
  // durable when the process ends
  'core.fsync=committed,reference',
  'core.fsyncMethod=fsync',
  // the same output everywhere
  'core.abbrev=no',
  'core.quotePath=true',
  'core.safecrlf=false',
  'core.bigFileThreshold=16m',
  'fetch.unpackLimit=1',
];

/** Switches that let the constants above pass simple-git's guard. The guard stays active for everything else. */
export const UNSAFE: NonNullable<SimpleGitOptions['unsafe']> = {
  allowUnsafeAskPass: true,
  allowUnsafeConfigPaths: true,
  allowUnsafeCredentialHelper: true,
  allowUnsafeEditor: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeGitProxy: true,
  allowUnsafeHooksPath: true,
  allowUnsafePager: true,
  allowUnsafeProtocolOverride: true,
  allowUnsafeSshCommand: true,
  allowUnsafeCustomBinary: true,
};

const BASE_ENVIRONMENT = {
  LC_ALL: 'C',
  HOME: NOTHING,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: NOTHING,
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  // objects that a configuration marks as missing are never fetched: the first works with every git, the second since 2.39.4
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_ADVICE: '0',
  // a target in the user's configuration would be read before the settings given here
  GIT_TRACE2: '0',
  GIT_TRACE2_EVENT: '0',
  GIT_TRACE2_PERF: '0',
} as const;

/**
 * For a fetch between two internal directories: the upload that it starts has no configuration except those of the two
 * directories.
 */
export const FETCH_ENVIRONMENT = { GIT_ALLOW_PROTOCOL: 'file' } as const;

/** Names of the variables that a call may add. */
const PLACE_VARIABLES = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY'] as const;
const DATE_VARIABLES = ['GIT_AUTHOR_DATE', 'GIT_COMMITTER_DATE'] as const;

export const ALLOWED_ENVIRONMENT: readonly string[] = [
  ...Object.keys(BASE_ENVIRONMENT),
  ...PLACE_VARIABLES,
  ...DATE_VARIABLES,
];

/** Required by any process on Windows; unused on other systems. */
const WINDOWS_VARIABLES = ['SYSTEMROOT', 'TEMP', 'TMP'] as const;

export type UserEnvironment = Readonly<Record<string, string | undefined>>;

/** The environment of a git process: constants, the folder of git, and no other variable of the user. */
export function neutralEnvironment(binary: string, user: UserEnvironment): Record<string, string> {
  const env: Record<string, string> = { ...BASE_ENVIRONMENT, PATH: dirname(binary) };
  if (platform.name === 'windows') {
    for (const name of WINDOWS_VARIABLES) {
      const value = user[name];
      if (value !== undefined) env[name] = value;
    }
  }
  return env;
}

/** For reading the user's settings only (`git config --list`): their files instead of none. */
export function settingsEnvironment(binary: string, user: UserEnvironment): Record<string, string> {
  const env = neutralEnvironment(binary, user);
  delete env['GIT_CONFIG_GLOBAL'];
  delete env['GIT_CONFIG_NOSYSTEM'];
  env['HOME'] = user['HOME'] ?? user['USERPROFILE'] ?? NOTHING;
  if (user['XDG_CONFIG_HOME'] !== undefined) env['XDG_CONFIG_HOME'] = user['XDG_CONFIG_HOME'];
  if (user['GIT_CONFIG_NOSYSTEM'] !== undefined) env['GIT_CONFIG_NOSYSTEM'] = '1';
  return env;
}
