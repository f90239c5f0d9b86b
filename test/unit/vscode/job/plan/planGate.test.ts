/** The plan at its gate: each path to a waiting plan shows its page, and the document is opened only on demand. */
import { beforeEach, expect, it, vi } from 'vitest';
import type { HostContext } from '../../../../../src/vscode/window/context.ts';
import { FakeEmitter } from '../../../../support/editor/fakeEditor.ts';
import { approvalRow, jobRow, stateOf } from '../../../../support/state/builders.ts';

type Handler = (...args: unknown[]) => Promise<void>;

const editor = vi.hoisted(() => ({ handlers: new Map<string, Handler>(), opened: [] as string[] }));

vi.mock('vscode', async () => {
  const { FakeEmitter: EventEmitter } = await import('../../../../support/editor/fakeEditor.ts');
  const nothing = { dispose: () => undefined };
  return {
    EventEmitter,
    Uri: class {
      readonly scheme = '';
      static from({ scheme, path }: { scheme: string; path: string }): string {
        return `${scheme}:${path}`;
      }
    },
    Disposable: { from: () => nothing },
    languages: { createDiagnosticCollection: () => nothing },
    commands: { registerCommand: (id: string, handler: Handler) => editor.handlers.set(id, handler) },
    workspace: {
      registerFileSystemProvider: () => nothing,
      onDidOpenTextDocument: () => nothing,
      onDidChangeTextDocument: () => nothing,
      onDidCloseTextDocument: () => nothing,
      onDidSaveTextDocument: () => nothing,
      openTextDocument: async (uri: string) => uri,
    },
    window: { activeTextEditor: undefined, showTextDocument: async (uri: string) => void editor.opened.push(uri) },
  };
});

const { registerPlan } = await import('../../../../../src/vscode/job/plan/plan.ts');

const JOB = jobRow({ id: 'job-1', plan_accepted: false });
const asked = (patch: object = {}) =>
  approvalRow({ id: 1, kind: 'plan', job_id: 'job-1', status: 'pending', ...patch });

/** A window that owns the folder; shows the plans of the jobs in `shown`. */
function open(approvals: readonly ReturnType<typeof asked>[] = []) {
  const changed = new FakeEmitter<void>();
  const engine = {
    state: stateOf({ jobs: [JOB], approvals }),
    current: { owner: true },
    open: async () => null,
    onDidChange: changed.event,
  };
  const shown: string[] = [];
  registerPlan({ engine, log: {} } as unknown as HostContext, { plan: (jobId) => void shown.push(jobId) });
  const ask = (patch: object = {}) => {
    engine.state = stateOf({ jobs: [JOB], approvals: [asked(patch)] });
    changed.fire();
  };
  return { ask, shown, engine };
}

beforeEach(() => {
  editor.opened = [];
});

it('shows a plan that is proposed while the window is open, once, as a page', () => {
  const { ask, shown } = open();
  ask();
  ask();
  expect(shown).toEqual(['job-1']);
  expect(editor.opened).toEqual([]);
});

it('shows no plan by itself that waited before, or that a project filed', () => {
  const { ask, shown } = open([asked()]);
  ask();
  expect(shown).toEqual([]);
  const other = open();
  other.ask({ project_id: 'web' });
  expect(other.shown).toEqual([]);
});

it('shows the page by Show Plan, and the document by Edit Plan', async () => {
  const { shown } = open();
  await editor.handlers.get('autonomous.showPlan')?.('job-1');
  expect(shown).toEqual(['job-1']);
  await editor.handlers.get('autonomous.editPlan')?.('job-1');
  expect(editor.opened).toEqual(['autonomous-plan:/job-1/plan.yaml']);
  expect(shown).toEqual(['job-1']);
});
