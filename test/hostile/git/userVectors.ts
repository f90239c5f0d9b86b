/** What a repository and a home can hold that makes git run, read or write something else. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { plainGit } from '../../support/git/gitFixture.ts';
import type { GitGround } from './ground.ts';
import { ATTRIBUTES, HOOKS, SETTINGS, settingText } from './settings.ts';
import type { Vector } from './vector.ts';

/** Files that configure: the repository's and the home's. */
const CONFIGURATIONS: Readonly<Record<string, (ground: GitGround) => string>> = {
  local: ({ userGit }) => join(userGit, 'config'),
  global: ({ home }) => join(home, '.gitconfig'),
};

const settings: Vector[] = Object.entries(CONFIGURATIONS).flatMap(([scope, file]) =>
  Object.keys(SETTINGS).map((name) => ({
    name: `user ${scope} ${name}`,
    plant: (ground: GitGround) => {
      ground.append(file(ground), settingText(name, ground.program(`user ${scope} ${name}`)));
    },
  })),
);

const hooks: Vector[] = HOOKS.map((hook) => ({
  name: `user hook ${hook}`,
  plant: (ground) => void ground.program(`user hook ${hook}`, join(ground.userGit, 'hooks', hook)),
}));

function including(name: string, condition: (ground: GitGround) => string): Vector {
  return {
    name: `user ${name}`,
    plant(ground) {
      const file = join(ground.userGit, name);
      ground.put(file, settingText('fsmonitor', ground.program(`user ${name}`)));
      ground.append(join(ground.userGit, 'config'), `[${condition(ground)}]\n\tpath = ${file}\n`);
    },
  };
}

const configured: Vector[] = [
  including('include', () => 'include'),
  including('includeIf gitdir', ({ userGit }) => `includeIf "gitdir:${userGit}"`),
  including('includeIf onbranch', () => 'includeIf "onbranch:main"'),
  {
    name: 'user hooksPath .husky',
    masks: true,
    plant: ({ userGit, append }) => append(join(userGit, 'config'), '[core]\n\thooksPath = .husky\n'),
  },
  {
    name: 'user attributesFile',
    plant(ground) {
      ground.put(join(ground.home, 'attributes'), ATTRIBUTES);
      ground.append(join(ground.home, '.gitconfig'), `[core]\n\tattributesFile = ${join(ground.home, 'attributes')}\n`);
    },
  },
  {
    name: 'user excludesFile a device',
    plant: ({ home, append }) => append(join(home, '.gitconfig'), '[core]\n\texcludesFile = /dev/null\n'),
  },
  {
    name: 'user config.worktree',
    plant(ground) {
      const program = ground.program('user config.worktree');
      ground.append(join(ground.userGit, 'config'), '[extensions]\n\tworktreeConfig = true\n');
      ground.put(join(ground.userGit, 'config.worktree'), settingText('fsmonitor', program));
    },
  },
  {
    name: 'user trace2 target',
    plant: ({ home, elsewhere, append }) =>
      append(join(home, '.gitconfig'), `[trace2]\n\teventTarget = ${join(elsewhere, 'trace2')}\n`),
  },
];

const files: Vector[] = [
  {
    name: 'user links in the tree',
    plant({ fixture }) {
      mkdirSync(join(fixture.repo, 'links'));
      for (const [at, to] of [
        ['out', '/etc/passwd'],
        ['-c', '/dev/zero'],
        ['loop', 'loop'],
      ] as const)
        symlinkSync(to, join(fixture.repo, 'links', at));
      fixture.user('add', '--', 'links');
      fixture.user('commit', '-q', '--no-verify', '--no-gpg-sign', '-m', '--amend --exec=x');
    },
  },
  {
    name: 'user info/attributes',
    filters: true,
    plant: ({ userGit, put }) => put(join(userGit, 'info', 'attributes'), ATTRIBUTES),
  },
  {
    name: 'user grafts',
    plant: ({ userGit, put, fixture }) =>
      put(join(userGit, 'info', 'grafts'), `${fixture.user('rev-parse', 'HEAD').trim()}\n`),
  },
  {
    name: 'user replace ref',
    plant({ fixture }) {
      fixture.write(fixture.repo, { 'replaced.txt': 'replaced\n' });
      const first = fixture.user('rev-parse', 'HEAD').trim();
      const blob = fixture.user('hash-object', '-w', 'replaced.txt').trim();
      fixture.write(fixture.repo, { 'replaced.txt': null });
      fixture.user('replace', '-f', fixture.user('rev-parse', `${first}:a.txt`).trim(), blob);
    },
  },
  {
    name: 'user option-like refs',
    plant({ userGit, append, fixture }) {
      const head = fixture.user('rev-parse', 'HEAD').trim();
      const names = [
        'heads/--upload-pack=x',
        'heads/-c',
        'tags/--exec',
        'heads/@{-1}',
        'tags/a;b',
        'remotes/origin/HEAD',
      ];
      append(join(userGit, 'packed-refs'), names.map((name) => `${head} refs/${name}\n`).join(''));
    },
  },
  {
    name: 'user tag of a tag of itself',
    plant: ({ fixture }) => void fixture.user('tag', '-a', '-m', '--amend', '--', 'v1'),
  },
  {
    name: 'user alternates',
    plant: ({ userGit, elsewhere, append }) =>
      append(join(userGit, 'objects', 'info', 'alternates'), `${join(elsewhere, 'objects')}\n`),
  },
  {
    name: 'user staged gitlink to a repository with filters',
    plant(ground) {
      const nested = join(ground.repo, 'nested-user');
      ground.repository(nested);
      const id = plainGit(nested, ['rev-parse', 'HEAD']).trim();
      ground.put(join(nested, '.gitattributes'), ATTRIBUTES);
      const program = ground.program('user staged gitlink to a repository with filters');
      ground.append(join(nested, '.git', 'config'), settingText('clean', program) + settingText('fsmonitor', program));
      ground.put(join(nested, 'inside.txt'), 'INSIDE\n');
      ground.fixture.user('update-index', '--add', '--cacheinfo', `160000,${id},nested-user`);
    },
  },
  {
    name: 'user embedded bare repository',
    plant(ground) {
      const bare = join(ground.repo, 'bare-user');
      ground.repository(bare, { bare: true });
      const program = ground.program('user embedded bare repository');
      ground.put(join(bare, 'config'), `[core]\n\tbare = false\n\tworktree = ..\n${settingText('fsmonitor', program)}`);
    },
  },
  {
    name: 'user linked work tree that is gone',
    plant({ userGit, put, fixture }) {
      const folder = join(userGit, 'worktrees', '--exec');
      put(join(folder, 'gitdir'), '/nowhere/.git\n');
      put(join(folder, 'HEAD'), `${fixture.user('rev-parse', 'HEAD').trim()}\n`);
      put(join(folder, 'commondir'), '../..\n');
    },
  },
  {
    name: 'user object that nothing reaches',
    plant({ fixture }) {
      fixture.write(fixture.repo, { 'lost.txt': 'lost\n' });
      fixture.user('hash-object', '-w', 'lost.txt');
      fixture.write(fixture.repo, { 'lost.txt': null });
    },
  },
];

