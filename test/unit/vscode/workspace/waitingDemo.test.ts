/** The demo that a window was opened for, on a stand-in for the editor. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { HostContext } from '../../../../src/vscode/window/context.ts';
import type { Blocker } from '../../../../src/vscode/window/folder.ts';
import type { World } from '../../../../src/vscode/window/world.ts';
import { fakeWorkspaces } from '../../../support/editor/fakeWorkspace.ts';
import { untilHolds } from '../../../support/time/untilHolds.ts';

const FOLDER = '/samples/sheet-1';

const editor = vi.hoisted(() => ({
  /** Commands and what was told, in order. */
  did: [] as string[],
  /** The button that is pressed; undefined: none. */
  presses: undefined as string | undefined,
}));

vi.mock('vscode', () => ({
  l10n: { t: (text: string) => text },
  ProgressLocation: { Window: 10 },
  commands: {
    executeCommand: async (...command: unknown[]) =>
      void editor.did.push(command.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(' ')),
  },
  window: {
    withProgress: async (_: object, work: () => Promise<unknown>) => work(),
    tabGroups: { activeTabGroup: { activeTab: undefined } },
    showWarningMessage: async (text: string, ...buttons: string[]) => {
      editor.did.push([text, ...buttons].join(' | '));
      return buttons.find((button) => button === editor.presses);
    },
  },
  workspace: { workspaceFolders: [{ uri: { fsPath: '/samples/sheet-1' } }] },
}));

const { beginWaitingDemo } = await import('../../../../src/vscode/workspace/demo.ts');

/** Opens a window on the sample; `waiting` is the folder that the demo is to begin in. */
async function open(blocker: Blocker | null, waiting = FOLDER): Promise<ReadonlyMap<string, unknown>> {
  const memory = new Map<string, unknown>([['autonomous.demoFolder', waiting]]);
  const context = {
    extension: {
      extension: { id: 'autonomous.autonomous' },
      globalState: {
        get: (key: string) => memory.get(key),
        update: async (key: string, value: unknown) => void memory.set(key, value),
      },
    },
    engine: {
      blocker,
      request: async (name: string) => {
        editor.did.push(name);
        return { jobId: 'job-1' };
      },
    },
  } as unknown as HostContext;
  const demo = { briefFor: async () => ({ brief: 'A demo' }) };
  const world = { load: async () => fakeWorkspaces({}, { demo }) } as unknown as World;
  await beginWaitingDemo(context, world);
  return memory;
}

beforeEach(() => {
  editor.did.length = 0;
  editor.presses = undefined;
});

describe('a window that was opened for the demo', () => {
  it('shows the walkthrough again, begins, and has the board in front', async () => {
    const memory = await open(null);
    expect(editor.did).toEqual([
      'workbench.action.openWalkthrough autonomous.autonomous#autonomous.start',
      'submitBrief',
      'autonomous.openBoard {"jobId":"job-1"}',
    ]);
    expect(memory.get('autonomous.demoFolder')).toBeUndefined();
  });

  it('says in Restricted Mode that trust is missing, and where it is given; the demo waits for it', async () => {
    editor.presses = 'Manage Trust';
    const memory = await open('untrusted');
    const said = ['autonomous.panel.focus', 'Trust this folder to start the demo. | Manage Trust'];
    await untilHolds(() => expect(editor.did).toEqual([...said, 'workbench.trust.manage']));
    expect(memory.get('autonomous.demoFolder')).toBe(FOLDER);
  });

  it('is no other folder', async () => {
    await open('untrusted', '/samples/sheet-2');
    await open(null, '/samples/sheet-2');
    expect(editor.did).toEqual([]);
  });
});
