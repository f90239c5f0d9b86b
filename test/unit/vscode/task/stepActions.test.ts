/** What other extensions may register, and what is refused. */
import { beforeEach, expect, it, vi } from 'vitest';

const editor = vi.hoisted(() => ({ trusted: true }));

vi.mock('vscode', () => ({
  Disposable: class {
    readonly dispose: () => void;
    constructor(dispose: () => void) {
      this.dispose = dispose;
    }
  },
  extensions: { getExtension: (id: string) => (id === 'acme.tools' ? {} : undefined) },
  workspace: {
    get isTrusted() {
      return editor.trusted;
    },
  },
}));

const { stepActions } = await import('../../../../src/vscode/task/stepActions.ts');

const ECHO = { description: 'Says it again.', run: async (params: object) => ({ ...params }) };
const call = { taskId: 'task-1', stepId: 1, signal: new AbortController().signal };

beforeEach(() => {
  editor.trusted = true;
});

it('carries out what is registered, tells of it, and takes it back', async () => {
  const actions = stepActions();
  const changes: string[][] = [];
  actions.changed(() => changes.push([...actions.names()]));
  const registered = actions.api.registerStepAction('acme.tools/echo', ECHO);
  await expect(actions.run('acme.tools/echo', { text: 'a' }, call)).resolves.toEqual({ text: 'a' });
  expect(actions.described()).toEqual([{ name: 'acme.tools/echo', description: 'Says it again.', params: null }]);
  registered.dispose();
  registered.dispose();
  expect(changes).toEqual([['acme.tools/echo'], []]);
  await expect(actions.run('acme.tools/echo', {}, call)).rejects.toThrow('nothing carries out');
});

it('runs nothing in Restricted Mode', async () => {
  const actions = stepActions();
  actions.api.registerStepAction('acme.tools/echo', ECHO);
  editor.trusted = false;
  await expect(actions.run('acme.tools/echo', {}, call)).rejects.toThrow('nothing carries out');
});

it.each([
  ['echo', ECHO],
  ['nobody.there/echo', ECHO],
  ['acme.tools/../x', ECHO],
  ['acme.tools/taken', ECHO],
  ['acme.tools/none', undefined],
  ['acme.tools/half', { description: 'No run.' }],
] as const)('refuses %s', (name, action) => {
  const { api } = stepActions();
  api.registerStepAction('acme.tools/taken', ECHO);
  expect(() => api.registerStepAction(name, action as typeof ECHO)).toThrow('registerStepAction');
});
