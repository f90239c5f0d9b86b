/** The folder that a window works in, by the folders that it has and the one that was chosen. */
import { expect, it, vi } from 'vitest';

const window = vi.hoisted(() => ({ folders: [] as object[] }));

vi.mock('vscode', () => ({
  workspace: {
    isTrusted: true,
    get workspaceFolders() {
      return window.folders;
    },
  },
}));

const { chosenName } = await import('../../../../src/vscode/window/folder.ts');

const folder = (name: string, scheme = 'file') => ({ name, uri: { scheme, toString: () => `${scheme}:/${name}` } });
const remembering = (chosen?: string) => ({ get: () => chosen }) as never;

it('has a name only if the window has several folders and one of them is chosen', () => {
  window.folders = [folder('web')];
  expect(chosenName(remembering('file:/web'))).toBeNull();
  window.folders = [folder('web'), folder('remote', 'vscode-vfs')];
  expect(chosenName(remembering('file:/web'))).toBeNull();
  window.folders = [folder('web'), folder('api')];
  expect(chosenName(remembering())).toBeNull();
  expect(chosenName(remembering('file:/gone'))).toBeNull();
  expect(chosenName(remembering('file:/api'))).toBe('api');
});
