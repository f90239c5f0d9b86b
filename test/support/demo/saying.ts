/** What is said at a terminal in a test, by a person and by projects. */
import { expect } from 'vitest';
import type { World } from '../world/terminalWorld.ts';

export const json = (world: World): Record<string, unknown> => JSON.parse(world.out);

/** Runs and gives what was printed. */
export async function say(world: World, ...argv: string[]): Promise<string> {
  world.clear();
  expect(await world.run(...argv), world.err).toBe(0);
  return world.out;
}

/** A project says something, or somebody says something to it. */
export async function said(
  { store }: World,
  project: string,
  text: string,
  more: { concerns?: string; sender?: 'main' | 'project' | 'engine'; reply_to?: number; session_id?: number } = {},
): Promise<number> {
  const [id = 0] = store.nextIds('messages', 1);
  const { sender = 'project', concerns = null, reply_to = null, session_id = null } = more;
  const about = { concerns, relayed_from: null, session_id, reply_to };
  await store.commit({
    type: 'message_sent',
    message: { id, project_id: project, direction: 'out', sender, text, ...about },
  });
  return id;
}

/** The main agent's thread, which hears of a message and answers it. */
export function answering(world: World, reply: (text: string) => string): void {
  world.store.subscribe((event) => {
    if (event.type !== 'message_sent') return;
    const { id, project_id, direction, text } = event.message;
    if (project_id !== 'main' || direction !== 'in') return;
    void world.store
      .commit({ type: 'messages_read', project_id, direction, up_to: id })
      .then(() => said(world, 'main', reply(text), { sender: 'main', reply_to: id }));
  });
}
