/** Notifications of the operating system from a window: counts alone, once, and silence where nobody could see them. */
import { beforeEach, expect, it, vi } from 'vitest';
import type { State } from '../../../../src/shared/workspace/state.ts';
import type { HostContext } from '../../../../src/vscode/window/context.ts';
import { FakeEmitter } from '../../../support/editor/fakeEditor.ts';
import { fakeWorkspaces } from '../../../support/editor/fakeWorkspace.ts';
import { approvalRow, jobRow, stateOf } from '../../../support/state/builders.ts';
import { untilHolds } from '../../../support/time/untilHolds.ts';

const editor = vi.hoisted(() => ({
  on: true,
  focused: false,
  remote: undefined as string | undefined,
  kind: 1,
}));

vi.mock('vscode', () => ({
  Disposable: { from: () => ({}) },
  UIKind: { Desktop: 1, Web: 2 },
  env: {
    get remoteName() {
      return editor.remote;
    },
    get uiKind() {
      return editor.kind;
    },
  },
  l10n: { t: (text: string, ...values: unknown[]) => text.replaceAll(/\{(\d)\}/g, (_, at) => String(values[at])) },
  window: {
    get state() {
      return { focused: editor.focused };
    },
  },
  workspace: {
    onDidChangeConfiguration: () => ({}),
    getConfiguration: () => ({
      get: (name: string, otherwise: unknown) => (name === 'osNotifications' ? editor.on : otherwise),
    }),
  },
}));

const { showOsNotifications } = await import('../../../../src/vscode/approval/osNotices.ts');

async function open(fails = false) {
  const changed = new FakeEmitter<void>();
  const shown: string[] = [];
  const warned: string[] = [];
  const engine = {
    state: stateOf({ jobs: [jobRow({ id: 'job-1', title: 'SECRET', status: 'running' })] }),
    projectDir: '/w',
    onDidChange: changed.event,
  };
  const notifyOs = async (_: string | null, { message }: { message: string }) => {
    if (fails) throw new Error('notify-send is missing');
    shown.push(message);
  };
  const context = { engine, log: { warn: (text: string) => warned.push(text) } } as unknown as HostContext;
  showOsNotifications(context, async () => fakeWorkspaces({}, { notifyOs }));
  await vi.dynamicImportSettled();
  return {
    shown,
    warned,
    becomes: (state: State) => {
      engine.state = state;
      changed.fire();
    },
  };
}

const WAITS = stateOf({
  approvals: [approvalRow({ id: 1, question: 'SECRET?' })],
  jobs: [jobRow({ id: 'job-1', title: 'SECRET', status: 'completed' })],
});

beforeEach(() => Object.assign(editor, { on: true, focused: false, remote: undefined, kind: 1 }));

it('tells of what waits and ended, once, without a word of it', async () => {
  const { shown, becomes } = await open();
  becomes(WAITS);
  await untilHolds(() => expect(shown).toEqual(['1 approval pending, 1 job completed']));
  becomes(WAITS);
  becomes(stateOf({ approvals: [1, 2, 3].map((id) => approvalRow({ id })) }));
  await untilHolds(() => expect(shown.slice(1)).toEqual(['2 approvals pending']));
});

it.each([
  ['in a remote window', { remote: 'wsl' }],
  ['in a browser', { kind: 2 }],
  ['while the window is in front', { focused: true }],
])('is silent %s, also about it later', async (_, how) => {
  Object.assign(editor, how);
  const { shown, becomes } = await open();
  becomes(WAITS);
  await new Promise((resolve) => setImmediate(resolve));
  Object.assign(editor, { on: true, focused: false, remote: undefined, kind: 1 });
  becomes({ ...WAITS, approvals: new Map([...WAITS.approvals, [2, approvalRow({ id: 2 })]]) });
  await untilHolds(() => expect(shown).toEqual(['1 approval pending']));
});

it('is silent and loads nothing unless the setting says so', async () => {
  editor.on = false;
  const { shown, becomes } = await open();
  becomes(WAITS);
  await new Promise((resolve) => setImmediate(resolve));
  expect(shown).toEqual([]);
});

it('logs once why it cannot', async () => {
  const { warned, becomes } = await open(true);
  becomes(WAITS);
  await untilHolds(() => expect(warned).toEqual(['notify-send is missing']));
  becomes(stateOf({ approvals: [approvalRow({ id: 5 })] }));
  await new Promise((resolve) => setImmediate(resolve));
  expect(warned).toHaveLength(1);
});
