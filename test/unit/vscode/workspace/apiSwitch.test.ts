/** When the editor opens the API, and closes it: by its settings, its folder and its trust, one change after the other. */
import { beforeEach, expect, it, vi } from 'vitest';
import type { Place, Workspace } from '../../../../src/engine/workspace/workspace.ts';
import { failure } from '../../../../src/shared/errors.ts';
import type { Blocker } from '../../../../src/vscode/window/folder.ts';
import { fakeWorkspace, fakeWorkspaces } from '../../../support/editor/fakeWorkspace.ts';

const editor = vi.hoisted(() => ({
  settings: {} as Record<string, unknown>,
  copied: [] as string[],
  told: [] as string[],
}));

vi.mock('vscode', () => ({
  l10n: { t: (text: string, ...values: string[]) => text.replace('{0}', values[0] ?? '') },
  env: { clipboard: { writeText: async (text: string) => void editor.copied.push(text) } },
  window: {
    setStatusBarMessage: (text: string) => void editor.told.push(text),
    showErrorMessage: async (text: string) => void editor.told.push(text),
  },
  workspace: {
    getConfiguration: () => ({ get: (name: string, otherwise: unknown) => editor.settings[name] ?? otherwise }),
  },
}));

const { ApiSwitch } = await import('../../../../src/vscode/workspace/apiSwitch.ts');

function opened() {
  const world = { log: [] as string[], folder: '/a', blocker: null as Blocker | null, busy: 0 };
  const at = (place: Place): Workspace =>
    fakeWorkspace({
      api: {
        token: async () => ({ token: 'secret', file: '' }),
        serve: async ({ port }) => {
          const { folder } = place;
          if (port === world.busy) throw failure('INVALID_INPUT', `port ${port} is in use by another program`);
          world.log.push(`open ${folder} ${port}`);
          const close = async () => void world.log.push(`close ${folder} ${port}`);
          return { url: `http://127.0.0.1:${port}`, events: '', close };
        },
      },
    });
  const handle = {
    get blocker() {
      return world.blocker;
    },
    place: () => ({ folder: world.folder, jobsDir: null }),
  };
  const log = { info: () => undefined, error: () => undefined };
  return { world, api: new ApiSwitch(handle as never, async () => ({ ...fakeWorkspaces({}), at }), log as never) };
}

const on = (port: number): void => {
  editor.settings = { 'api.enabled': true, 'api.port': port };
};

beforeEach(() => {
  editor.settings = {};
  editor.copied.length = 0;
  editor.told.length = 0;
});

it('is open where it is wanted and work is permitted, once, and never twice at a time', async () => {
  const { world, api } = opened();
  await api.heed();
  expect(world.log).toEqual([]);
  on(81);
  await Promise.all([api.heed(), api.heed()]);
  on(82);
  await api.heed();
  world.folder = '/b';
  await api.heed();
  world.blocker = 'untrusted';
  await api.heed();
  world.blocker = null;
  await api.heed();
  await api.close();
  await api.heed();
  expect(world.log).toEqual([
    ...['open /a 81', 'close /a 81', 'open /a 82', 'close /a 82'],
    ...['open /b 82', 'close /b 82', 'open /b 82', 'close /b 82'],
  ]);
});

it('tells once that a port is in use, and tries again with another', async () => {
  const { world, api } = opened();
  world.busy = 81;
  on(81);
  await api.heed();
  await api.heed();
  expect(editor.told).toEqual(['Port 81 is in use by another program.']);
  await expect(api.copyAddress()).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  on(82);
  await api.copyAddress();
  expect(editor.copied).toEqual(['http://127.0.0.1:82']);
});

it('copies the token and says it nowhere', async () => {
  const { api } = opened();
  await api.copyToken();
  expect(editor.copied).toEqual(['secret']);
  expect(editor.told.join()).not.toContain('secret');
});
