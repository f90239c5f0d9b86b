/** Where the key comes from, and what is said when the keyring of the machine fails. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ExtensionContext, LogOutputChannel } from 'vscode';
import { type FakeEditor, FakeEmitter } from '../../../../support/editor/fakeEditor.ts';
import { untilHolds } from '../../../../support/time/untilHolds.ts';

const editor = vi.hoisted(() => ({ current: null as unknown as FakeEditor }));

vi.mock('vscode', async () => {
  const { editorModule, fakeEditor } = await import('../../../../support/editor/fakeEditor.ts');
  editor.current = fakeEditor();
  return editorModule(editor.current);
});

const { askForKey } = await import('../../../../../src/vscode/window/owner/askForKey.ts');
const { apiKey } = await import('../../../../../src/vscode/window/owner/key.ts');

function keyring(failing: string | null = null) {
  const kept = new Map<string, string>();
  const logged: string[] = [];
  const changed = new FakeEmitter<{ readonly key: string }>();
  const ring = (): Map<string, string> => {
    if (failing !== null) throw new Error(failing);
    return kept;
  };
  const secrets = {
    get: async (name: string) => ring().get(name),
    store: async (name: string, value: string) => void ring().set(name, value),
    delete: async (name: string) => void ring().delete(name),
    onDidChange: changed.event,
  };
  const log = { warn: (text: string) => logged.push(text) } as unknown as LogOutputChannel;
  const key = apiKey({ secrets, subscriptions: [] } as unknown as ExtensionContext, log);
  return { key, kept, logged, changed };
}

beforeEach(() => {
  editor.current.types = [];
  editor.current.settings = {};
  editor.current.told.length = 0;
});

afterEach(() => vi.unstubAllEnvs());

it('is what was typed, without the blanks around it; an empty answer forgets it, none changes nothing', async () => {
  const { key, kept } = keyring();
  editor.current.types = [' sk-1 ', undefined];
  await askForKey(key, null);
  expect([key.value, key.source, [...kept.values()]]).toEqual(['sk-1', 'stored', ['sk-1']]);
  await askForKey(key, null);
  expect(key.value).toBe('sk-1');
  editor.current.types = [''];
  await askForKey(key, null);
  expect([key.value, key.source, kept.size]).toEqual([null, 'none', 0]);
});

it('is the one of the environment where none is stored', async () => {
  vi.stubEnv('ANTHROPIC_API_KEY', 'sk-env');
  const { key } = keyring();
  await key.read();
  expect([key.value, key.source]).toEqual(['sk-env', 'environment']);
  await key.store('sk-own');
  expect([key.value, key.source]).toEqual(['sk-own', 'stored']);
});

it.each([
  ['hello', '', /sk-ant-/],
  ['hello', 'https://api.anthropic.com', /sk-ant-/],
  ['hello', 'https://gateway.example', /too short to be taken out of logs/],
  ['hello-from-another', 'https://gateway.example', /is stored\.$/],
  ['sk-ant-0123456789', '', /is stored\.$/],
])('%j for %j is kept, and what does not look like a key there is said to', async (typed, baseUrl, said) => {
  const { key } = keyring();
  editor.current.settings = { baseUrl };
  editor.current.types = [typed];
  await askForKey(key, null);
  expect(key.value).toBe(typed);
  expect(editor.current.told).toEqual([expect.stringMatching(said)]);
});

it('is read again when another window stores one', async () => {
  const { key, kept, changed } = keyring();
  kept.set('autonomous.anthropicApiKey', 'sk-other');
  changed.fire({ key: 'autonomous.anthropicApiKey' });
  await untilHolds(() => expect(key.value).toBe('sk-other'));
});

it('a keyring that fails is named, with what can be done instead, and never the key', async () => {
  vi.stubEnv('ANTHROPIC_API_KEY', 'sk-env');
  const { key, logged } = keyring('no keyring daemon');
  await key.read();
  expect(key.value).toBe('sk-env');
  expect(logged.join()).toContain('no keyring daemon');
  editor.current.types = ['sk-typed'];
  await askForKey(key, null);
  expect(editor.current.told).toEqual([expect.stringMatching(/no keyring daemon.*ANTHROPIC_API_KEY/s)]);
  expect([...editor.current.told, ...logged].join()).not.toContain('sk-typed');
  expect(key.value).toBe('sk-env');
});
