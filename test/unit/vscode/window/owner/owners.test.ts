/** Which folder is watched for a new owner, and what happens when one appears. */
import { beforeEach, expect, it, vi } from 'vitest';
import { FakeEmitter } from '../../../../support/editor/fakeEditor.ts';

interface Watcher {
  readonly base: string;
  readonly pattern: string;
  readonly created: FakeEmitter<void>;
  disposed: boolean;
}

const editor = vi.hoisted(() => ({ watchers: [] as Watcher[], inside: (_path: string): boolean => true }));

vi.mock('vscode', () => ({
  Uri: {
    file: (path: string) => ({ path }),
    joinPath: ({ path }: { path: string }, more: string) => ({ path: `${path}/${more}` }),
  },
  RelativePattern: class {
    readonly base: string;
    readonly pattern: string;
    constructor({ path }: { path: string }, pattern: string) {
      this.base = path;
      this.pattern = pattern;
    }
  },
  Disposable: {
    from: (...all: { dispose(): void }[]) => ({
      dispose: () => {
        for (const each of all) each.dispose();
      },
    }),
  },
  workspace: {
    getWorkspaceFolder: ({ path }: { path: string }) => (editor.inside(path) ? {} : undefined),
    createFileSystemWatcher: ({ base, pattern }: { base: string; pattern: string }) => {
      const watcher: Watcher = { base, pattern, created: new FakeEmitter<void>(), disposed: false };
      editor.watchers.push(watcher);
      return {
        onDidCreate: watcher.created.event,
        dispose: () => {
          watcher.disposed = true;
        },
      };
    },
  },
}));

const { followOwners } = await import('../../../../../src/vscode/window/owner/owners.ts');

function follow(projectDir: string | null) {
  const changed = new FakeEmitter<void>();
  const handle = { projectDir, onDidChange: changed.event, begun: 0, begin: async () => void handle.begun++ };
  const watching = followOwners(handle as never);
  return { handle, changed, watching };
}

beforeEach(() => {
  editor.watchers.length = 0;
  editor.inside = () => true;
});

it('begins when an owner makes its files, or the folder for them', () => {
  const { handle } = follow('/work/a');
  const [watcher] = editor.watchers;
  expect(watcher).toMatchObject({ base: '/work/a', pattern: expect.stringContaining('.autonomous,') });
  watcher?.created.fire();
  expect(handle.begun).toBe(1);
});

it('watches no whole repository above the workspace for one folder', () => {
  editor.inside = () => false;
  follow('/work');
  expect(editor.watchers).toMatchObject([{ base: '/work/.autonomous/events', pattern: '*' }]);
});

it('goes along when the window works in another folder, and ends', () => {
  const { handle, changed, watching } = follow(null);
  expect(editor.watchers).toEqual([]);
  for (const projectDir of ['/work/a', '/work/a', '/work/b']) {
    handle.projectDir = projectDir;
    changed.fire();
  }
  expect(editor.watchers.map(({ base, disposed }) => [base, disposed])).toEqual([
    ['/work/a', true],
    ['/work/b', false],
  ]);
  watching.dispose();
  expect(editor.watchers[1]?.disposed).toBe(true);
});
