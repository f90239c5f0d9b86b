/** Whose words were passed on is known where they are read. */
import { expect, test } from 'vitest';
import { projectChanges, projectState } from '../../../../src/core/project/projectState.ts';
import { projectMessages } from '../../../../src/core/state/rows.ts';
import { messagesTurn } from '../../../../src/engine/session/prompts/project.ts';
import { applyChanges, type State } from '../../../../src/shared/workspace/state.ts';
import { mainAgentWorld } from '../../../support/world/mainAgentWorld.ts';

/** What the project's conversation would be told. */
function toldTo(project: string, state: State): string {
  const waiting = projectMessages(state, project).filter((row) => row.direction === 'in' && row.read_at === null);
  return messagesTurn(project, waiting, (row) => state.messages.get(row.relayed_from ?? 0)?.project_id ?? null).text;
}

test.each(['app', 'main'])('%s hears whose words they are, from its first moment and later on', async (to) => {
  const { world, state, tools, call, say } = await mainAgentWorld();
  for (const name of ['api', 'app']) await call('create_project', { name, goal: 'x' });
  await tools.request('sendMessage', { project: 'main', text: 'hello' });
  const early = projectState(state, to);
  world.store.subscribe((event, changes) => {
    const own = projectChanges(world.store.state, to, event, changes);
    if (own !== null) applyChanges(early, own);
  });
  const id = await say('api', 'It is gone', to);
  expect(early.messages.has(id)).toBe(false);
  await tools.request('sendMessage', { project: to, text: 'It is gone', relayedFrom: id });
  for (const state of [early, projectState(world.store.state, to)]) {
    const addressed = 'The project api in a notice to the steward and to you (project app), ';
    expect(toldTo(to, state)).toContain(to === 'main' ? `The project api (its message ${id}), ` : addressed);
  }
});
