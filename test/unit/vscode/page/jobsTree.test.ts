/** The native tree: jobs alone for whoever has no project, else projects with their jobs, each line with what its menu goes by. */
import { expect, it, vi } from 'vitest';
import type { State } from '../../../../src/shared/workspace/state.ts';
import type { HostContext } from '../../../../src/vscode/window/context.ts';
import {
  featureRow,
  jobOptions,
  jobRow,
  messageRow,
  phaseRow,
  projectRow,
  stateOf,
} from '../../../support/state/builders.ts';
import { FakeClock } from '../../../support/time/fakeClock.ts';

vi.mock('vscode', () => ({
  l10n: { t: (text: string, ...values: unknown[]) => text.replaceAll(/\{(\d)\}/g, (_, at) => String(values[at])) },
  env: { language: 'en' },
  ThemeIcon: class {
    readonly id: string;
    constructor(id: string) {
      this.id = id;
    }
  },
  ThemeColor: class {},
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
  TreeItem: class {
    readonly label: string;
    constructor(label: string) {
      this.label = label;
    }
  },
}));

const { JobsTree } = await import('../../../../src/vscode/page/jobsTree.ts');

function treeOf(state: State, running: readonly string[] = [...state.jobs.keys()]): InstanceType<typeof JobsTree> {
  return new JobsTree(
    {
      engine: { state, atWork: { works: true, jobs: running } },
      agents: { seen: null },
      today: () => '2026-11-02',
    } as unknown as HostContext,
    new FakeClock(),
  );
}

it('shows jobs alone where there is no project but the default one', () => {
  const jobs = [jobRow({ id: 'job-1' }), jobRow({ id: 'job-2' })];
  const tree = treeOf(stateOf({ projects: [projectRow({ id: 'default' }), projectRow({ id: 'main' })], jobs }));
  expect(tree.getChildren()).toEqual([
    { kind: 'job', jobId: 'job-2' },
    { kind: 'job', jobId: 'job-1' },
  ]);
});

it('shows projects with their jobs, archived ones last, never the main agent', () => {
  const projects = [
    projectRow({ id: 'old', status: 'archived' }),
    projectRow({ id: 'default' }),
    projectRow({ id: 'main' }),
    projectRow({ id: 'web', status: 'suspended' }),
    projectRow({ id: 'api', parked: 'it died' }),
  ];
  const jobs = [jobRow({ id: 'job-1', project_id: 'default' }), jobRow({ id: 'job-2', project_id: 'web' })];
  const messages = [messageRow({ project_id: 'web' })];
  const tree = treeOf(stateOf({ projects, jobs, messages }));
  const top = tree.getChildren();
  expect(top).toEqual(['default', 'api', 'web', 'old'].map((project) => ({ kind: 'project', project })));
  expect(tree.getChildren({ kind: 'project', project: 'web' })).toEqual([{ kind: 'job', jobId: 'job-2' }]);
  const items = top.map((node) => tree.getTreeItem(node));
  expect(items.map(({ contextValue }) => contextValue)).toEqual([
    'project:active:default',
    'project:active:parked',
    'project:suspended',
    'project:archived',
  ]);
  expect(items[2]?.description).toContain('unread: 1');
});

it('names who works on a feature where it is not the built-in agent alone', () => {
  const jobs = [
    jobRow({ id: 'job-1' }),
    jobRow({ id: 'job-2', options: jobOptions({ executors: { worker: 'cline', reviewer: 'codex' } }) }),
  ];
  const of = (id: number, job_id: string, executors: readonly string[] | null) =>
    featureRow({ id, job_id, status: 'pending', executors });
  const features = [
    of(1, 'job-1', null),
    of(2, 'job-1', ['builtin', 'goose']),
    of(3, 'job-2', null),
    of(4, 'job-2', ['builtin']),
  ];
  const tree = treeOf(stateOf({ jobs, features }));
  const said = features.map(({ id }) => tree.getTreeItem({ kind: 'feature', featureId: id }).description);
  expect(said).toEqual(['Pending', 'Pending · built-in agent, goose', 'Pending · cline', 'Pending']);
});

it('shows a job that no process works on as not running, with Resume Job', () => {
  const tree = treeOf(stateOf({ jobs: [jobRow({ id: 'job-1' }), jobRow({ id: 'job-2' })] }), ['job-2']);
  const items = tree.getChildren().map((node) => tree.getTreeItem(node));
  expect(items.map(({ description, contextValue }) => [description, contextValue])).toEqual([
    ['Running', 'job:active'],
    ['Not running', 'job:paused'],
  ]);
});

it('shows no phase and no feature as running while no process works on the job', () => {
  const phases = [phaseRow({ id: 1, job_id: 'job-1', status: 'executing' })];
  const features = [
    featureRow({ id: 1, job_id: 'job-1', phase_id: 1, status: 'in_progress' }),
    featureRow({ id: 2, job_id: 'job-1', phase_id: 1, status: 'completed' }),
  ];
  const state = stateOf({ jobs: [jobRow({ id: 'job-1' })], phases, features });
  const said = (running?: readonly string[]) => {
    const tree = treeOf(state, ...(running === undefined ? [] : [running]));
    const nodes = [{ kind: 'phase', phaseId: 1 } as const, ...tree.getChildren({ kind: 'phase', phaseId: 1 })];
    return nodes.map((node) => tree.getTreeItem(node)).map(({ description, iconPath }) => [description, iconPath]);
  };
  expect(said()).toMatchObject([
    ['In progress', { id: 'sync~spin' }],
    ['In progress', { id: 'sync~spin' }],
    ['Completed', { id: 'pass' }],
  ]);
  expect(said([])).toMatchObject([
    ['Not running', { id: 'debug-pause' }],
    ['Not running', { id: 'debug-pause' }],
    ['Completed', { id: 'pass' }],
  ]);
});

it('shows that a job waits though its status is running, with why and until when', () => {
  const wait = { code: 'provider', reason: 'HTTP 429', since: '2026-11-21T12:00:00.000Z' } as const;
  const jobs = [jobRow({ id: 'job-1', status: 'running', wait: { ...wait, until: '2026-11-21T12:05:00.000Z' } })];
  const item = treeOf(stateOf({ jobs })).getTreeItem({ kind: 'job', jobId: 'job-1' });
  expect(item).toMatchObject({ description: 'Waiting', iconPath: { id: 'clock' } });
  expect(item.tooltip).toMatch(/HTTP 429, retries /);
});
