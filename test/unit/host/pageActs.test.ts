/** What a page's press on Approve comes to: no choice of a page merges by itself. */
import { beforeEach, expect, it, vi } from 'vitest';
import type { ActPorts } from '../../../src/host/board/pageActs.ts';
import type { ApprovalKind } from '../../../src/shared/domain.ts';
import { approvalRow, JOB_ID, jobRow, stateOf } from '../../support/builders.ts';

const ran = vi.hoisted(() => [] as unknown[]);

vi.mock('vscode', () => ({ commands: { executeCommand: async (...command: unknown[]) => void ran.push(command) } }));

const { pageActs } = await import('../../../src/host/board/pageActs.ts');

async function approve(kind: ApprovalKind, choice: string | null, approvalId = 1): Promise<unknown> {
  const state = stateOf({ jobs: [jobRow()], approvals: [approvalRow({ id: 1, kind })] });
  const act = pageActs({ context: { engine: { state } } } as unknown as ActPorts);
  await act({ kind: 'approve', approvalId, jobId: JOB_ID, choice, feedback: null });
  return ran;
}

/** Named with its job, by which another folder's is told from it. */
const question = (approvalId: number) => expect.objectContaining({ approvalId, jobId: JOB_ID });

beforeEach(() => {
  ran.length = 0;
});

it.each(['merge', 'conflict'] as const)('asks natively for a %s, with what the page shows first', async (kind) => {
  expect(await approve(kind, 'branch')).toEqual([
    ['autonomous.approve', question(1), { first: 'branch', feedback: null }],
  ]);
});

it('takes the choice of no question that it does not know', async () => {
  expect(await approve('merge', 'merge', 2)).toEqual([
    ['autonomous.approve', question(2), { first: 'merge', feedback: null }],
  ]);
});

it('passes on the choice of any other question', async () => {
  expect(await approve('dirty_tree', 'head')).toEqual([
    ['autonomous.approve', question(1), { choice: 'head', feedback: null }],
  ]);
});
