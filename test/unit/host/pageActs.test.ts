/** What a page's press on Approve comes to: no choice of a page merges by itself. */
import { beforeEach, expect, it, vi } from 'vitest';
import type { ActPorts } from '../../../src/host/board/pageActs.ts';
import type { ApprovalKind } from '../../../src/shared/domain.ts';
import { PROJECT_ACTS } from '../../../src/shared/webviewProtocol.ts';
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

it('gives what is asked of a project to its command, and never to a wish', async () => {
  const wish = vi.fn();
  const act = pageActs({ context: { engine: { wish, hindrance: null } } } as unknown as ActPorts);
  for (const asked of PROJECT_ACTS) await act({ kind: 'project', project: 'api', act: asked });
  await act({ kind: 'newBrief', project: 'api' });
  expect(ran).toEqual([
    ['autonomous.suspendProject', { project: 'api' }],
    ['autonomous.resumeProject', { project: 'api' }],
    ['autonomous.completeProject', { project: 'api' }],
    ['autonomous.archiveProject', { project: 'api' }],
    ['autonomous.unparkProject', { project: 'api' }],
    ['autonomous.messageProject', { project: 'api' }],
    ['autonomous.openProjectDefinition', { project: 'api' }],
    ['autonomous.openProjectMemory', { project: 'api' }],
    ['autonomous.openProjectSkills', { project: 'api' }],
    ['autonomous.newBrief', { project: 'api' }],
  ]);
  expect(wish).not.toHaveBeenCalled();
});

it('sends what is written to a project, and tells what was read, as the person', async () => {
  const wish = vi.fn(async () => ({ messageId: 1 }));
  const act = pageActs({ context: { engine: { wish } } } as unknown as ActPorts);
  await act({ kind: 'sendMessage', project: 'api', text: 'Go on.' });
  await act({ kind: 'markRead', project: 'api', upTo: 7 });
  expect(wish.mock.calls).toEqual([
    ['sendMessage', { project: 'api', text: 'Go on.' }],
    ['markRead', { project: 'api', upTo: 7 }],
  ]);
});
