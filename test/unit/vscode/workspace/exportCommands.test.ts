/** Restoring, cleaning up, exporting and importing from the editor: what is asked before, and what is requested then. */
import { beforeEach, expect, it, vi } from 'vitest';
import { cleanUp } from '../../../../src/core/job/cloneCleanUp.ts';
import type { State } from '../../../../src/shared/workspace/state.ts';
import type { HostContext } from '../../../../src/vscode/window/context.ts';
import type { World } from '../../../../src/vscode/window/world.ts';
import { fakeWorkspaces, type WorkspaceParts } from '../../../support/editor/fakeWorkspace.ts';
import { attemptRow, featureRow, jobRow, stateOf } from '../../../support/state/builders.ts';

const editor = vi.hoisted(() => ({
  picked: 0,
  as: 0,
  offered: [] as { label: string; description: string; row: { id: number } }[],
  typed: undefined as string | undefined,
  answer: undefined as string | undefined,
  detail: '',
  saved: undefined as { fsPath: string } | undefined,
  opened: undefined as { fsPath: string }[] | undefined,
  said: [] as string[],
}));

vi.mock('vscode', () => ({
  l10n: { t: (text: string, ...values: unknown[]) => text.replaceAll(/\{(\d)\}/g, (_, at) => String(values[at])) },
  Uri: { file: (fsPath: string) => ({ fsPath }) },
  window: {
    showQuickPick: async (items: typeof editor.offered) => {
      if (items[0]?.row === undefined) return items[editor.as];
      editor.offered = items;
      return items[editor.picked];
    },
    showInputBox: async ({ value }: { value: string }) => (editor.typed === 'as offered' ? value : editor.typed),
    showInformationMessage: async (text: string) => void editor.said.push(text),
    showWarningMessage: async (_text: string, { detail }: { detail: string }) => {
      editor.detail = detail;
      return editor.answer;
    },
    showSaveDialog: async () => editor.saved,
    showOpenDialog: async () => editor.opened,
  },
}));

const { cleanUpClones, exportRecord, importRecord, restoreAttempt } = await import(
  '../../../../src/vscode/workspace/exportCommands.ts'
);

const CLONES = [
  { jobId: 'old', title: 'An old one', bytes: 2_500_000, endedAt: '2026-11-01T00:00:00.000Z', kept: true },
  { jobId: 'live', title: 'Under way', bytes: 10, endedAt: null, kept: true },
];

function bench(seen?: State) {
  const asked: unknown[] = [];
  const state =
    seen ??
    stateOf({
      jobs: [jobRow()],
      features: [featureRow({ id: 1, name: 'push' }), featureRow({ id: 2, name: 'pop' })],
      attempts: [1, 2, 3].map((id) => attemptRow({ id, feature_id: id < 3 ? 1 : 2, number: id, status: 'failed' })),
    });
  const engine = {
    state,
    request: async (name: string, input: unknown) => {
      asked.push([name, input]);
      return name === 'cleanClones' ? cleanUp(CLONES, 0) : { jobs: 2, tasks: 1, sessions: 0 };
    },
  };
  const job: WorkspaceParts['job'] = {
    kept: async () => [2, 3].map((id) => ({ id, bytes: 900 })),
    restore: async (id, as) => {
      asked.push(['restore', id, as]);
      return 'branch' in as
        ? { target: as.branch, commit: 'c', origin: 'o' }
        : { target: as.patchFile, commit: null, origin: 'o' };
    },
    cleanUp: async () => cleanUp(CLONES, 0),
  };
  const exportRecord: WorkspaceParts['exportRecord'] = async (target) => {
    asked.push(['export', target]);
    return { target, files: 7, jobs: 1, hash: '' };
  };
  const load = async () => fakeWorkspaces({ job, exportRecord });
  const world = { handle: { permittedPlace: () => ({ folder: '/w', jobsDir: null }) }, load };
  return { context: { engine } as unknown as HostContext, world: world as unknown as World, asked };
}

beforeEach(() => {
  Object.assign(editor, {
    picked: 0,
    as: 0,
    offered: [],
    typed: 'as offered',
    answer: undefined,
    saved: undefined,
    said: [],
  });
});

it('an attempt whose work is kept becomes the branch that is typed; of a card its own alone are offered', async () => {
  const { context, world, asked } = bench();
  await restoreAttempt(context, world, { featureId: 1 });
  expect(editor.offered.map(({ row }) => row.id)).toEqual([2]);
  expect(asked).toEqual([['restore', 2, { branch: 'autonomous/attempt-2' }]]);
  expect(editor.said).toEqual(['Attempt 2 is the branch autonomous/attempt-2. Nothing is checked out.']);
  await restoreAttempt(context, world, undefined);
  expect(editor.offered.map(({ row }) => row.id)).toEqual([3, 2]);
  editor.typed = undefined;
  await restoreAttempt(context, world, undefined);
  expect(asked).toHaveLength(2);
});

it('or the patch file that is chosen', async () => {
  const { context, world, asked } = bench();
  editor.as = 1;
  await restoreAttempt(context, world, { featureId: 2 });
  expect(asked).toEqual([]);
  editor.saved = { fsPath: '/home/me/three.patch' };
  await restoreAttempt(context, world, { featureId: 2 });
  expect(asked).toEqual([['restore', 3, { patchFile: '/home/me/three.patch', ownOnly: false }]]);
  expect(editor.said).toEqual(['Attempt 3 is the patch /home/me/three.patch.']);
});

it('clones go only after the list of them was seen and answered', async () => {
  const { context, world, asked } = bench();
  await cleanUpClones(context, world);
  expect(editor.detail).toContain('2.5 MB  An old one (old)');
  expect(editor.detail).not.toContain('Under way');
  expect(editor.detail).toContain('work not saved elsewhere): 1');
  expect(asked).toEqual([]);
  editor.answer = 'Remove Clones';
  await cleanUpClones(context, world);
  expect(asked).toEqual([['cleanClones', { maxBytes: 0 }]]);
  expect(editor.said).toEqual(['Clones removed: 1. Space freed: 2.5 MB.']);
});

it('exports to the file that is chosen, and imports from it', async () => {
  const { context, world, asked } = bench();
  await exportRecord(world);
  expect(asked).toEqual([]);
  editor.saved = { fsPath: '/home/me/all.tar.gz' };
  editor.opened = [editor.saved];
  await exportRecord(world);
  await expect(importRecord(context, world)).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  const empty = bench(stateOf({}));
  await importRecord(empty.context, empty.world);
  expect([...asked, ...empty.asked]).toEqual([
    ['export', '/home/me/all.tar.gz'],
    ['importRecord', { path: '/home/me/all.tar.gz' }],
  ]);
  expect(editor.said).toEqual([
    'Exported to /home/me/all.tar.gz. Jobs: 1, files: 7.',
    'Imported 2 jobs and 1 tasks (read-only).',
  ]);
});
