/** What a window says of a result, and what becomes of its review, on a stand-in for the editor. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { MergeResult } from '../../../../src/shared/job/rows.ts';
import type { HostContext } from '../../../../src/vscode/window/context.ts';
import { FakeEmitter } from '../../../support/editor/fakeEditor.ts';
import { JOB_ID, jobOptions, jobRow, stateOf } from '../../../support/state/builders.ts';
import { untilHolds } from '../../../support/time/untilHolds.ts';

const editor = vi.hoisted(() => ({
  told: [] as string[],
  ran: [] as string[],
  commands: [] as string[],
  presses: undefined as string | undefined,
  notifications: 'all',
  tabs: [] as { label: string }[],
}));

vi.mock('vscode', () => ({
  l10n: { t: (text: string, ...values: unknown[]) => text.replaceAll(/\{(\d)\}/g, (_, at) => String(values[at])) },
  workspace: { getConfiguration: () => ({ get: () => editor.notifications }) },
  Uri: { file: (path: string) => path, joinPath: (...parts: string[]) => parts.join('/') },
  commands: {
    executeCommand: async (id: string, ...args: unknown[]) =>
      void editor.ran.push([id, ...args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg)))].join(' ')),
    getCommands: async () => editor.commands,
  },
  window: {
    showInformationMessage: async (text: string, ...buttons: string[]) => {
      editor.told.push(text);
      return buttons.find((button) => button === editor.presses);
    },
    tabGroups: {
      get all() {
        return [{ tabs: editor.tabs }];
      },
      close: async (tabs: readonly { label: string }[]) => {
        editor.tabs = editor.tabs.filter((tab) => !tabs.includes(tab));
      },
    },
  },
}));

const { showResults } = await import('../../../../src/vscode/job/results.ts');
const { closeAnswered } = await import('../../../../src/vscode/approval/review/closeAnswered.ts');

const MERGED: MergeResult = {
  mode: 'merge',
  target: 'main',
  commit: 'fa8eaa7c0ffee',
  previous: 'b',
  checkedOut: true,
  rolledBack: false,
  note: null,
};

const jobs = (merge: MergeResult | null) => stateOf({ jobs: [jobRow({ title: 'A stack', merge })] });

/** A window that saw `states`, one after the other. */
function windowOf(...states: readonly ReturnType<typeof stateOf>[]): void {
  const changed = new FakeEmitter<void>();
  const engine = { state: states[0], projectDir: '/demo/sheet', onDidChange: changed.event };
  showResults({ engine } as unknown as HostContext);
  for (const state of states.slice(1)) {
    engine.state = state;
    changed.fire();
  }
}

beforeEach(() => {
  Object.assign(editor, { told: [], ran: [], presses: undefined, notifications: 'all', tabs: [] });
});

describe('a result', () => {
  it.each([
    [MERGED, 'Merged into main at fa8eaa7: A stack'],
    [{ ...MERGED, mode: 'branch', target: 'autonomous/1' }, 'Left on the branch autonomous/1 at fa8eaa7: A stack'],
    [
      { ...MERGED, mode: 'patch', target: '/jobs/1.patch', commit: null },
      'Written to the patch /jobs/1.patch: A stack',
    ],
  ] as const)('is told once, and leads to the board: $mode', async (merge, text) => {
    editor.presses = 'Open Board';
    windowOf(jobs(null), jobs(merge), jobs(merge));
    await untilHolds(() => expect(editor.ran).toEqual([`autonomous.openBoard {"jobId":"${JOB_ID}"}`]));
    expect(editor.told).toEqual([text]);
  });

  it.each([
    [['markdown.showPreview'], 'markdown.showPreview /demo/sheet/README.md'],
    [[], 'vscode.open /demo/sheet/README.md'],
  ])('of the demo offers to open what was built: %s', async (commands, ran) => {
    Object.assign(editor, { presses: 'Open What Was Built', commands });
    const options = jobOptions({ provider: 'simulated', scenario: 'demo' });
    const demo = (merge: MergeResult | null) => stateOf({ jobs: [jobRow({ options, merge })] });
    windowOf(demo(null), demo(MERGED));
    await untilHolds(() => expect(editor.ran).toEqual([ran]));
  });

  it('of another job, or on a branch, offers nothing to open', async () => {
    editor.presses = 'Open What Was Built';
    const options = jobOptions({ provider: 'simulated', scenario: 'demo' });
    windowOf(jobs(null), jobs(MERGED));
    const branch = { ...MERGED, mode: 'branch' } as const;
    windowOf(stateOf({ jobs: [jobRow({ options })] }), stateOf({ jobs: [jobRow({ options, merge: branch })] }));
    await untilHolds(() => expect(editor.told).toHaveLength(2));
    expect(editor.ran).toEqual([]);
  });

  it('is no news to a window that opened later, and none that was rolled back', () => {
    windowOf(stateOf({}), jobs(MERGED), jobs(MERGED));
    windowOf(jobs(null), jobs({ ...MERGED, rolledBack: true }));
    expect(editor.told).toEqual([]);
  });

  it('is not told to whoever wants to hear of approvals alone', () => {
    editor.notifications = 'approvals';
    windowOf(jobs(null), jobs(MERGED));
    expect(editor.told).toEqual([]);
  });
});

it('closes the reviews of answered questions, and no other tab', async () => {
  editor.tabs = ['Review 1: Merge? (23 files)', 'Review 2: Merge? (2 files)', 'Review 1', 'README.md'].map((label) => ({
    label,
  }));
  const titles = new Map([
    ['Review 1: Merge?', 1],
    ['Review 2: Merge?', 2],
  ]);
  await closeAnswered(titles, (id) => id === 1);
  expect(editor.tabs.map(({ label }) => label)).toEqual(['Review 2: Merge? (2 files)', 'Review 1', 'README.md']);
  expect([...titles.values()]).toEqual([2]);
});
