/** A project that comes after another one, in real threads. */
import { expect, test } from 'vitest';
import { hasOpenTurn } from '../../../src/core/project/conversations.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

test('its first turn begins when the other one is completed, over a restart', async () => {
  await using world = await EngineWorld.open();
  const request: typeof world.owner.request = (name, input) => world.owner.request(name, input);
  await request('createProject', { name: 'api', body: 'Move it.' });
  await request('createProject', { name: 'docs', body: 'Document it.', after: 'api' });
  const circle = request('defineProject', { project: 'api', after: 'docs' });
  await expect(circle).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  await expect(request('createProject', { name: 'x', after: 'nobody' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const { messageId } = await request('sendMessage', { project: 'docs', text: 'Write the guide.' });
  await world.restart();
  const { messageId: asked } = await request('sendMessage', { project: 'api', text: 'How far are you?' });
  const early = request('completeProject', { project: 'api', reason: 'version 2 is out' });
  await expect(early).rejects.toMatchObject({ message: 'project api is in the middle of a turn' });
  const out = (id: number) => [...world.state.messages.values()].find(({ reply_to }) => reply_to === id);
  await world.until('api answers', () => out(asked) !== undefined);
  expect(world.state.messages.get(messageId)?.read_at).toBeNull();
  expect(world.state.projects.get('docs')?.parked).toBe('waits until project api is completed');

  await world.until('its turn has ended', () => !hasOpenTurn(world.state, 'api'));
  await request('completeProject', { project: 'api', reason: 'version 2 is out' });
  await world.until('docs answers', () => out(messageId) !== undefined);
  const bodies = world.requests.map(({ body }) => body).join();
  expect(bodies).toMatch(
    /Write the guide\.[\s\S]*Project api is completed by the steward: version 2 is out\.[\s\S]*Its goal: Move it\./,
  );
  expect(bodies).toContain('docs (waits until you are completed)');
});
