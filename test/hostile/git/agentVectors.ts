/** What an agent can leave in its work tree: its own `.git`, nested ones, attributes, pipes. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GitGround } from './ground.ts';
import { ATTRIBUTES, ATTRIBUTES_TO_MERGE, HOOKS, SETTINGS, settingText } from './settings.ts';
import type { Vector } from './vector.ts';

const settings: Vector[] = Object.keys(SETTINGS).map((name) => ({
  name: `agent ${name}`,
  plant: (ground) =>
    ground.append(join(ground.workTree, '.git', 'config'), settingText(name, ground.program(`agent ${name}`))),
}));

const hooks: Vector[] = HOOKS.flatMap((hook) => [
  {
    name: `agent hook ${hook}`,
    plant: (ground: GitGround) =>
      void ground.program(`agent hook ${hook}`, join(ground.workTree, '.git', 'hooks', hook)),
  },
  {
    name: `committed hook ${hook}`,
    plant: (ground: GitGround) => void ground.program(`committed hook ${hook}`, join(ground.workTree, '.husky', hook)),
  },
]);

/** A repository in the tree, everything of it hostile. */
function nested(name: string, path: string, how: { readonly committed?: boolean } = {}): Vector {
  return {
    name,
    filters: true,
    plant(ground) {
      const folder = join(ground.workTree, path);
      ground.repository(folder, how);
      ground.put(join(folder, '.gitattributes'), ATTRIBUTES);
      const texts = ['clean', 'process', 'fsmonitor', 'textconv', 'sshCommand'].map((setting) =>
        settingText(setting, ground.program(name)),
      );
      ground.append(join(folder, '.git', 'config'), texts.join(''));
      for (const hook of HOOKS) ground.program(name, join(folder, '.git', 'hooks', hook));
    },
  };
}

const repositories: Vector[] = [
  nested('nested repository', 'nested'),
  nested('nested repository without a commit', 'unborn', { committed: false }),
  nested('repository in a nested one', 'nested/inner'),
  nested('nested repository with a name like an option', '--upload-pack=x'),
  {
    name: 'bare repository in the tree',
    plant(ground) {
      const bare = join(ground.workTree, 'bare');
      ground.repository(bare, { bare: true });
      const program = ground.program('bare repository in the tree');
      ground.put(join(bare, 'config'), `[core]\n\tbare = false\n\tworktree = ..\n${settingText('fsmonitor', program)}`);
      for (const hook of HOOKS) ground.program('bare repository in the tree', join(bare, 'hooks', hook));
    },
  },
  {
    name: 'gitdir file to a bare repository',
    plant(ground) {
      const bare = join(ground.elsewhere, 'bare');
      ground.repository(bare, { bare: true });
      ground.append(join(bare, 'config'), settingText('fsmonitor', ground.program('gitdir file to a bare repository')));
      ground.put(join(ground.workTree, 'pointer', '.git'), `gitdir: ${bare}\n`);
      ground.put(join(ground.workTree, 'pointer', 'file.txt'), 'p\n');
    },
  },
];

