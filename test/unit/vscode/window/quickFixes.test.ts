/** What is offered where nothing can be begun, on a stand-in for the editor. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { QUICK_FIXES } from '../../../../src/shared/workspace/panel.ts';
import type { ActPorts } from '../../../../src/vscode/page/pageActs.ts';
import type { Blocker } from '../../../../src/vscode/window/folder.ts';

const editor = vi.hoisted(() => ({
  ran: [] as string[],
  told: [] as string[],
  presses: undefined as string | undefined,
}));

vi.mock('vscode', () => ({
  l10n: { t: (text: string) => text },
  commands: { executeCommand: async (id: string) => void editor.ran.push(id) },
  window: {
    showWarningMessage: async (text: string, ...buttons: string[]) => {
      editor.told.push(text);
      return buttons.find((button) => button === editor.presses);
    },
  },
}));

const { pageActs } = await import('../../../../src/vscode/page/pageActs.ts');

const acts = (blocker: Blocker | null) => pageActs({ context: { engine: { blocker } } } as unknown as ActPorts);

beforeEach(() => {
  editor.ran.length = 0;
  editor.told.length = 0;
  editor.presses = undefined;
});

describe('New Brief on a page', () => {
  it.each([
    ['no_folder', 'Open Folder', 'workbench.action.files.openFolder'],
    ['virtual', 'Open Folder', 'workbench.action.files.openFolder'],
    ['untrusted', 'Manage Trust', 'workbench.trust.manage'],
    ['foreign', 'Reload Board', 'autonomous.reloadBoard'],
    ['unreadable', 'Reload Board', 'autonomous.reloadBoard'],
    ['incomplete', 'Restore Lost State…', 'autonomous.restoreState'],
  ] as const)('offers what mends %s', async (blocker, button, command) => {
    editor.presses = button;
    await acts(blocker)({ kind: 'newBrief' });
    expect(editor.told).toHaveLength(1);
    expect(editor.ran).toEqual([command]);
  });

  it('says what stands in the way where nothing can be pressed, and does nothing unpressed', async () => {
    await acts('newer')({ kind: 'newBrief' });
    await acts('untrusted')({ kind: 'newBrief' });
    expect(editor.told).toHaveLength(2);
    expect(editor.ran).toEqual([]);
  });

  it.each([null, 'not_chosen'] as const)('opens one where one can be filed: %s', async (blocker) => {
    await acts(blocker)({ kind: 'newBrief' });
    expect(editor.ran).toEqual(['autonomous.newBrief']);
  });
});

it('runs a command of its own for every mend that a page can name', async () => {
  for (const quickFix of QUICK_FIXES) await acts(null)({ kind: 'quickFix', quickFix });
  expect(new Set(editor.ran).size).toBe(QUICK_FIXES.length);
});
