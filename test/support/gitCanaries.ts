/** Ways to make git run a program, each leaving a file named after itself when it does. */
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type GitFixture, plainGit } from './gitFixture.ts';

const HOOKS = [
  'applypatch-msg',
  'commit-msg',
  'post-applypatch',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'post-receive',
  'post-rewrite',
  'post-update',
  'pre-applypatch',
  'pre-auto-gc',
  'pre-commit',
  'pre-merge-commit',
  'pre-push',
  'pre-rebase',
  'pre-receive',
  'prepare-commit-msg',
  'proc-receive',
  'push-to-checkout',
  'reference-transaction',
  'sendemail-validate',
  'update',
];

export class Canaries {
  readonly #nest: string;
  readonly #scripts: string;

  constructor(fixture: GitFixture) {
    this.#nest = join(fixture.folder, 'canaries');
    this.#scripts = join(fixture.folder, 'scripts');
    for (const folder of [this.#nest, this.#scripts]) mkdirSync(folder);
  }

  /** Names of the ways that ran. */
  fired(): string[] {
    return readdirSync(this.#nest).sort();
  }

  /** A program that leaves `name` behind and passes its input on. */
  script(name: string, at = join(this.#scripts, name)): string {
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, `#!/bin/sh\n: > '${join(this.#nest, name)}'\ncat 2>/dev/null\nexit 0\n`);
    chmodSync(at, 0o755);
    return at;
  }

  hooks(name: string, folder: string): void {
    for (const hook of HOOKS) this.script(`${name}-${hook}`, join(folder, hook));
  }

  /** Every setting that names a program. `name` tells this configuration from others. */
  config(name: string): string {
    const run = (setting: string) => this.script(`${name}-${setting}`);
    return [
      '[core]',
      `\tfsmonitor = ${run('fsmonitor')}`,
      `\tsshCommand = ${run('sshCommand')}`,
      `\tpager = ${run('pager')}`,
      `\teditor = ${run('editor')}`,
      `\taskPass = ${run('askPass')}`,
      `\tgitProxy = ${run('gitProxy')}`,
      `\talternateRefsCommand = ${run('alternateRefs')}`,
      '[filter "evil"]',
      `\tclean = ${run('clean')}`,
      `\tsmudge = ${run('smudge')}`,
      '\trequired = true',
      '[filter "slow"]',
      `\tprocess = ${run('process')}`,
      '[diff]',
      `\texternal = ${run('diff-external')}`,
      '[diff "evil"]',
      `\ttextconv = ${run('textconv')}`,
      `\tcommand = ${run('diff-command')}`,
      '[merge "evil"]',
      `\tdriver = ${run('merge-driver')} %A`,
      '[commit]',
      '\tgpgSign = true',
      '[gpg]',
      `\tprogram = ${run('gpg')}`,
      '[credential]',
      `\thelper = ${run('credential')}`,
      '[sequence]',
      `\teditor = ${run('sequence-editor')}`,
      '[uploadpack]',
      `\tpackObjectsHook = ${run('pack-objects-hook')}`,
      '[trailer "evil"]',
      `\tcommand = ${run('trailer')}`,
      '[interactive]',
      `\tdiffFilter = ${run('diff-filter')}`,
      '[alias]',
      ...['add', 'status', 'fetch', 'diff-tree'].map((verb) => `\t${verb} = !${run(`alias-${verb}`)}`),
      '[url "ext::sh -c touch%20nothing"]',
      '\tinsteadOf = /',
      '[submodule]',
      '\trecurse = true',
      '',
    ].join('\n');
  }
}

export const HOSTILE_ATTRIBUTES = '* filter=evil diff=evil merge=evil\n*.slow filter=slow\n*.hide -diff\n';

/** The environment of a user who set everything that git listens to, and whose PATH has traps. */
export function hostileEnvironment(canaries: Canaries, fixture: GitFixture): Record<string, string | undefined> {
  const trap = join(fixture.folder, 'node_modules', '.bin');
  canaries.script('path-package', join(trap, 'git'));
  const run = (name: string) => canaries.script(`env-${name}`);
  const templates = join(fixture.folder, 'templates');
  canaries.hooks('template', join(templates, 'hooks'));
  return {
    ...process.env,
    PATH: `.:${trap}:${process.env['PATH']}`,
    EDITOR: run('editor'),
    PAGER: run('pager'),
    GIT_EDITOR: run('git-editor'),
    GIT_PAGER: run('git-pager'),
    GIT_EXTERNAL_DIFF: run('external-diff'),
    GIT_SSH_COMMAND: run('ssh-command'),
    GIT_ASKPASS: run('askpass'),
    GIT_PROXY_COMMAND: run('proxy'),
    GIT_TEMPLATE_DIR: templates,
    GIT_EXEC_PATH: templates,
    GIT_DIR: '/nonexistent',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.fsmonitor',
    GIT_CONFIG_VALUE_0: run('config-count'),
  };
}

/** What an agent can leave in its work tree. Ends with everything committed to nothing: only files. */
export function poisonWorkTree(canaries: Canaries, folder: string): void {
  writeFileSync(join(folder, '.git', 'config'), `${canaries.config('agent')}[core]\n\thooksPath = .hooks\n`, {
    flag: 'a',
  });
  canaries.hooks('agent', join(folder, '.git', 'hooks'));
  canaries.hooks('agent-path', join(folder, '.hooks'));
  canaries.hooks('agent-husky', join(folder, '.husky'));
  writeFileSync(join(folder, '.gitattributes'), HOSTILE_ATTRIBUTES);
  writeFileSync(join(folder, 'x.slow'), 'slow\n');
  nestedRepository(canaries, join(folder, 'nested'), true);
  nestedRepository(canaries, join(folder, 'unborn'), false);
  nestedRepository(canaries, join(folder, 'outer'), true);
  nestedRepository(canaries, join(folder, 'outer', 'inner'), true);
  writeFileSync(
    join(folder, '.gitmodules'),
    '[submodule "evil"]\n\tpath = nested\n\turl = ext::sh -c touch%20nothing\n\tupdate = !touch nothing\n',
  );
  const bare = join(folder, 'bare');
  plainGit(folder, ['init', '-q', '--bare', bare]);
  writeFileSync(join(bare, 'config'), `[core]\n\tbare = false\n\tworktree = ..\n${canaries.config('bare')}`);
  canaries.hooks('bare', join(bare, 'hooks'));
  mkdirSync(join(folder, 'pointer'));
  writeFileSync(join(folder, 'pointer', '.git'), `gitdir: ${bare}\n`);
  writeFileSync(join(folder, 'pointer', 'file.txt'), 'p\n');
  if (!existsSync(join(folder, 'linked'))) symlinkSync('nested', join(folder, 'linked'));
}

function nestedRepository(canaries: Canaries, folder: string, committed: boolean): void {
  mkdirSync(folder, { recursive: true });
  plainGit(folder, ['init', '-q', '.']);
  writeFileSync(join(folder, 'inside.txt'), 'inside\n');
  if (committed) {
    plainGit(folder, ['add', 'inside.txt']);
    plainGit(folder, ['commit', '-q', '-m', 'inside']);
  }
  writeFileSync(join(folder, '.gitattributes'), HOSTILE_ATTRIBUTES);
  writeFileSync(join(folder, '.git', 'config'), canaries.config('nested'), { flag: 'a' });
  canaries.hooks('nested', join(folder, '.git', 'hooks'));
}

/** The `.git` of the agent becomes something else. */
export function replaceAgentGit(folder: string, elsewhere: string): void {
  cpSync(join(folder, '.git'), elsewhere, { recursive: true });
  writeFileSync(join(elsewhere, 'config'), '[core]\n\tworktree = /\n', { flag: 'a' });
}
