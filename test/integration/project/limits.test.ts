/** A project that reaches a limit of its own, on the real owner: what is asked, and how it goes on. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { need } from '../../../src/core/state/rows.ts';
import type { ApprovalRow } from '../../../src/shared/approval.ts';
import type { ProjectLimits } from '../../../src/shared/project/projects.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

/** A project answered by the simulated model, and a word to it: its answer takes two calls of tools, and one call more. */
async function told(limits: Partial<ProjectLimits>): Promise<{ world: EngineWorld; messageId: number }> {
  const world = await EngineWorld.open();
  await world.owner.request('createProject', { name: 'api', provider: 'simulated', body: 'Talk.', limits });
  const { messageId } = await world.owner.request('sendMessage', {
    project: 'api',
    text: 'What is the state of things?',
  });
  return { world, messageId };
}

const limitsOf = ({ state }: EngineWorld): ProjectLimits => need(state, 'projects', 'api').limits;
const answers = ({ state }: EngineWorld): number =>
  [...state.spends.values()].filter(({ status, project_id }) => status === 'settled' && project_id === 'api').length;

function askedAbout(world: EngineWorld): Promise<ApprovalRow> {
  return world.until('it asks', () =>
    [...world.state.approvals.values()].find(({ kind, status }) => kind === 'limit' && status === 'pending'),
  );
}

test('its calls of tools are used up: it asks for so many more, and goes on where it was', async () => {
  const { world, messageId } = await told({ toolCalls: 2 });
  await using _ = world;
  const asked = await askedAbout(world);
  expect(asked).toMatchObject({
    job_id: null,
    project_id: 'api',
    question: "The project's tool call limit is reached. Raise it to 4 tool calls and continue?",
  });
  expect(answers(world)).toBe(1);
  await world.owner.request('decide', { approvalId: asked.id, decision: 'approved', choice: 'raise' });
  await world.until('it is answered', () => answers(world) === 2);
  expect(limitsOf(world)).toMatchObject({ toolCalls: 4 });
  expect(need(world.state, 'messages', messageId).read_at).not.toBeNull();
  const file = join(world.places.stateDir, 'projects', 'api', 'PROJECT.md');
  await world.until('PROJECT.md says so', () => readFileSync(file, 'utf8').includes('toolCalls: 4'));
  expect([...world.state.messages.values()].filter(({ direction }) => direction === 'out')).toHaveLength(1);
});

test('its money of today is used up: it waits, and goes on when there is more of it', async () => {
  const { world, messageId } = await told({ dayMicroUsd: 1 });
  await using _ = world;
  await world.until('it is heard', () => need(world.state, 'messages', messageId).read_at !== null);
  await world.owner.request('defineProject', { project: 'api', limits: { dayMicroUsd: 5_000_000 } });
  await world.until('it is answered', () => answers(world) === 2);
  expect([...world.state.approvals.values()]).toEqual([]);
});
