/** The offer of WSL, on a stand-in for the editor: to whom it is made, and what the answers do. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const editor = vi.hoisted(() => ({
  remoteName: undefined as string | undefined,
  sandbox: 'auto',
  installed: true,
  answer: undefined as string | undefined,
  asked: 0,
  ran: [] as unknown[][],
}));

vi.mock('vscode', () => ({
  l10n: { t: (text: string) => text },
  env: {
    get remoteName() {
      return editor.remoteName;
    },
  },
  extensions: { getExtension: () => (editor.installed ? {} : undefined) },
  commands: { executeCommand: async (...words: unknown[]) => void editor.ran.push(words) },
  window: {
    showInformationMessage: async () => {
      editor.asked++;
      return editor.answer;
    },
  },
  workspace: { getConfiguration: () => ({ get: (_: string, none: unknown) => editor.sandbox ?? none }) },
}));

const { offerWsl, reopenInWsl } = await import('../../../../src/vscode/window/wsl.ts');

const real = process.platform;
const on = (value: string): void => void Object.defineProperty(process, 'platform', { value });
const memory = () => {
  const kept = new Map<string, unknown>();
  const globalState = {
    get: (key: string) => kept.get(key),
    update: async (key: string, value: unknown) => void kept.set(key, value),
  };
  return { globalState } as unknown as Parameters<typeof offerWsl>[0];
};

beforeEach(() => {
  Object.assign(editor, {
    remoteName: undefined,
    sandbox: 'auto',
    installed: true,
    answer: undefined,
    asked: 0,
    ran: [],
  });
  on('win32');
});
afterEach(() => on(real));

it('asks once, and reopens the folder if the person wants it', async () => {
  const context = memory();
  editor.answer = 'Reopen in WSL';
  await offerWsl(context);
  await offerWsl(context);
  expect(editor.asked).toBe(1);
  expect(editor.ran).toEqual([['remote-wsl.reopenInWSL']]);
});

it('does nothing after another answer', async () => {
  editor.answer = 'Continue Here';
  await offerWsl(memory());
  expect([editor.asked, editor.ran]).toEqual([1, []]);
});

it.each([
  ['on Linux', () => on('linux')],
  ['in a remote window', () => Object.assign(editor, { remoteName: 'wsl' })],
  ['if the person switched the sandbox off', () => Object.assign(editor, { sandbox: 'off' })],
])('asks nothing %s', async (_, set) => {
  set();
  await offerWsl(memory());
  expect(editor.asked).toBe(0);
});

it('shows the extension for it if that is missing', async () => {
  editor.installed = false;
  await reopenInWsl();
  expect(editor.ran).toEqual([['workbench.extensions.search', '@id:ms-vscode-remote.remote-wsl']]);
});
