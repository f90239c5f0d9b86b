/** Commands about projects: what is asked, what is requested by the answers, and what a dismissal leaves alone. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { JobRow } from '../../../../src/shared/job/rows.ts';
import type { ProjectRow } from '../../../../src/shared/project/projects.ts';
import type { HostContext } from '../../../../src/vscode/window/context.ts';
import type { World } from '../../../../src/vscode/window/world.ts';
import type { FakeEditor } from '../../../support/editor/fakeEditor.ts';
import { jobRow, projectRow, stateOf } from '../../../support/state/builders.ts';

type Handler = (...args: unknown[]) => Promise<void>;

const editor = vi.hoisted(() => ({
  current: null as unknown as FakeEditor,
  handlers: new Map<string, Handler>(),
  ran: [] as unknown[],
}));

vi.mock('vscode', async () => {
  const { editorModule, fakeEditor } = await import('../../../support/editor/fakeEditor.ts');
  editor.current = fakeEditor();
  return {
    ...editorModule(editor.current),
    Disposable: { from: () => ({}) },
    languages: { registerCodeLensProvider: () => ({}) },
    commands: {
      registerCommand: (id: string, handler: Handler) => editor.handlers.set(id, handler),
      executeCommand: async (...command: unknown[]) => void editor.ran.push(command),
    },
  };
});

const { registerProjects } = await import('../../../../src/vscode/project/register.ts');
const { currentProject } = await import('../../../../src/vscode/window/currentProject.ts');

function window(rows: readonly Partial<ProjectRow>[], jobs: readonly JobRow[] = []) {
  const state = stateOf({ projects: rows.map(projectRow), jobs });
  const requests: unknown[] = [];
  const kept = new Map<string, unknown>();
  const workspaceState = {
    get: (name: string, otherwise: unknown) => kept.get(name) ?? otherwise,
    update: async (name: string, value: unknown) => void kept.set(name, value),
  };
  const atWork = { works: true, jobs: [...state.jobs.keys()], turns: [] };
  const engine = {
    state,
    atWork,
    open: async () => null,
    request: async (...request: unknown[]) => void requests.push(request),
  };
  const context = { engine, extension: { workspaceState }, log: { error: () => undefined }, today: () => '2026-11-02' };
  const talks: string[] = [];
  const switched = vi.fn();
  registerProjects(
    context as unknown as HostContext,
    { views: { talk: (project: string) => talks.push(project) } } as unknown as World,
    switched,
  );
  return { requests, talks, switched, filedIn: () => currentProject(workspaceState as never, state) };
}

const run = async (command: string, target?: unknown): Promise<void> =>
  editor.handlers.get(`autonomous.${command}`)?.(target);

beforeEach(() => {
  Object.assign(editor.current, { picks: [], types: [] });
  editor.current.told.length = 0;
  editor.ran.length = 0;
});

describe('the life of a project', () => {
  it('takes the only project that it can be about, without asking', async () => {
    const { requests } = window([{ id: 'default' }, { id: 'api' }, { id: 'docs', status: 'suspended' }]);
    editor.current.types = ['It is moved.'];
    await run('completeProject');
    await run('resumeProject');
    expect(requests).toEqual([
      ['completeProject', { project: 'api', reason: 'It is moved.' }],
      ['resumeProject', { project: 'docs' }],
    ]);
  });

  it('asks among several, and does nothing when that is dismissed', async () => {
    const { requests } = window([{ id: 'api' }, { id: 'docs' }]);
    await run('suspendProject');
    expect(requests).toEqual([]);
    editor.current.picks = ['$(folder-active) docs'];
    await run('suspendProject');
    expect(requests).toEqual([['suspendProject', { project: 'docs' }]]);
  });

  it('suspends and resumes the default project, and never offers to complete it', async () => {
    const { requests } = window([{ id: 'default' }]);
    await run('suspendProject');
    await run('completeProject');
    expect(requests).toEqual([['suspendProject', { project: 'default' }]]);
    expect(editor.current.told).toEqual(['No project is in a state for this.']);
    const again = window([{ id: 'default', status: 'suspended' }]);
    await run('resumeProject');
    expect(again.requests).toEqual([['resumeProject', { project: 'default' }]]);
  });

  it('completes with what came of it, and not when that was dismissed', async () => {
    const { requests } = window([{ id: 'api' }]);
    await run('completeProject');
    expect(requests).toEqual([]);
    editor.current.types = ['It is moved.'];
    await run('completeProject');
    expect(requests).toEqual([['completeProject', { project: 'api', reason: 'It is moved.' }]]);
  });

  it('asks nothing of one that cannot be completed while a job of it is open', async () => {
    const { requests } = window([{ id: 'api' }], [jobRow({ project_id: 'api', status: 'running', title: 'Tests' })]);
    editor.current.types = ['It is moved.'];
    await run('completeProject');
    expect(requests).toEqual([]);
    expect(editor.current.types).toEqual(['It is moved.']);
    expect(editor.current.told.join()).toContain('api has an open job: Tests');
  });

  it('says that a named project is not there', async () => {
    const { requests } = window([{ id: 'api' }]);
    await run('archiveProject', { project: 'gone' });
    expect(requests).toEqual([]);
    expect(editor.current.told.join()).toContain('There is no project gone in this folder.');
  });

  it('tries again what is parked', async () => {
    const { requests } = window([{ id: 'api', parked: 'it died' }, { id: 'docs' }]);
    await run('unparkProject');
    expect(requests).toEqual([['unparkProject', { project: 'api' }]]);
  });
});

describe('what is said to a project', () => {
  it('is typed, and nothing is sent of an empty or dismissed one', async () => {
    const { requests } = window([{ id: 'api' }]);
    editor.current.types = [undefined, '  ', 'Begin.'];
    for (let times = 0; times < 3; times++) await run('messageProject', { project: 'api' });
    expect(requests).toEqual([['sendMessage', { project: 'api', text: 'Begin.' }]]);
  });

  it('may be to the main agent, before its first word', async () => {
    const { requests, talks } = window([]);
    editor.current.picks = ['$(hubot) Main agent', '$(hubot) Main agent'];
    editor.current.types = ['What is going on?'];
    await run('messageProject');
    await run('openConversation');
    expect(requests).toEqual([['sendMessage', { project: 'main', text: 'What is going on?' }]]);
    expect(talks).toEqual(['main']);
  });
});

describe('the project of new briefs', () => {
  it('is the one that was switched to, as long as it takes any', async () => {
    const { filedIn, switched } = window([{ id: 'api' }, { id: 'old', status: 'archived' }]);
    expect(filedIn()).toBe('default');
    await run('switchProject', { project: 'old' });
    expect(editor.current.told).toEqual(['Project old takes no briefs.']);
    await run('switchProject', { project: 'main' });
    expect([filedIn(), switched.mock.calls.length]).toEqual(['default', 0]);
    editor.current.picks = ['api'];
    await run('switchProject');
    expect([filedIn(), switched.mock.calls.length]).toEqual(['api', 1]);
    editor.current.picks = ['default'];
    await run('switchProject');
    expect(filedIn()).toBe('default');
  });
});

it('shows all projects, and opens the conversation of the picked one', async () => {
  window([{ id: 'api', body: '## Goal\n\nMove it.' }, { id: 'main' }]);
  editor.current.picks = ['$(folder-active) api'];
  await run('showProjects');
  expect(editor.ran).toEqual([['autonomous.openConversation', { project: 'api' }]]);
});
