/** Try the Demo, pressed by somebody in a hurry. */
import { expect, it, vi } from 'vitest';
import type { HostContext } from '../../../../src/vscode/window/context.ts';
import type { World } from '../../../../src/vscode/window/world.ts';
import { fakeWorkspaces } from '../../../support/editor/fakeWorkspace.ts';
import { untilHolds } from '../../../support/time/untilHolds.ts';

const FOLDER = '/demo/sheet';

type Handler = () => Promise<void>;

const editor = vi.hoisted(() => ({ handlers: new Map<string, Handler>(), asked: 0 }));

vi.mock('vscode', () => ({
  Disposable: { from: () => ({}) },
  ProgressLocation: { Window: 10 },
  l10n: { t: (text: string) => text },
  commands: {
    executeCommand: async () => undefined,
    registerCommand: (id: string, handler: Handler) => editor.handlers.set(id, handler),
  },
  workspace: { workspaceFolders: [{ uri: { fsPath: '/demo/sheet' } }] },
  window: {
    tabGroups: { activeTabGroup: { activeTab: undefined } },
    showInformationMessage: async () => void editor.asked++,
    withProgress: (_: unknown, work: () => Promise<unknown>) => work(),
  },
}));

const { beginWaitingDemo, registerDemo } = await import('../../../../src/vscode/workspace/demo.ts');

/** A window on a folder that may be the demo's, opened for it or not; its engine waits with its answers. */
function window({ isDemo, waits }: { isDemo: boolean; waits: boolean }) {
  const requests: (() => void)[] = [];
  const kept = new Map<string, unknown>(waits ? [['autonomous.demoFolder', FOLDER]] : []);
  const context = {
    engine: {
      projectDir: FOLDER,
      blocker: null,
      request: () => new Promise((resolve) => requests.push(() => resolve({ jobId: 'job-1' }))),
    },
    extension: {
      extension: { id: 'ours' },
      globalState: { get: (key: string) => kept.get(key), update: async (key: string) => void kept.delete(key) },
    },
    log: {},
  } as unknown as HostContext;
  const demo = { briefFor: async () => (isDemo ? { brief: 'Build it.' } : null) };
  const load = async () => fakeWorkspaces({}, { demo });
  const world = { load } as unknown as World;
  registerDemo(context, world);
  const press = () => editor.handlers.get('autonomous.tryDemo')?.();
  return { requests, press, beginWaiting: () => beginWaitingDemo(context, world) };
}

it('pressed twice is begun once', async () => {
  const { requests, press } = window({ isDemo: true, waits: false });
  const first = press();
  await untilHolds(() => expect(requests).toHaveLength(1));
  await press();
  requests[0]?.();
  await first;
  expect(requests).toHaveLength(1);
});

it('pressed while a window begins the demo that it was opened for is begun once', async () => {
  const { requests, press, beginWaiting } = window({ isDemo: true, waits: true });
  const first = beginWaiting();
  await untilHolds(() => expect(requests).toHaveLength(1));
  await press();
  requests[0]?.();
  await first;
  expect(requests).toHaveLength(1);
});

it('pressed twice asks once whether to make a sample', async () => {
  const { press } = window({ isDemo: false, waits: false });
  await Promise.all([press(), press()]);
  expect(editor.asked).toBe(1);
});
