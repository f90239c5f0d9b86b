/** What a project of a provider without prices cannot do without, and what its jobs take from its definition. */
import { describe, expect, it } from 'vitest';
import { bounded, briefLimits } from '../../../../src/core/money/price/unpriced.ts';
import { plainDefinition } from '../../../../src/core/project/reduceProjects.ts';
import { withModelOf } from '../../../../src/engine/job/requests/brief.ts';
import { isPricedNow } from '../../../../src/engine/job/requests/terms.ts';
import { conversationBriefs } from '../../../../src/engine/project/briefs.ts';
import { type ProjectRequestPorts, projectRequests } from '../../../../src/engine/project/requests.ts';
import type { ProviderName } from '../../../../src/shared/model/models.ts';
import {
  MAIN_PROJECT,
  NO_PROJECT_LIMITS,
  type ProjectDefinition,
  type ProjectRow,
} from '../../../../src/shared/project/projects.ts';
import { addProject, addSession, JOB_OPTIONS, openMemoryStore } from '../../../support/state/memoryStore.ts';
import { FakeClock } from '../../../support/time/fakeClock.ts';

const own = (parts: Partial<ProjectDefinition>): ProjectDefinition => ({ ...plainDefinition(), ...parts });
const BOUNDED = { tokens: expect.any(Number), toolCalls: expect.any(Number) };

async function requesting() {
  const store = await openMemoryStore(new FakeClock());
  const ports: ProjectRequestPorts = {
    store,
    defaults: plainDefinition(),
    agents: async () => ({}),
    connections: () => ({}),
    ready: async () => undefined,
    conversationModel: 'claude-sonnet-5-5',
    checkName: (name) => name,
    checkFree: async () => undefined,
    begin: async () => ({}),
    checkWorkdir: async (path) => path,
    foundDefinition: async () => own({ provider: 'vscode-lm' }),
  };
  const limitsOf = (id: string) => store.state.projects.get(id)?.limits;
  return { store, requests: projectRequests(ports), limitsOf };
}

describe('a project whose provider names no price', () => {
  it('is bounded when it is made, adopted or defined, by what was said or by default', async () => {
    const { requests, limitsOf } = await requesting();
    await requests.createProject({
      name: 'p',
      template: null,
      provider: 'vscode-lm',
      limits: { tokens: 7 },
      by: 'steward',
    });
    expect(limitsOf('p')).toMatchObject({ ...BOUNDED, tokens: 7 });
    await requests.defineProject({ project: 'p', limits: { tokens: null, toolCalls: 9 } });
    expect(limitsOf('p')).toMatchObject({ ...BOUNDED, toolCalls: 9 });
    expect(limitsOf('p')?.tokens).toBeGreaterThan(7);
    await requests.adoptProject({ name: 'q' });
    expect(limitsOf('q')).toMatchObject(BOUNDED);
  });

  it('may be the main agent, which nobody defines', async () => {
    const { requests, limitsOf } = await requesting();
    const word = { project: MAIN_PROJECT, text: 'hi', from: 'steward', relayedFrom: null } as const;
    await requests.sendMessage(word);
    expect(limitsOf(MAIN_PROJECT)).toEqual(NO_PROJECT_LIMITS);
    await requests.sendMessage({ ...word, provider: 'vscode-lm', model: 'copilot/gpt' });
    expect(limitsOf(MAIN_PROJECT)).toMatchObject(BOUNDED);
  });

  it('files its briefs with these limits', async () => {
    const limits = { ...NO_PROJECT_LIMITS, tokens: 500, toolCalls: 20 };
    const store = await openMemoryStore(new FakeClock());
    await addProject(store, 'p', { provider: 'vscode-lm', limits });
    await addProject(store, 'q', { provider: 'anthropic', limits });
    const filed: unknown[] = [];
    const submit = conversationBriefs(store, {
      submitBrief: async ({ provider, unpricedLimits }) => {
        filed.push({ provider, unpricedLimits });
        return { jobId: 'j' };
      },
    });
    for (const id of ['p', 'q']) await submit(id, await addSession(store, null, 'project', id), { brief: 'Do it.' });
    expect(filed).toEqual([
      { provider: 'vscode-lm', unpricedLimits: { calls: 20, tokens: 500 } },
      { provider: 'anthropic', unpricedLimits: undefined },
    ]);
  });

  it('that nothing bounds has no limits for a brief', () => {
    expect(briefLimits(own({ provider: 'vscode-lm' }))).toBeUndefined();
    expect(briefLimits(bounded(own({ provider: 'vscode-lm' })))).toEqual({
      calls: expect.any(Number),
      tokens: expect.any(Number),
    });
  });
});

it('has a price for every model of Anthropic and of a simulation, and for none of the editor', async () => {
  const priced = (provider: ProviderName) => isPricedNow('claude-opus-5-5', provider, () => ({}));
  expect([await priced('anthropic'), await priced('simulated'), await priced('vscode-lm')]).toEqual([
    true,
    true,
    false,
  ]);
});

describe("a project's model", () => {
  const project = (parts: Partial<ProjectDefinition>) => own(parts) as ProjectRow;
  const models = { planner: 'x', worker: 'x', reviewer: 'x', summarizer: 'x' };

  it('carries out its jobs where its provider answers them', () => {
    expect(withModelOf(project({ model: 'x' }), undefined, JOB_OPTIONS).models).toEqual(models);
    expect(withModelOf(project({ model: 'x', provider: 'simulated' }), 'simulated', JOB_OPTIONS).models).toEqual(
      models,
    );
  });

  it.each([
    ['it names none', project({}), undefined],
    ['another provider answers', project({ model: 'x' }), 'simulated'],
    ['its own provider is another', project({ model: 'x', provider: 'vscode-lm' }), undefined],
    ['there is no project yet', undefined, undefined],
  ] as const)('does not where %s', (_, of, provider) => {
    expect(withModelOf(of, provider, JOB_OPTIONS)).toEqual(JOB_OPTIONS);
  });
});
