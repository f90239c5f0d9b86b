/** The status bar and the badge: a state that cannot be shown does not keep them from showing the next one. */
import { expect, it, vi } from 'vitest';
import type { State } from '../../../../src/shared/workspace/state.ts';
import { showSummary } from '../../../../src/vscode/page/summary.ts';
import type { BoardViews } from '../../../../src/vscode/page/views.ts';
import type { HostContext } from '../../../../src/vscode/window/context.ts';
import { FakeEmitter } from '../../../support/editor/fakeEditor.ts';
import { jobRow, projectRow, spendRow, stateOf } from '../../../support/state/builders.ts';
import { FakeClock } from '../../../support/time/fakeClock.ts';

const item = vi.hoisted(() => ({ text: '', tooltip: '', show: () => undefined, hide: () => undefined }));

vi.mock('vscode', async () => {
  const editor = await import('../../../support/editor/fakeEditor.ts');
  const nothing = { dispose: () => undefined };
  return {
    EventEmitter: editor.FakeEmitter,
    Disposable: { from: () => nothing },
    StatusBarAlignment: { Left: 1 },
    l10n: { t: (text: string, ...values: unknown[]) => text.replaceAll(/\{(\d)\}/g, (_, at) => String(values[at])) },
    env: { language: 'en' },
    commands: { executeCommand: async () => undefined },
    window: { createTreeView: () => ({}), createStatusBarItem: () => item },
    workspace: {
      getConfiguration: () => ({ get: (_: string, otherwise: unknown) => otherwise }),
      onDidChangeConfiguration: () => nothing,
      onDidGrantWorkspaceTrust: () => nothing,
      onDidChangeWorkspaceFolders: () => nothing,
    },
  };
});

it('shows the next state after one that it could not show', () => {
  const changed = new FakeEmitter<void>();
  const clock = new FakeClock();
  const error = vi.fn();
  const running = stateOf({ jobs: [jobRow({ status: 'running' })] });
  const states: (() => State)[] = [
    () => {
      throw new Error('damaged');
    },
    () => running,
  ];
  let state = (): State => stateOf({});
  const engine = {
    get state() {
      return state();
    },
    get atWork() {
      return { works: true, jobs: [...state().jobs.keys()] };
    },
    blocker: null,
    folder: null,
    onDidChange: changed.event,
  };
  const extension = { workspaceState: { get: (_: string, otherwise: unknown) => otherwise } };
  const context = { engine, extension, log: { error }, today: () => '2026-11-21' } as unknown as HostContext;
  showSummary(context, clock, { setBadge: () => true } as unknown as BoardViews);
  for (const next of states) {
    state = next;
    changed.fire();
    clock.advance(1_000);
  }
  expect(error).toHaveBeenCalledTimes(1);
  expect(item.text).toBe('$(sync~spin) 1 running');
});

it('names the folder that a window with several folders works in', () => {
  const state = stateOf({ jobs: [jobRow({ status: 'running' })] });
  const atWork = { works: true, jobs: [...state.jobs.keys()], turns: [] };
  const engine = { state, atWork, blocker: null, folder: 'web $(bug)', onDidChange: new FakeEmitter<void>().event };
  const extension = { workspaceState: { get: (_: string, otherwise: unknown) => otherwise } };
  const context = { engine, extension, log: {}, today: () => '2026-11-21' } as unknown as HostContext;
  showSummary(context, new FakeClock(), { setBadge: () => true } as unknown as BoardViews);
  expect(item.text).toBe('$(sync~spin) web $ (bug) · 1 running');
  expect(item.tooltip).toContain('Folder: web $(bug)');
});

it('counts what waits apart from what runs, and names it', () => {
  const wait = { code: 'limit', reason: 'the day limit of $1.0000 is reached', since: '', until: null } as const;
  const state = stateOf({
    jobs: [jobRow({ status: 'running', title: 'A stack', wait })],
    projects: [projectRow({ id: 'api', wait })],
  });
  const atWork = { works: true, jobs: [...state.jobs.keys()], turns: [] };
  const engine = { state, atWork, blocker: null, folder: null, onDidChange: new FakeEmitter<void>().event };
  const extension = { workspaceState: { get: (_: string, otherwise: unknown) => otherwise } };
  const context = { engine, extension, log: {}, today: () => '2026-11-21' } as unknown as HostContext;
  showSummary(context, new FakeClock(), { setBadge: () => true } as unknown as BoardViews);
  expect(item.text).toBe('$(clock) 2 waiting');
  expect(item.tooltip).toContain('A stack: the day limit of $1.0000 is reached');
  expect(item.tooltip).toContain('api: the day limit of $1.0000 is reached');
});

it.each([
  [undefined, 'The machine'],
  [{ fault: null }, 'The machine that runs the jobs is kept awake'],
  [
    { fault: 'caffeinate failed: [x](command:y)' },
    'The machine that runs the jobs may sleep: caffeinate failed: [x]\u200b(',
  ],
])('says whether the machine is kept awake: %o', (awake, expected) => {
  const atWork = { works: true, jobs: [], turns: [], awake };
  const engine = {
    state: stateOf({}),
    atWork,
    blocker: null,
    folder: null,
    onDidChange: new FakeEmitter<void>().event,
  };
  const extension = { workspaceState: { get: (_: string, otherwise: unknown) => otherwise } };
  const context = { engine, extension, log: {}, today: () => '2026-11-21' } as unknown as HostContext;
  showSummary(context, new FakeClock(), { setBadge: () => true } as unknown as BoardViews);
  expect(item.tooltip.includes(expected)).toBe(awake !== undefined);
});

it('shows what today cost after the last job ended, of a simulation as such', () => {
  const shown = (provider: 'simulated' | 'anthropic'): string => {
    const spends = [spendRow({ provider, day: '2026-11-21', settled_micro_usd: 210_000 })];
    const state = stateOf({ jobs: [jobRow({ status: 'completed' })], spends });
    const atWork = { works: false, jobs: [], turns: [] };
    const engine = { state, atWork, blocker: null, folder: null, onDidChange: new FakeEmitter<void>().event };
    const extension = { workspaceState: { get: (_: string, otherwise: unknown) => otherwise } };
    const context = { engine, extension, log: {}, today: () => '2026-11-21' } as unknown as HostContext;
    showSummary(context, new FakeClock(), { setBadge: () => true } as unknown as BoardViews);
    return item.text;
  };
  expect(shown('simulated')).toBe('$(project) $0.21 simulated');
  expect(shown('anthropic')).toBe('$(project) $0.21');
});
