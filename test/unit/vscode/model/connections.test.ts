/** Adding a connection and choosing models, on a stand-in for the editor. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConnectionsApi } from '../../../../src/engine/workspace/connectionsApi.ts';
import { failure } from '../../../../src/shared/errors.ts';
import type { ApiKey } from '../../../../src/vscode/window/owner/key.ts';

const person = vi.hoisted(() => ({
  /** Labels that are picked and texts that are typed, in order; undefined: dismissed. */
  picks: [] as (string | undefined)[],
  types: [] as (string | undefined)[],
  shown: [] as { label: string; description?: string; detail?: string }[],
  told: [] as string[],
  values: new Map<string, unknown>(),
}));

vi.mock('vscode', () => ({
  ConfigurationTarget: { Global: 1 },
  ProgressLocation: { Notification: 15, Window: 10 },
  QuickPickItemKind: { Separator: -1 },
  InputBoxValidationSeverity: { Warning: 2 },
  l10n: { t: (text: string, ...values: unknown[]) => text.replaceAll(/\{(\d)\}/g, (_, at) => String(values[at])) },
  commands: { executeCommand: async (id: string) => void person.told.push(id) },
  window: {
    withProgress: async (_: object, run: () => Promise<unknown>) => run(),
    showQuickPick: async (given: readonly { label: string }[] | Promise<readonly { label: string }[]>) => {
      const items = await given;
      person.shown = [...items];
      const label = person.picks.shift();
      return items.find((item) => item.label === label);
    },
    showInputBox: async ({ value, validateInput }: { value?: string; validateInput?: (text: string) => unknown }) => {
      const typed = person.types.shift();
      const text = typed === '=' ? value : typed;
      const fault = text === undefined ? undefined : validateInput?.(text);
      if (typeof fault === 'string') person.told.push(fault);
      return typeof fault === 'string' ? undefined : text;
    },
    showInformationMessage: async (text: string) => void person.told.push(text),
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

const { addConnection } = await import('../../../../src/vscode/model/addConnection.ts');
const { chooseModels } = await import('../../../../src/vscode/model/chooseModels.ts');

const PRESETS = [
  { name: 'ollama', title: 'Ollama', baseUrl: 'http://127.0.0.1:11434', needsKey: false, url: '' },
  { name: 'gateway', title: 'A company gateway', baseUrl: null, needsKey: true, url: '' },
];

function world(api: Partial<ConnectionsApi> = {}) {
  const added: unknown[] = [];
  const stored: unknown[] = [];
  const list = async () => ({ connections: [], presets: PRESETS, faults: [], file: '' });
  const key = {
    ofConnection: async () => undefined,
    storeFor: async (...of: unknown[]) => void stored.push(of),
  } as unknown as ApiKey;
  const given = {
    list,
    add: async (name: string, entry: { baseUrl?: string }) => {
      added.push([name, entry]);
      return { connection: { name, baseUrl: entry.baseUrl ?? 'http://127.0.0.1:11434' }, change: 'added', kept: [] };
    },
    check: async () => [{ name: 'server', ok: true, detail: '', fix: '' }],
    ...api,
  } as unknown as ConnectionsApi;
  return { added, stored, add: () => addConnection(given, key), choose: () => chooseModels(given, key) };
}

beforeEach(() => {
  Object.assign(person, { picks: [], types: [], shown: [], told: [] });
  person.values.clear();
});

describe('adding a connection', () => {
  it('to a local server asks for its name and address alone, and says that it works', async () => {
    const at = world();
    Object.assign(person, { picks: ['Ollama'], types: ['=', '='] });
    await at.add();
    expect(at.added).toEqual([['ollama', {}]]);
    expect(at.stored).toEqual([]);
    expect(person.told).toEqual(['The connection ollama works.']);
  });

  it('to a company stores the key apart from the entry', async () => {
    const at = world();
    Object.assign(person, { picks: ['A company gateway'], types: ['team', 'https://llm.example/v1', 'sk-team'] });
    await at.add();
    expect(at.added).toEqual([['team', { preset: 'gateway', baseUrl: 'https://llm.example/v1' }]]);
    expect(at.stored).toEqual([['team@llm.example', 'sk-team']]);
  });

  it('whose server lists its models without a key says that the key is not confirmed', async () => {
    const open = { name: 'key', ok: true, isUnknown: true as const, detail: '', fix: '' };
    const at = world({ check: async () => [open] });
    Object.assign(person, { picks: ['A company gateway'], types: ['team', 'https://llm.example', 'sk-team'] });
    await at.add();
    expect(person.told.join()).toContain('the first call shows whether it takes the key');
  });

  it.each([
    ['an address of an example', ['team', 'https://RESOURCE.example'], 'replace RESOURCE'],
    ['an address with a password', ['team', 'https://me:pa@llm.example'], 'without a user, a password'],
    ['a name with capitals', ['Team'], 'lower case letters'],
  ])('with %s is refused while it is typed, and nothing is written', async (_, types, words) => {
    const at = world();
    Object.assign(person, { picks: ['A company gateway'], types });
    await at.add();
    expect([at.added, at.stored]).toEqual([[], []]);
    expect(person.told.join()).toContain(words);
  });

  it('that is dismissed at the key writes nothing', async () => {
    const at = world();
    Object.assign(person, { picks: ['A company gateway'], types: ['team', 'https://llm.example', undefined] });
    await at.add();
    expect([at.added, at.stored, person.told]).toEqual([[], [], []]);
  });

  it('whose server does not answer says what is wrong', async () => {
    const bad = { name: 'server', ok: false, detail: 'the model server refuses connections', fix: 'Start it.' };
    const at = world({ check: async () => [bad] });
    Object.assign(person, { picks: ['Ollama'], types: ['=', '='] });
    await at.add();
    expect(person.told.join()).toContain('cannot be used yet: the model server refuses connections. Start it.');
  });
});

describe('choosing models', () => {
  const connections = ['ollama', 'down'].map((name) => ({ connection: { name, title: name }, key: 'none' }));
  const terms = { tiers: null, window: 32_768, source: '' };
  const at = () =>
    world({
      list: async () => ({ connections, presets: [], faults: [], file: '' }) as never,
      models: async (name) => {
        if (name === 'down') throw failure('MODEL_UNAVAILABLE', 'the server refuses connections');
        return [{ name: 'ollama/qwen3', terms, isChecked: true }];
      },
    });

  it('shows price, context and check of each, and what a silent server says', async () => {
    person.picks = ['Worker', undefined];
    await at().choose();
    expect(person.shown).toContainEqual(
      expect.objectContaining({
        label: 'ollama/qwen3',
        description: 'no price: calls and tokens are limited',
        detail: 'context of 32k tokens · checked today',
      }),
    );
    expect(person.shown).toContainEqual(
      expect.objectContaining({ label: '$(warning) down', detail: 'the server refuses connections' }),
    );
    expect(person.shown).toContainEqual(
      expect.objectContaining({ label: 'claude-opus-5-5', description: '$4 in, $20 out per million tokens' }),
    );
    expect(person.values.size).toBe(0);
  });

  it('sets the setting of the role, or of all roles', async () => {
    person.picks = ['Worker', 'ollama/qwen3', 'All roles', 'claude-opus-5-5'];
    const one = at();
    await one.choose();
    expect([...person.values]).toEqual([['autonomous.models.worker', 'ollama/qwen3']]);
    await one.choose();
    expect(person.values.get('autonomous.models.planner')).toBe('claude-opus-5-5');
    expect(person.values.get('autonomous.models.worker')).toBe('claude-opus-5-5');
  });

  it('a line that says what is wrong cannot be chosen', async () => {
    person.picks = ['Worker', '$(warning) down'];
    await at().choose();
    expect(person.values.size).toBe(0);
  });
});
