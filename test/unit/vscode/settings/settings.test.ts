/** Each declared setting is read, and changes what the engine or the window is given. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_OPTIONS } from '../../../../src/core/job/defaults.ts';
import { REQUESTS } from '../../../../src/engine/state/api.ts';
import { PROVIDERS } from '../../../../src/shared/model/models.ts';
import { RESTRICTED, SETTINGS } from '../../../../src/vscode/settings/declared.ts';
import type { HandlePorts } from '../../../../src/vscode/window/handle.ts';

const user = vi.hoisted(() => ({ values: new Map<string, unknown>() }));

vi.mock('vscode', () => ({
  EventEmitter: class {
    readonly event = () => ({ dispose: () => undefined });
    fire = () => undefined;
  },
  l10n: { t: (text: string) => text },
  workspace: {
    isTrusted: true,
    workspaceFolders: [{ uri: { scheme: 'file', fsPath: '/work', toString: () => 'file:///work' }, name: 'work' }],
    getConfiguration: (section: string) => ({
      get: (name: string, otherwise: unknown) =>
        user.values.has(`${section}.${name}`) ? user.values.get(`${section}.${name}`) : otherwise,
    }),
  },
}));

const { setting } = await import('../../../../src/vscode/settings/read.ts');
const { briefDefaults, mainAgentDefaults } = await import('../../../../src/vscode/settings/defaults.ts');
const { WorkspaceEngine } = await import('../../../../src/vscode/window/handle.ts');

const declared = SETTINGS.flatMap(({ properties }) => Object.entries(properties));

/** Another value that the setting may have. */
function another(of: (typeof declared)[number][1]): unknown {
  if (of.enum !== undefined) return of.enum.find((value) => value !== of.default);
  if (of.type === 'boolean') return of.default !== true;
  if (of.type === 'array') return Array.isArray(of.default) && of.default.length > 0 ? [] : [['npm', 'test']];
  if (of.type === 'string') return '/another';
  if (of.type === 'object') return { worker: 'cline' };
  return Number(of.default) + 1;
}

/** A brief's options as the engine completes them: a model that is not named is the engine's own. */
function filed(...of: Parameters<typeof briefDefaults>) {
  const { models, ...rest } = briefDefaults(...of);
  return { ...rest, models: { ...DEFAULT_OPTIONS.models, ...models } };
}

/** Everything that is taken from the settings. */
async function taken(): Promise<unknown> {
  const engine = new WorkspaceEngine({
    key: { read: async () => undefined, value: null },
    memory: { get: () => undefined },
  } as unknown as HandlePorts);
  return JSON.parse(
    JSON.stringify({
      briefs: PROVIDERS.map((provider) => filed(provider)),
      brief: filed(),
      owner: await engine.settings(),
      place: engine.place(),
      allowedHosts: setting.allowedHosts(),
      api: setting.api(),
      resumeOnOpen: setting.resumeOnOpen(),
      dayMicroUsd: setting.dayMicroUsd(),
      main: setting.provider() === 'vscode-lm' ? null : mainAgentDefaults(),
      messages: setting.tellsMessages(),
      window: [setting.statusBar(), setting.badge(), setting.notifies('approvals'), setting.notifies('failures')],
      os: setting.osNotifications(),
      keepAwake: setting.keepAwake(),
    }),
  );
}

/** Of a part of the window that reads it itself. */
const ELSEWHERE: readonly string[] = ['autonomous.notes.codeLens'];

beforeEach(() => user.values.clear());

describe('settings', () => {
  it('are few enough to be read', () => {
    expect(declared.length).toBeGreaterThanOrEqual(25);
    expect(declared.length).toBeLessThanOrEqual(49);
  });

  it.each(declared.filter(([name]) => !ELSEWHERE.includes(name)))(
    '%s is read, and is what it says',
    async (name, of) => {
      const before = await taken();
      user.values.set(name, of.default);
      expect(await taken()).toEqual(before);
      user.values.set(name, another(of));
      expect(await taken()).not.toEqual(before);
    },
  );

  it('give a brief what the engine gives where nobody says otherwise', () => {
    const {
      brief: _,
      project: __,
      unpricedLimits,
      executors,
      ...options
    } = REQUESTS.submitBrief.parse({ brief: '', ...filed() });
    expect(DEFAULT_OPTIONS).toMatchObject(options);
    // Of what has no price, whoever is chosen for it later; and nobody but the built-in agent.
    expect(unpricedLimits).toEqual({ calls: 500, tokens: 20_000_000 });
    expect(executors).toEqual({});
  });

  it.each(['minimum', 'maximum'] as const)('are accepted by the engine at their %s', (end) => {
    for (const [name, of] of declared) if (of[end] !== undefined) user.values.set(name, of[end]);
    for (const provider of PROVIDERS) REQUESTS.submitBrief.parse({ brief: '', ...briefDefaults(provider) });
  });

  it('take 0 USD of a job or a day as no limit, and of nothing else', () => {
    for (const name of ['jobUsd', 'dayUsd']) user.values.set(`autonomous.limits.${name}`, 0);
    expect(briefDefaults().budgetMicroUsd).toBeNull();
    expect(setting.dayMicroUsd()).toBeNull();
    user.values.set('autonomous.limits.dayUsd', 2.5);
    expect(setting.dayMicroUsd()).toBe(2_500_000);
  });

  it('tell of what is wanted', () => {
    const told = ['all', 'approvals', 'none'].map((value) => {
      user.values.set('autonomous.notifications', value);
      return [setting.notifies('approvals'), setting.notifies('failures')];
    });
    expect(told).toEqual([
      [true, true],
      [true, false],
      [false, false],
    ]);
  });

  it('of a repository wait for trust, as far as they are the engine’s', () => {
    const open = declared.filter(([, { scope }]) => scope === 'window').map(([name]) => name);
    expect(RESTRICTED).toEqual(open.filter((name) => !ELSEWHERE.includes(name)));
    expect(RESTRICTED).toContain('autonomous.batch');
  });

  it('have an order in their groups, and words for every choice', () => {
    for (const { properties } of SETTINGS) {
      const orders = Object.values(properties).map(({ order }) => order);
      expect(orders).toEqual(orders.map((_, at) => at + 1));
    }
    expect(declared.filter(([, of]) => of.enum?.length !== of.enumDescriptions?.length)).toEqual([]);
    expect(declared.filter(([, of]) => !/^[A-Z].*\.$/s.test(of.markdownDescription))).toEqual([]);
  });
});
