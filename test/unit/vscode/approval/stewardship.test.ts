/** What a notification offers: a question about the API key leads to where the key is set, then asks again. */
import { beforeEach, expect, it, vi } from 'vitest';
import type { ApprovalRow } from '../../../../src/shared/approval.ts';
import type { State } from '../../../../src/shared/workspace/state.ts';
import type { HostContext } from '../../../../src/vscode/window/context.ts';
import { approvalRow, jobRow, stateOf } from '../../../support/state/builders.ts';
import { untilHolds } from '../../../support/time/untilHolds.ts';

const person = vi.hoisted(() => ({
  /** Buttons that are pressed, in order; then everything is dismissed. */
  presses: [] as string[],
  offered: [] as (readonly string[])[],
  ran: [] as string[],
  requests: [] as unknown[],
}));

vi.mock('vscode', () => ({
  l10n: { t: (text: string, ...values: unknown[]) => text.replace('{0}', String(values[0])) },
  Disposable: { from: () => ({}) },
  Uri: Object.assign(class {}, {
    from: (parts: object): object => parts,
    file: (path: string): object => ({ path }),
    joinPath: (base: object, ...parts: string[]): object => ({ base, parts }),
  }),
  workspace: {
    getConfiguration: () => ({ get: (_: string, otherwise: unknown) => otherwise }),
    registerTextDocumentContentProvider: () => ({}),
  },
  commands: {
    executeCommand: async (id: string) => void person.ran.push(id),
    registerCommand: () => ({}),
  },
  window: {
    showInformationMessage: async (text: string, ...buttons: string[]) => {
      person.offered.push([text, ...buttons]);
      const pressed = person.presses.shift();
      return buttons.find((button) => button === pressed);
    },
  },
}));

const { registerStewardship } = await import('../../../../src/vscode/approval/stewardship.ts');

function stateWith(row: Partial<ApprovalRow>): State {
  const jobs = [jobRow({ id: row.job_id ?? 'job-1', title: 'Notes.' })];
  return stateOf({ jobs, approvals: [approvalRow({ commit: null, ...row })] });
}

/** Gives the way to another state. */
function tellOf(row: Partial<ApprovalRow>): (state: State) => void {
  let heard = (): void => undefined;
  const engine = {
    state: stateWith(row),
    blocker: null,
    projectDir: '/work',
    open: async () => undefined,
    request: async (...request: readonly unknown[]) => void person.requests.push(request),
    onDidChange: (listener: () => void) => {
      heard = listener;
      return {};
    },
  };
  registerStewardship({ engine, log: {} } as unknown as HostContext);
  return (state) => {
    engine.state = state;
    heard();
  };
}

beforeEach(() => {
  person.presses = [];
  person.offered = [];
  person.ran = [];
  person.requests = [];
});

it('offers to set the key where one is missing or refused, and asks again then', async () => {
  person.presses = ['Set API Key'];
  const question = 'The model cannot be used: there is no API key. Try again?';
  tellOf({ kind: 'provider', subject: 'provider:KEY_MISSING:1', question });
  await untilHolds(() => expect(person.offered).toHaveLength(2));
  expect(person.ran).toEqual(['autonomous.setApiKey']);
  for (const offered of person.offered) {
    expect(offered).toEqual([`Notes: ${question}`, 'Set API Key', 'Try Again', 'Reject…']);
  }
});

it('offers no key where the provider ails otherwise', async () => {
  tellOf({ kind: 'provider', subject: 'provider:NO_CREDIT:1', question: 'No credit. Try again?' });
  await untilHolds(() => expect(person.offered).toEqual([['Notes: No credit. Try again?', 'Try Again', 'Reject…']]));
});

it('makes no link of what an agent asks', async () => {
  tellOf({ kind: 'stuck', question: 'Which? [More](command:autonomous.approve?%5B2%5D)' });
  await untilHolds(() => expect(person.offered).toHaveLength(1));
  expect(person.offered[0]?.[0]).toBe('Notes: Which? [More]\u200b(command:autonomous.approve?%5B2%5D)');
});

it.each(['command', 'setup'] as const)('does not offer to approve a %s unseen', async (kind) => {
  tellOf({ kind, question: 'Run this?', detail: 'rm -rf ~' });
  await untilHolds(() => expect(person.offered).toEqual([['Notes: Run this?', 'Show…', 'Reject…']]));
});

