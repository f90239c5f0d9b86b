/** Choosing who does which work, on a stand-in for the editor: what is offered, what comes of it, and that nothing is installed by us. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { builtInAgents } from '../../../../src/adapters/userData/knownAgents.ts';
import type { LookedAgent, LookedAgents } from '../../../../src/engine/workspace/workspace.ts';
import { failure } from '../../../../src/shared/errors.ts';
import type { HostContext } from '../../../../src/vscode/window/context.ts';
import type { FakeEditor } from '../../../support/editor/fakeEditor.ts';
import { fakeWorkspaces } from '../../../support/editor/fakeWorkspace.ts';
import { featureRow, stateOf } from '../../../support/state/builders.ts';

const person = vi.hoisted(() => ({ editor: null as unknown as FakeEditor }));

vi.mock('vscode', async () => {
  const { editorModule, fakeEditor } = await import('../../../support/editor/fakeEditor.ts');
  person.editor = fakeEditor();
  return editorModule(person.editor);
});

const { chooseAgent } = await import('../../../../src/vscode/agent/chooseAgent.ts');
const { knownAgents } = await import('../../../../src/vscode/agent/knownAgents.ts');
const { agentsText } = await import('../../../../src/vscode/agent/agentTexts.ts');

const { cline } = builtInAgents();
if (cline === undefined) throw new Error('the data file lacks cline');
const ENTRY: LookedAgent['entry'] = { ...cline, url: 'https://example.com/' };

const agent = (
  name: string,
  probe: Partial<LookedAgent['probe']> = {},
  install = `npm install -g ${name}`,
): LookedAgent => ({
  name,
  entry: { ...ENTRY, install },
  probe: {
    name,
    title: name.toUpperCase(),
    state: 'ready',
    detail: '',
    fix: '',
    version: '1.0.0',
    protocol: 1,
    can: ['resumes'],
    lacks: [],
    priced: true,
    ...probe,
  },
});

const FOUND: LookedAgents = {
  agents: [
    agent('cline'),
    agent('codex', { priced: false, lacks: ['MCP'] }),
    agent('goose', { state: 'missing', version: null, detail: 'not on the PATH' }, 'npm install -g goose\nrm -rf ~'),
    agent('gemini', { state: 'login', fix: 'Run gemini and sign in.' }),
  ],
  faults: [],
  file: '/config/agents.yaml',
};

function window(found: () => LookedAgents = () => FOUND) {
  const looks = vi.fn(async () => found());
  const permittedPlace = vi.fn(() => ({ folder: '/work', jobsDir: null }));
  const agents = knownAgents({ permittedPlace }, async () => fakeWorkspaces({ agent: { look: looks } }));
  const features = [
    featureRow({ id: 1, name: 'Parser', status: 'pending', executors: ['codex'] }),
    featureRow({ id: 2, name: 'Printer', status: 'completed' }),
  ];
  const requests: unknown[] = [];
  const engine = {
    state: stateOf({ features }),
    open: async () => null,
    request: async (...request: unknown[]) => void requests.push(request),
  };
  const context = { engine, agents } as unknown as HostContext;
  const choose = (target?: unknown): Promise<void> => chooseAgent(context, target);
  return { agents, looks, permittedPlace, requests, choose };
}

const labels = (at: number): string[] => person.editor.offered.at(at)?.map(({ label }) => label) ?? [];

beforeEach(() => {
  Object.assign(person.editor, { picks: [], settings: {} });
  for (const list of [person.editor.told, person.editor.offered, person.editor.terminal, person.editor.copied])
    list.splice(0);
});

describe('the agents that are known', () => {
  it('are looked at when somebody first asks, and then kept', async () => {
    const { agents, looks } = window();
    expect([agents.seen, looks.mock.calls.length]).toEqual([null, 0]);
    await Promise.all([agents.look(), agents.look()]);
    expect((await agents.look()).agents).toHaveLength(4);
    expect(looks).toHaveBeenCalledTimes(1);
    await agents.look(true);
    expect(looks).toHaveBeenCalledTimes(2);
  });

  it('are not started where nothing may run', async () => {
    const { agents, looks, permittedPlace } = window();
    permittedPlace.mockImplementation(() => {
      throw failure('NOT_PERMITTED', 'not trusted');
    });
    await expect(agents.look()).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
    expect(looks).not.toHaveBeenCalled();
  });

  it('tell what is wrong with a line of the person’s own, and make no link of it', async () => {
    const fault = 'agents.yaml line 3: [x](command:y)';
    await window(() => ({ ...FOUND, faults: [fault] })).agents.look();
    expect(person.editor.told).toEqual(['agents.yaml line 3: [x]\u200b(command:y)']);
    expect(agentsText({ ...FOUND, faults: [fault] })).toContain('\\[x\\]\\(command\\:y\\)');
    expect(agentsText({ ...FOUND, agents: [] })).toContain('The built-in agent does not need any of them.');
  });
});

describe('Choose Agent', () => {
  it('sets who does a role of new jobs, and takes it back', async () => {
    const { choose, requests } = window();
    person.editor.picks = ['Worker', '$(check) CLINE'];
    await choose();
    expect(person.editor.settings['executors']).toEqual({ worker: 'cline' });
    person.editor.picks = ['Worker', '$(check) Built-in agent'];
    await choose();
    expect(person.editor.settings['executors']).toEqual({});
    expect(requests).toEqual([]);
  });

  it('says who is ready, what they lack and who pays, and offers side by side for a feature alone', async () => {
    const { choose } = window();
    await choose({ featureId: 1 });
    expect(labels(0)).toEqual([
      '$(dash) As set in its job',
      '$(check) Built-in agent',
      '$(check) CLINE',
      '$(circle-filled) CODEX',
      '$(split-horizontal) Several agents, to compare…',
      '$(cloud-download) GOOSE',
      '$(sign-in) GEMINI',
      '$(refresh) Look again',
    ]);
    expect(person.editor.offered[0]?.[3]).toMatchObject({
      description: 'codex · 1.0.0 · own account',
      detail: 'resumes · lacks: MCP',
    });
    person.editor.picks = ['Planner'];
    await choose();
    expect(labels(-1)).not.toContain('$(split-horizontal) Several agents, to compare…');
  });

  it.each([
    ['$(check) CLINE', ['cline']],
    ['$(dash) As set in its job', null],
  ])('gives a feature that waits to %s', async (label, executors) => {
    const { choose, requests } = window();
    person.editor.picks = ['Parser', label];
    await choose();
    expect(requests).toEqual([['chooseExecutors', { featureId: 1, executors }]]);
  });

  it('lets several try it side by side', async () => {
    const { choose, requests } = window();
    person.editor.picks = ['$(split-horizontal) Several agents, to compare…', ['Built-in agent', 'CODEX']];
    await choose({ featureId: 1 });
    expect(requests).toEqual([['chooseExecutors', { featureId: 1, executors: ['builtin', 'codex'] }]]);
    expect(labels(-1)).toEqual(['Built-in agent', 'CLINE', 'CODEX']);
  });

  it('changes nothing when it is dismissed, or the feature does not wait', async () => {
    const { choose, requests } = window();
    person.editor.picks = ['$(split-horizontal) Several agents, to compare…', undefined, undefined];
    await choose({ featureId: 1 });
    await choose({ featureId: 2 });
    expect(person.editor.told).toEqual(['Only a pending feature can be given to another agent: Printer']);
    expect(requests).toEqual([]);
  });

  it('types how to get one that is missing into a terminal, one line, and runs nothing', async () => {
    const { choose, requests } = window();
    person.editor.picks = ['$(cloud-download) GOOSE', '$(terminal) Type it into a terminal'];
    await choose({ featureId: 1 });
    expect(person.editor.terminal).toEqual([['npm install -g goose', false]]);
    person.editor.picks = ['$(cloud-download) GOOSE', '$(copy) Copy how to install it'];
    await choose({ featureId: 1 });
    expect(person.editor.copied).toEqual(['npm install -g goose']);
    expect(requests).toEqual([]);
  });

  it('takes one that is not signed in only when the person says so', async () => {
    const { choose, requests } = window();
    person.editor.picks = ['$(sign-in) GEMINI', '$(check) Choose it anyway'];
    await choose({ featureId: 1 });
    expect(labels(1)).toEqual(['$(book) Read about it', '$(check) Choose it anyway']);
    expect(requests).toEqual([['chooseExecutors', { featureId: 1, executors: ['gemini'] }]]);
  });
});