/** In the environment of whoever starts us. */
const VARIABLES = [
  'EDITOR',
  'VISUAL',
  'PAGER',
  'SSH_ASKPASS',
  'GIT_EDITOR',
  'GIT_SEQUENCE_EDITOR',
  'GIT_PAGER',
  'GIT_EXTERNAL_DIFF',
  'GIT_SSH',
  'GIT_SSH_COMMAND',
  'GIT_ASKPASS',
  'GIT_PROXY_COMMAND',
] as const;
const PLACES: Readonly<Record<string, (ground: GitGround) => string>> = {
  GIT_DIR: () => '/nonexistent',
  GIT_WORK_TREE: () => '/',
  GIT_INDEX_FILE: ({ elsewhere }) => join(elsewhere, 'index'),
  GIT_OBJECT_DIRECTORY: ({ elsewhere }) => join(elsewhere, 'objects'),
  GIT_ALTERNATE_OBJECT_DIRECTORIES: ({ elsewhere }) => elsewhere,
  GIT_COMMON_DIR: ({ elsewhere }) => elsewhere,
  GIT_NAMESPACE: () => 'evil',
  GIT_TRACE: ({ elsewhere }) => join(elsewhere, 'trace'),
  GIT_TRACE2_EVENT: ({ elsewhere }) => join(elsewhere, 'trace2-env'),
  GIT_REDIRECT_STDERR: ({ elsewhere }) => join(elsewhere, 'stderr'),
  GIT_ATTR_SOURCE: () => 'HEAD',
  GIT_LITERAL_PATHSPECS: () => '0',
  LD_PRELOAD: ({ elsewhere }) => join(elsewhere, 'none.so'),
};

const environment: Vector[] = [
  ...VARIABLES.map((name) => ({
    name: `variable ${name}`,
    plant(ground: GitGround) {
      ground.environment[name] = ground.program(`variable ${name}`);
    },
  })),
  ...Object.entries(PLACES).map(([name, value]) => ({
    name: `variable ${name}`,
    plant(ground: GitGround) {
      ground.environment[name] = value(ground);
    },
  })),
  {
    name: 'variable GIT_CONFIG_COUNT',
    plant(ground) {
      const value = ground.program('variable GIT_CONFIG_COUNT');
      Object.assign(ground.environment, {
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'core.fsmonitor',
        GIT_CONFIG_VALUE_0: value,
      });
    },
  },
  {
    name: 'variable GIT_CONFIG_GLOBAL',
    plant(ground) {
      const file = join(ground.elsewhere, 'config');
      ground.put(file, settingText('fsmonitor', ground.program('variable GIT_CONFIG_GLOBAL')));
      ground.environment['GIT_CONFIG_GLOBAL'] = file;
    },
  },
  {
    name: 'variable GIT_TEMPLATE_DIR',
    plant(ground) {
      const folder = join(ground.elsewhere, 'templates');
      for (const hook of HOOKS) ground.program('variable GIT_TEMPLATE_DIR', join(folder, 'hooks', hook));
      ground.environment['GIT_TEMPLATE_DIR'] = folder;
    },
  },
  {
    name: 'variable GIT_EXEC_PATH',
    plant(ground) {
      const folder = join(ground.elsewhere, 'exec');
      for (const verb of ['git-upload-pack', 'git-remote-ext', 'git-fetch'])
        ground.program('variable GIT_EXEC_PATH', join(folder, verb));
      ground.environment['GIT_EXEC_PATH'] = folder;
    },
  },
  {
    name: 'a git of the PATH that a package brought, and one of the folder',
    plant(ground) {
      const trap = join(ground.fixture.folder, 'node_modules', '.bin');
      for (const folder of [trap, ground.repo, ground.elsewhere])
        ground.program('a git of the PATH that a package brought, and one of the folder', join(folder, 'git'));
      ground.environment['PATH'] = `.:${trap}:${process.env['PATH']}`;
      ground.put(join(ground.userGit, 'info', 'exclude'), 'git\n');
    },
  },
];

export const USER_VECTORS: readonly Vector[] = [...files, ...hooks, ...configured, ...settings, ...environment];
