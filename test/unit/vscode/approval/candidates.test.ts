/** Whose result a feature takes, on a stand-in for the editor: told apart, compared with what all began from, taken by its attempt. */
import { beforeEach, expect, it, vi } from 'vitest';
import { commitTextOf } from '../../../../src/vscode/approval/review/commitUri.ts';
import type { HostContext } from '../../../../src/vscode/window/context.ts';
import type { FakeEditor } from '../../../support/editor/fakeEditor.ts';
import {
  approvalRow,
  attemptRow,
  featureRow,
  jobRow,
  sessionRow,
  spendRow,
  stateOf,
} from '../../../support/state/builders.ts';

interface Address {
  readonly scheme: string;
  readonly path: string;
  readonly query: string;
}

const person = vi.hoisted(() => ({ editor: null as unknown as FakeEditor, ran: [] as unknown[][] }));

vi.mock('vscode', async () => {
  const { editorModule, fakeEditor } = await import('../../../support/editor/fakeEditor.ts');
  person.editor = fakeEditor();
  return {
    ...editorModule(person.editor),
    Uri: { from: (parts: object) => parts },
    commands: { executeCommand: async (...command: unknown[]) => void person.ran.push(command) },
  };
});

const { approve } = await import('../../../../src/vscode/approval/approve.ts');
const { compareCandidates } = await import('../../../../src/vscode/approval/candidates.ts');

const PICK = approvalRow({
  id: 7,
  kind: 'pick',
  subject: 'pick:1:11,12,13',
  question: '3 agents tried it. Whose result is it to be?',
  feature_id: 1,
  commit: null,
  choices: ['11', '13'],
});

const attempt = (id: number, of: object) =>
  attemptRow({
    id,
    feature_id: 1,
    session_id: id,
    status: 'succeeded',
    base_commit: 'base',
    commit: `c${id}`,
    started_at: '2026-11-22T10:00:00.000Z',
    ended_at: '2026-11-22T10:03:00.000Z',
    ...of,
  });

function window() {
  const state = stateOf({
    jobs: [jobRow()],
    features: [featureRow({ id: 1, executors: ['cline', 'codex', 'builtin'], candidates: [11, 12, 13] })],
    attempts: [
      attempt(11, { summary: 'Wrote it.\nTwice.' }),
      attempt(12, { status: 'failed', cause: 'verify_failed', commit: null }),
      attempt(13, { ended_at: '2026-11-22T10:00:30.000Z' }),
    ],
    sessions: [
      sessionRow({ id: 11, executor: 'cline' }),
      sessionRow({ id: 12, executor: 'codex' }),
      sessionRow({ id: 13, executor: 'builtin' }),
    ],
    spends: [
      spendRow({ id: 1, attempt_id: 11, settled_micro_usd: 1_250_000 }),
      spendRow({ id: 2, attempt_id: 13, provider: 'own-account', settled_micro_usd: 0 }),
    ],
    approvals: [PICK],
  });
  const requests: unknown[] = [];
  const engine = {
    state,
    open: async () => null,
    request: async (...request: unknown[]) => void requests.push(request),
    files: { changedPaths: async () => ['src/a.ts'], textAt: async (_: string, commit: string) => commit },
  };
  const context = { engine, agents: { seen: null } } as unknown as HostContext;
  return { context, requests };
}

beforeEach(() => {
  person.editor.picks = [];
  person.editor.offered.length = 0;
  person.ran = [];
});

it('takes the result that is picked from a list that says who passed, for how much, and who failed', async () => {
  const { context, requests } = window();
  person.editor.picks = ['$(pass) cline'];
  await approve(context, PICK);
  expect(person.editor.offered[0]).toMatchObject([
    { label: '$(pass) cline', description: 'passed · $1.25 · 3 min', detail: 'Wrote it.' },
    { label: '$(pass) built-in agent', description: 'passed · not priced · 30 s' },
    { label: 'codex failed: verify_failed' },
  ]);
  expect(requests).toEqual([['decide', expect.objectContaining({ decision: 'approved', choice: '11' })]]);
});

it('answers nothing when the list is dismissed', async () => {
  const { context, requests } = window();
  await approve(context, PICK);
  expect([person.editor.offered.length, requests]).toEqual([1, []]);
});

it('lays the results that passed beside what all began from, each under its agent’s name', async () => {
  const { context } = window();
  await compareCandidates(context, PICK, 'Review 7');
  const [command, title, resources] = person.ran[0] as [string, string, Address[][]];
  expect([command, title]).toEqual(['vscode.changes', 'Review 7']);
  expect(resources.map((row) => row.map(({ path }) => path))).toEqual([
    ['/cline/src/a.ts', '/cline/src/a.ts', '/cline/src/a.ts'],
    ['/built-in agent/src/a.ts', '/built-in agent/src/a.ts', '/built-in agent/src/a.ts'],
  ]);
  const texts = resources.map((row) => row.map((address) => commitTextOf(address)));
  expect(texts[0]?.slice(1)).toMatchObject([
    { commit: 'base', path: 'src/a.ts', approvalId: null },
    { commit: 'c11', path: 'src/a.ts', approvalId: null },
  ]);
  expect(texts[1]?.[2]).toMatchObject({ commit: 'c13', path: 'src/a.ts' });
});
