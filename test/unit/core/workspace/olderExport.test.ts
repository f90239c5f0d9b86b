/** Events with rows of an export that an older version wrote: they lack columns of today. */
import { expect, test } from 'vitest';
import type { ended } from '../../../../src/core/workspace/rows.ts';
import type { GateFacts } from '../../../../src/shared/rule/rules.ts';
import type { EventDraft } from '../../../../src/shared/workspace/events.ts';
import { emptyState, TABLE_NAMES } from '../../../../src/shared/workspace/state.ts';
import { approvalRow, attemptRow, messageRow, projectRow } from '../../../support/state/builders.ts';
import { openMemoryStore } from '../../../support/state/memoryStore.ts';
import { FakeClock } from '../../../support/time/fakeClock.ts';

async function imported(older: object) {
  const store = await openMemoryStore(new FakeClock());
  const none = Object.fromEntries(TABLE_NAMES.map((table) => [table, [...emptyState()[table].values()]]));
  const rows = { ...none, ...older } as unknown as Parameters<typeof ended>[0];
  await store.commit({ type: 'record_imported', source: 'x', rows } as EventDraft);
  return store.state;
}

test('a project without after and ended_turn comes after none, and has no ended turn', async () => {
  const { after: _, ended_turn: __, ...older } = projectRow({ id: 'research' });
  const { projects } = await imported({ projects: [older] });
  expect(projects.get('research')).toMatchObject({ after: null, ended_turn: null, status: 'archived' });
});

test('an export without rules has none, and no approval of an export earns a rule here', async () => {
  const facts = {
    provider: 'anthropic',
    work: 'docs',
    files: 1,
    lines: 1,
    categories: [],
    microUsd: 1,
    verified: true,
  };
  const approval = approvalRow({ status: 'approved', decided_by: 'steward', facts: facts as GateFacts });
  const { rules, approvals } = await imported({ rules: undefined, approvals: [approval] });
  expect(rules.size).toBe(0);
  expect(approvals.get(approval.id)).toMatchObject({ status: 'approved', facts: null });
});

test('an attempt without todo has an empty list, and a message without reply_to answers none', async () => {
  const { todo: _, ...attempt } = attemptRow();
  const { reply_to: __, main_read_at: ___, ...message } = messageRow();
  const { attempts, messages } = await imported({ attempts: [attempt], messages: [message] });
  expect(attempts.get(attempt.id)).toMatchObject({ todo: [] });
  expect(messages.get(message.id)).toMatchObject({ reply_to: null, main_read_at: null });
});
