/**
 * Lists the paths that a sandboxed command may not read: the user's home, except the folders of `toolchains.ts`, and by
 * name the files with credentials there or elsewhere, which it may not read even within those folders.
 */
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import type { Environment } from '../../platform/platform.ts';

const IN_HOME = [
  '.ssh',
  '.aws',
  '.azure',
  '.config',
  '.gnupg',
  '.netrc',
  '.npmrc',
  '.npm/_logs',
  '.yarnrc.yml',
  '.docker',
  '.kube',
  '.git-credentials',
  '.pypirc',
  '.cargo/credentials',
  '.bundle/config',
  '.composer/auth.json',
  '.pub-cache/credentials.json',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.m2/settings.xml',
  '.gradle/gradle.properties',
  '.terraform.d',
  '.vault-token',
  '.pgpass',
  '.my.cnf',
  '.password-store',
  '.local/share/keyrings',
  '.local/state',
  '.mozilla',
  '.thunderbird',
  '.claude',
  '.claude.json',
  '.codex',
  '.gemini',
  '.cline',
  '.copilot',
  '.cursor',
  '.qwen',
  '.local/share/opencode',
  '.local/share/goose',
  '.bash_history',
  '.zsh_history',
  '.node_repl_history',
  '.python_history',
  'snap/firefox',
  'snap/chromium',
  'Library/Keychains',
  'Library/Cookies',
  'Library/Safari',
  'Library/Application Support/Google',
  'Library/Application Support/Firefox',
  'Library/Application Support/Code',
];

const OF_THE_SYSTEM = ['/etc/shadow', '/etc/gshadow', '/etc/ssh', '/etc/sudoers', '/run/secrets', '/var/lib/docker'];

/** Variables that move a secret to another path; each names one file or folder. */
const MOVED_BY = [
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
  'XDG_RUNTIME_DIR',
  'GNUPGHOME',
  'DOCKER_CONFIG',
  'NETRC',
  'AWS_SHARED_CREDENTIALS_FILE',
  'AWS_CONFIG_FILE',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'NPM_CONFIG_USERCONFIG',
  'npm_config_userconfig',
];

/** Absolute paths; those that do not exist are kept, because they may be created later. */
export function deniedReads(ours: Environment, home: string): string[] {
  const moved = MOVED_BY.flatMap((name) => {
    const value = ours[name];
    return value !== undefined && isAbsolute(value) && dirname(value) !== value ? [value] : [];
  });
  const kube = (ours['KUBECONFIG'] ?? '').split(delimiter).filter((file) => isAbsolute(file));
  const runtime = process.getuid === undefined ? [] : [`/run/user/${process.getuid()}`];
  const whole = dirname(home) === home ? [] : [home];
  const named = IN_HOME.map((name) => join(home, name));
  return [...new Set([...whole, ...named, ...OF_THE_SYSTEM, ...moved, ...kube, ...runtime])];
}
