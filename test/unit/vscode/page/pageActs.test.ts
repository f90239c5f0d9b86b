/** What a page's press on Approve comes to: no choice of a page merges by itself. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApprovalKind } from '../../../../src/shared/approval.ts';
import { PROJECT_ACTS, TASK_ACTS } from '../../../../src/shared/workspace/pageProtocol.ts';
import type { ActPorts } from '../../../../src/vscode/page/pageActs.ts';
import { approvalRow, featureRow, JOB_ID, jobRow, stateOf } from '../../../support/state/builders.ts';
import { playedTask } from '../../../support/state/taskRows.ts';

const ran = vi.hoisted(() => [] as unknown[]);
/** Dialogs that were shown, and whether their button is pressed. */
const dialogs = vi.hoisted(() => ({ shown: [] as unknown[], press: false }));

vi.mock('vscode', () => ({
  commands: { executeCommand: async (...command: unknown[]) => void ran.push(command) },
  l10n: { t: (text: string, ...values: unknown[]) => text.replaceAll(/\{(\d)\}/g, (_, at) => String(values[at])) },
  window: {
    showWarningMessage: async (text: string, options: object, go: string) => {
      dialogs.shown.push([text, options]);
      return dialogs.press ? go : undefined;
    },
  },
}));

const { pageActs } = await import('../../../../src/vscode/page/pageActs.ts');

async function approve(kind: ApprovalKind, choice: string | null, approvalId = 1): Promise<unknown> {
  const state = stateOf({ jobs: [jobRow()], approvals: [approvalRow({ id: 1, kind })] });
  const act = pageActs({ context: { engine: { state } } } as unknown as ActPorts);
  await act({ kind: 'approve', approvalId, jobId: JOB_ID, choice });
  return ran;
}

/** Named with its job, by which another folder's is told from it. */
const question = (approvalId: number) => expect.objectContaining({ approvalId, jobId: JOB_ID });

beforeEach(() => {
  ran.length = 0;
  dialogs.shown.length = 0;
  dialogs.press = false;
});

it('what waits is tried at once without another question: it may cost no more than was granted', async () => {
  const request = vi.fn();
  const act = pageActs({ context: { engine: { request, state: stateOf({}) } } } as unknown as ActPorts);
  await act({ kind: 'tryNow', of: 'project', id: 'api' });
  expect(request.mock.calls).toEqual([['tryNow', { of: 'project', id: 'api' }]]);
  expect(dialogs.shown).toEqual([]);
});