it("tells of another folder's question that has the number of one told before", async () => {
  const change = tellOf({ kind: 'plan', question: 'This plan?' });
  await untilHolds(() => expect(person.offered).toHaveLength(1));
  change(stateWith({ kind: 'plan', question: 'This plan?', job_id: 'job-2' }));
  await untilHolds(() => expect(person.offered).toHaveLength(2));
});

it('names the one way to go on, and takes its press for the whole answer', async () => {
  const question = 'The job limit is reached. Raise it to $0.66 and go on?';
  person.presses = ['Raise Limit'];
  tellOf({ kind: 'limit', subject: 'limit:job:1:660000', question, choices: ['raise'] });
  await untilHolds(() => expect(person.requests).toHaveLength(1));
  expect(person.offered).toEqual([[`Notes: ${question}`, 'Raise Limit', 'Reject…']]);
  expect(person.requests).toEqual([['decide', expect.objectContaining({ decision: 'approved', choice: 'raise' })]]);
});

it('leads from an agent that cannot be started to how it stands, and asks again then', async () => {
  person.presses = ['Show Agents'];
  tellOf({ kind: 'provider', subject: 'failure:AGENT_MISSING:1', question: 'There is no cline. Try again?' });
  await untilHolds(() => expect(person.offered).toHaveLength(2));
  expect(person.ran).toEqual(['autonomous.showAgents']);
  expect(person.offered[1]?.slice(1)).toEqual(['Show Agents', 'Try Again', 'Reject…']);
});

it.each([[['11', '13']], [['11']]])('names no result of several agents by a number: %o', async (choices) => {
  person.presses = ['Compare'];
  const question = '3 agents tried it. Whose result is it to be?';
  tellOf({ kind: 'pick', question, choices });
  await untilHolds(() => expect(person.ran).toEqual(['autonomous.reviewChanges']));
  expect(person.offered).toEqual([[`Notes: ${question}`, 'Compare', 'Pick…', 'Reject…']]);
});

const ABOUT_PROJECT = { job_id: null, project_id: 'api' } as const;

it.each([
  [{ kind: 'workdir' }, ['Trust…', 'Refuse']],
  [{ kind: 'definition', choices: ['take_over', 'put_back'] }, ['Show Changes', 'Take It Over', 'Put It Back']],
  [{ kind: 'relay', choices: ['web', 'nobody'], detail: 'It broke.' }, ['web', 'Nobody']],
  [{ kind: 'relay', choices: ['a', 'b', 'c', 'nobody'], detail: 'It broke.' }, ['Choose…']],
  [{ kind: 'project', choices: ['try_again'] }, ['Try Again', 'Open Conversation', 'Leave It']],
  [{ kind: 'limit', subject: 'limit:project_day:1:9', choices: ['raise'] }, ['Raise Limit', 'Reject…']],
  [{ kind: 'provider', subject: 'provider:KEY_MISSING:1' }, ['Set API Key', 'Try Again', 'Reject…']],
] as const)('offers each answer to a question about a project itself: %o', async (row, buttons) => {
  tellOf({ ...ABOUT_PROJECT, question: 'What now?', ...row });
  await untilHolds(() => expect(person.offered).toHaveLength(1));
  expect(person.offered[0]?.slice(1)).toEqual(buttons);
  expect(person.offered[0]?.[0]).toMatch(/^api: What now\?/);
});

it('says what a project said with the question whom it concerns, and makes no link of it', async () => {
  const detail = `Look: [here](command:autonomous.approve)\n${'x'.repeat(400)}`;
  tellOf({ ...ABOUT_PROJECT, kind: 'relay', question: 'Who should know?', choices: ['web', 'nobody'], detail });
  await untilHolds(() => expect(person.offered).toHaveLength(1));
  const [text = ''] = person.offered[0] ?? [];
  expect(text).toContain('Look: [here]\u200b(command:autonomous.approve)');
  expect(text.length).toBeLessThan(360);
});

it('shows an edit of PROJECT.md beside what counts, and answers nothing by that', async () => {
  person.presses = ['Show Changes'];
  tellOf({ ...ABOUT_PROJECT, kind: 'definition', choices: ['take_over', 'put_back'] });
  await untilHolds(() => expect(person.ran).toEqual(['vscode.diff']));
  expect(person.requests).toEqual([]);
});
