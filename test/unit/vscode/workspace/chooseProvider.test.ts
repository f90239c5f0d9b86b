/** Choosing a model of the editor, from the command to the brief, on a stand-in for the editor. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { HostContext } from '../../../../src/vscode/window/context.ts';
import type { World } from '../../../../src/vscode/window/world.ts';
import { fakeLanguageModels, languageModelError } from '../../../support/editor/fakeLanguageModels.ts';

const person = vi.hoisted(() => ({
  /** Labels, picked one after the other; undefined: dismissed. */
  picks: [] as (string | undefined)[],
  told: [] as string[],
  values: new Map<string, unknown>(),
  commands: new Map<string, (...args: unknown[]) => Promise<void>>(),
  lm: {} as object,
}));

vi.mock('vscode', () => ({
  ConfigurationTarget: { Global: 1 },
  CancellationTokenSource: class {
    readonly token = { onCancellationRequested: () => undefined };
    cancel = () => undefined;
    dispose = () => undefined;
  },
  Disposable: { from: () => ({ dispose: () => undefined }) },
  LanguageModelChatMessage: { User: (content: string) => ({ role: 'user', content }) },
  l10n: { t: (text: string, ...values: unknown[]) => text.replaceAll(/\{(\d)\}/g, (_, at) => String(values[at])) },
  commands: {
    registerCommand: (id: string, run: (...args: unknown[]) => Promise<void>) => {
      person.commands.set(id, run);
      return { dispose: () => undefined };
    },
  },
  get lm() {
    return person.lm;
  },
  window: {
    showQuickPick: async (items: readonly { label: string }[]) => {
      const label = person.picks.shift();
      return items.find((item) => item.label === label);
    },
    showWarningMessage: async (text: string) => void person.told.push(text),
    showErrorMessage: async (text: string) => void person.told.push(text),
  },
  workspace: {
    getConfiguration: (section: string) => ({
      get: (name: string, otherwise: unknown) => person.values.get(`${section}.${name}`) ?? otherwise,
      update: async (name: string, value: unknown) => void person.values.set(`${section}.${name}`, value),
    }),
  },
}));

const { registerWindowCommands } = await import('../../../../src/vscode/workspace/windowCommands.ts');
const { withDefaults } = await import('../../../../src/vscode/settings/defaults.ts');

const log = { error: () => undefined } as unknown as HostContext['log'];
const choose = async (): Promise<void> => {
  registerWindowCommands({ log } as HostContext, {} as World);
  await person.commands.get('autonomous.chooseProvider')?.();
};
const chosen = (): unknown[] => [
  person.values.get('autonomous.provider'),
  person.values.get('autonomous.models.editor'),
];
const EDITORS = 'Models of the editor';

beforeEach(() => {
  person.picks = [];
  person.told = [];
  person.values.clear();
  person.lm = { selectChatModels: async () => [] };
});

describe('Choose Provider', () => {
  it('takes the model that was picked, once its use is allowed, and limits its jobs', async () => {
    const { editor, asked } = fakeLanguageModels(['OK']);
    person.lm = editor.lm;
    person.picks = [EDITORS, 'Fake 1'];
    await choose();
    expect(asked).toHaveLength(1);
    expect(chosen()).toEqual(['vscode-lm', 'test/fake-1']);
    const brief = withDefaults({ brief: 'x' });
    expect(brief).toMatchObject({ provider: 'vscode-lm', unpricedLimits: { calls: 500, tokens: 20_000_000 } });
    expect(Object.values(brief.models ?? {})).toEqual(Array(4).fill('test/fake-1'));
    expect(person.told).toEqual([]);
  });

  it('changes nothing when the use is refused, and says how to allow it', async () => {
    const { editor } = fakeLanguageModels(languageModelError('NoPermissions'));
    person.lm = editor.lm;
    person.picks = [EDITORS, 'Fake 1'];
    await choose();
    expect(chosen()).toEqual([undefined, undefined]);
    expect(person.told).toEqual(['Autonomous was not allowed to use Fake 1. Run Choose Provider again to allow it.']);
  });

  it.each(['Blocked', 'NotFound', 'Unknown'])('changes nothing when the model answers %s', async (code) => {
    const { editor } = fakeLanguageModels(languageModelError(code));
    person.lm = editor.lm;
    person.picks = [EDITORS, 'Fake 1'];
    await choose();
    expect(chosen()).toEqual([undefined, undefined]);
    expect(person.told).toHaveLength(1);
    expect(person.told[0]).toMatch(/^Fake 1 did not answer: .+\. The provider stays as it was\.$/);
  });

  it('says so when the editor has no model', async () => {
    person.picks = [EDITORS];
    await choose();
    expect(chosen()).toEqual([undefined, undefined]);
    expect(person.told[0]).toContain('The editor has no language models.');
  });

  it.each([[[undefined]], [[EDITORS, undefined]]])('changes nothing when it is dismissed: %j', async (picks) => {
    const { editor, asked } = fakeLanguageModels(['OK']);
    person.lm = editor.lm;
    person.picks = [...picks];
    await choose();
    expect(chosen()).toEqual([undefined, undefined]);
    expect(asked).toEqual([]);
    expect(person.told).toEqual([]);
  });

  it('takes another provider without asking any model', async () => {
    person.picks = ['Simulated'];
    await choose();
    expect(chosen()).toEqual(['simulated', undefined]);
  });
});

it('files no brief for the editor’s models before one is chosen', () => {
  person.values.set('autonomous.provider', 'vscode-lm');
  expect(() => withDefaults({ brief: 'x' })).toThrow(expect.objectContaining({ code: 'MODEL_NOT_CHOSEN' }));
  expect(withDefaults({ brief: 'x', provider: 'simulated' }).provider).toBe('simulated');
  expect(withDefaults({ brief: 'x', models: { worker: 'test/fake-1' } }).unpricedLimits).toBeDefined();
});

it('files a brief for the agents that are chosen for it, then for its project, then in the settings', () => {
  person.values.set('autonomous.executors', { planner: 'codex', worker: 'codex', reviewer: 'codex' });
  const project = { id: 'api', provider: 'simulated', scenario: null, model: null } as const;
  const of = (executors: object | null) =>
    withDefaults({ brief: 'x', executors: { worker: 'builtin' } }, { ...project, executors });
  expect(of({ worker: 'goose', reviewer: 'goose' }).executors).toEqual({
    planner: 'codex',
    worker: 'builtin',
    reviewer: 'goose',
  });
  expect(of(null)).toMatchObject({ executors: { reviewer: 'codex' }, unpricedLimits: { calls: 500 } });
});