describe('what may cost more than was granted', () => {
  const request = vi.fn();
  const features = [featureRow({ id: 3, name: 'Parser', status: 'failed' }), featureRow({ id: 4, name: 'Lexer' })];
  const engine = { request, state: stateOf({ jobs: [jobRow()], features }) };
  const act = pageActs({ context: { engine, agents: { seen: null } } } as unknown as ActPorts);
  beforeEach(() => request.mockClear());

  it('tries of a feature that used them up are given by a person, in a dialog of the editor', async () => {
    await act({ kind: 'retryFeature', featureId: 3 });
    expect(ran).toEqual([]);
    expect(dialogs.shown).toEqual([
      ['Try "Parser" again?', { modal: true, detail: expect.stringContaining('used all its attempts') }],
    ]);
    dialogs.press = true;
    await act({ kind: 'retryFeature', featureId: 3 });
    expect(ran).toEqual([['autonomous.retryFeature', expect.objectContaining({ featureId: 3 })]]);
  });

  it('an unknown feature leads to no list of others: the only one there would be taken', async () => {
    dialogs.press = true;
    await expect(act({ kind: 'retryFeature', featureId: 99 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(ran).toEqual([]);
  });

  it('agents work on a feature once a person said so; what its job says needs nobody', async () => {
    const chosen = { featureId: 4, executors: ['cline', 'builtin'] };
    await act({ kind: 'chooseExecutors', ...chosen });
    expect(request).not.toHaveBeenCalled();
    expect(dialogs.shown).toMatchObject([['Give "Lexer" to: cline, built-in agent?', { modal: true }]]);
    dialogs.press = true;
    await act({ kind: 'chooseExecutors', ...chosen });
    dialogs.press = false;
    await act({ kind: 'chooseExecutors', featureId: 4, executors: null });
    expect(request.mock.calls).toEqual([
      ['chooseExecutors', chosen],
      ['chooseExecutors', { featureId: 4, executors: null }],
    ]);
    await act({ kind: 'chooseAgent', featureId: 4 });
    expect(ran).toEqual([['autonomous.chooseAgent', expect.objectContaining({ featureId: 4 })]]);
  });
});

it.each(['merge', 'conflict'] as const)('asks natively for a %s, with what the page shows first', async (kind) => {
  expect(await approve(kind, 'branch')).toEqual([
    ['autonomous.approve', question(1), { first: 'branch', confirm: true }],
  ]);
});

it('takes the choice of no question that it does not know', async () => {
  expect(await approve('merge', 'merge', 2)).toEqual([
    ['autonomous.approve', question(2), { first: 'merge', confirm: true }],
  ]);
});

it('passes on the choice of any other question, to be confirmed', async () => {
  expect(await approve('dirty_tree', 'head')).toEqual([
    ['autonomous.approve', question(1), { choice: 'head', confirm: true }],
  ]);
});

it('gives what is asked of a project to its command, and never to a request', async () => {
  const request = vi.fn();
  const act = pageActs({ context: { engine: { request, blocker: null } } } as unknown as ActPorts);
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
  expect(request).not.toHaveBeenCalled();
});

it('gives what is asked of a task to its command, and never to a request', async () => {
  const request = vi.fn();
  const act = pageActs({ context: { engine: { request } } } as unknown as ActPorts);
  for (const asked of TASK_ACTS) await act({ kind: 'task', taskId: 'task-1', act: asked });
  await act({ kind: 'newTask' });
  const task = { taskId: 'task-1' };
  expect(ran).toEqual([
    ['autonomous.startTask', task],
    ['autonomous.pauseTask', task],
    ['autonomous.resumeTask', task],
    ['autonomous.cancelTask', task],
    ['autonomous.retryTask', task],
    ['autonomous.removeTask', task],
    ['autonomous.editTask', task],
    ['autonomous.taskReport', task],
    ['autonomous.newTask'],
  ]);
  expect(request).not.toHaveBeenCalled();
});

it('opens the whole of what a step is given and gave, also where that is in a file', async () => {
  const { state, taskId, ids, ...task } = playedTask([
    { name: 'Ask', action: 'llm_generate', params: { prompt: 'Say' } },
  ]);
  task.start();
  task.begin('Ask');
  task.complete('Ask', 'It is so.');
  const shown: unknown[] = [];
  const documents = { show: async (...of: unknown[]) => void shown.push(of) };
  const files = { artifact: async (name: string) => (name === 'there' ? '{"a":[1]}' : null) };
  const act = pageActs({ context: { engine: { state, files } }, documents } as unknown as ActPorts);
  const open = (part: 'params' | 'result', of = taskId) =>
    act({ kind: 'openStep', taskId: of, stepId: ids[0] ?? 0, part });
  await open('params');
  await open('result');
  const row = state.task_steps.get(ids[0] ?? 0);
  if (row === undefined) throw new Error('the step is gone');
  state.task_steps.set(row.id, { ...row, result: null, result_artifact: 'there' });
  await open('result');
  state.task_steps.set(row.id, { ...row, result: null, result_artifact: 'gone' });
  await expect(open('result')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(open('params', 'another')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(shown).toEqual([
    ['step-1-params.json', '{\n  "prompt": "Say"\n}'],
    ['step-1-result.txt', 'It is so.'],
    ['step-1-result.json', '{\n  "a": [\n    1\n  ]\n}'],
  ]);
});

it('sends what is written to a project, and tells what was read, as the person', async () => {
  const request = vi.fn(async () => ({ messageId: 1 }));
  const act = pageActs({ context: { engine: { request } } } as unknown as ActPorts);
  await act({ kind: 'sendMessage', project: 'api', text: 'Go on.' });
  await act({ kind: 'markRead', project: 'api', upTo: 7 });
  await act({ kind: 'stopTurn', project: 'api' });
  expect(request.mock.calls).toEqual([
    ['sendMessage', { project: 'api', text: 'Go on.' }],
    ['markRead', { project: 'api', upTo: 7 }],
    ['stopTurn', { project: 'api' }],
  ]);
});