const tree: Vector[] = [
  {
    name: 'agent attributes with arbitrary drivers',
    filters: true,
    plant({ workTree, put }) {
      put(join(workTree, '.gitattributes'), ATTRIBUTES);
      for (const file of ['x.slow', 'x.big', 'x.hide']) put(join(workTree, file), `${file}\n`);
    },
  },
  {
    name: 'agent attributes without filters',
    plant: ({ workTree, put }) => put(join(workTree, 'dir', '.gitattributes'), ATTRIBUTES_TO_MERGE),
  },
  {
    name: 'agent info/attributes',
    plant: ({ workTree, put }) => put(join(workTree, '.git', 'info', 'attributes'), ATTRIBUTES),
  },
  {
    name: 'agent alternates',
    masks: true,
    plant: ({ workTree, put, elsewhere }) =>
      put(join(workTree, '.git', 'objects', 'info', 'alternates'), `${elsewhere}\n/dev/zero\n`),
  },
  {
    name: 'agent grafts, shallow and replace refs',
    masks: true,
    plant({ workTree, put }) {
      for (const file of ['info/grafts', 'shallow', 'refs/replace/x', 'packed-refs'])
        put(join(workTree, '.git', file), 'x\n');
    },
  },
  {
    name: 'agent config.worktree and worktrees',
    plant({ workTree, put }) {
      put(join(workTree, '.git', 'config.worktree'), '[core]\n\tworktree = /\n');
      put(join(workTree, '.git', 'worktrees', 'x', 'gitdir'), '/\n');
    },
  },
  {
    name: 'paths that look like options',
    plant({ workTree, put }) {
      for (const name of ['--output=x', '-rf', '--exec=touch x', '-', ':(top)x', 'a\nb', 'tab\tx', "q'`$(x)"])
        put(join(workTree, name), 'x\n');
    },
  },
  {
    name: 'names that another file system reads as .git',
    plant({ workTree, put }) {
      for (const name of ['A.TXT', 'DIR/b.txt', 'dot./x', 'space /x']) put(join(workTree, name), 'x\n');
    },
  },
];

/** What git opens and cannot read, or never comes to the end of. */
function unreadable(name: string, path: string, make: (at: string) => void): Vector {
  return {
    name,
    plant({ workTree }) {
      const at = join(workTree, path);
      mkdirSync(join(at, '..'), { recursive: true });
      rmSync(at, { force: true });
      make(at);
    },
  };
}
const pipe = (at: string): void => void execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', at]);

export const ENDLESS_VECTORS: readonly Vector[] = [
  unreadable('a pipe as .gitignore', 'pipes/.gitignore', pipe),
  unreadable('a pipe as .gitattributes', 'pipes/deep/.gitattributes', pipe),
  unreadable('a pipe as .gitmodules', '.gitmodules', pipe),
  unreadable('a pipe as .gitattributes of the top', '.gitattributes', pipe),
];

const links: Vector[] = [
  unreadable('a link to a device as .gitignore', 'zero/.gitignore', (at) => symlinkSync('/dev/zero', at)),
  unreadable('a link to a device as .gitattributes', 'zero/.gitattributes', (at) => symlinkSync('/dev/zero', at)),
  unreadable('a folder as .gitignore', 'folder/.gitignore/x', (at) => writeFileSync(at, 'x\n')),
  unreadable('a pipe among the files', 'pipes/pipe', pipe),
];

export const AGENT_VECTORS: readonly Vector[] = [...repositories, ...settings, ...hooks, ...tree, ...links];

/** Refused at inspection and when taken in; its files are ordinary ones to us. */
export const SUBMODULE_VECTORS: readonly Vector[] = [
  {
    name: 'submodules with commands and paths out of the tree',
    plant({ workTree, put }) {
      const of = (name: string, path: string): string =>
        `[submodule "${name}"]\n\tpath = ${path}\n\turl = ext::sh -c touch%20x\n\tupdate = !touch x\n`;
      put(
        join(workTree, '.gitmodules'),
        of('evil', 'nested') + of('../../evil', '../outside') + of('-c', '.git/hooks'),
      );
    },
  },
];

/** The agent's `.git` becomes something else. */
export const DOT_GIT_VECTORS: readonly Vector[] = [
  {
    name: 'agent core.worktree /',
    plant: ({ workTree, append }) => append(join(workTree, '.git', 'config'), '[core]\n\tworktree = /\n'),
  },
  {
    name: 'agent .git a link',
    plant({ workTree, elsewhere }) {
      cpSync(join(workTree, '.git'), join(elsewhere, 'agent'), { recursive: true });
      rmSync(join(workTree, '.git'), { recursive: true });
      symlinkSync(join(elsewhere, 'agent'), join(workTree, '.git'));
    },
  },
  {
    name: 'agent .git a file',
    plant({ workTree, elsewhere }) {
      rmSync(join(workTree, '.git'), { recursive: true, force: true });
      writeFileSync(join(workTree, '.git'), `gitdir: ${join(elsewhere, 'agent')}\n`);
    },
  },
];
