/** Thousands of projects of our own, all active, as years may leave them behind. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ownState } from '../../../src/app/open/store.ts';
import { becomeOwner } from '../../../src/app/owner/owner.ts';
import { projectViews } from '../../../src/core/project/projectView.ts';
import { plainDefinition } from '../../../src/core/project/reduceProjects.ts';
import { writtenOf } from '../../../src/engine/project/definition/editedDefinition.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

/** Many times what has a thread ahead of its work. */
const MANY = 1_000;
const LAST = `p-${MANY - 1}`;

async function leaveBehind(world: EngineWorld): Promise<void> {
  const store = await ownState({ ...world.ownerOptions, isShipped: async () => false });
  const definition = { ...plainDefinition(), provider: 'simulated', body: 'Talk.\n' } as const;
  await Promise.all(
    Array.from({ length: MANY }, (_, n) =>
      store.commit({ type: 'project_created', project: { id: `p-${n}`, model: null, workdir: null, definition } }),
    ),
  );
  for (const row of store.state.projects.values()) {
    const folder = join(world.places.stateDir, 'projects', row.id);
    mkdirSync(folder, { recursive: true });
    const { text, mark } = writtenOf(row);
    writeFileSync(join(folder, 'PROJECT.md'), text);
    writeFileSync(join(folder, '.PROJECT.md.note'), mark);
  }
  await store.close();
}

it('are there at a start, and the last of them answers', async () => {
  await using world = await EngineWorld.open({ owner: { work: false } });
  await world.close();
  await leaveBehind(world);
  world.owner = await becomeOwner({ ...world.ownerOptions, work: true });
  const { messageId } = await world.owner.request('sendMessage', { project: LAST, text: 'How are you?' });
  await world.until('it is heard', () => world.state.messages.get(messageId)?.read_at !== null);
  const views = projectViews(world.state, '2026-01-01');
  expect(views).toHaveLength(MANY);
  expect(views.filter(({ parked }) => parked)).toEqual([]);
  expect(world.owner.problems).toEqual([]);
});
