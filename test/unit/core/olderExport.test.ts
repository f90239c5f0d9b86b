/** Events with rows of an export that an older version wrote: they lack columns of today. */
import { expect, test } from 'vitest';
import type { ended } from '../../../src/core/record/rows.ts';
import type { EventDraft } from '../../../src/shared/events.ts';
import { emptyState, TABLE_NAMES } from '../../../src/shared/state.ts';
import { projectRow } from '../../support/builders.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { openMemoryStore } from '../../support/memoryStore.ts';

test('a project without after and ended_turn comes after none, and has no ended turn', async () => {
  const store = await openMemoryStore(new FakeClock());
  const { after: _, ended_turn: __, ...older } = projectRow({ id: 'research' });
  const none = Object.fromEntries(TABLE_NAMES.map((table) => [table, [...emptyState()[table].values()]]));
  const rows = { ...none, projects: [older] } as unknown as Parameters<typeof ended>[0];
  await store.commit({ type: 'record_imported', source: 'x', rows } as EventDraft);
  expect(store.state.projects.get('research')).toMatchObject({ after: null, ended_turn: null, status: 'archived' });
});
