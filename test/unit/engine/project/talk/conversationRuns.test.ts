/** Which run of a conversation has come to an end, as the owner is told. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { projectConversation } from '../../../../../src/engine/project/talk/conversation.ts';
import type {
  ConversationJournal,
  ConversationPorts,
} from '../../../../../src/engine/project/talk/conversationPorts.ts';
import type { ProjectConversation } from '../../../../../src/engine/project/threadPorts.ts';
import type { Store } from '../../../../../src/engine/state/store.ts';
import { failure } from '../../../../../src/shared/errors.ts';
import { openMemoryStore } from '../../../../support/state/memoryStore.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';

test('a run that failed is told as itself, when the next one was asked for while its journal was closed', async () => {
  const store: Store = await openMemoryStore(new FakeClock());
  await store.commit({ type: 'project_created', project: { id: 'a', model: null, workdir: null } });
  const told: [number, string | null][] = [];
  let talk: ProjectConversation | null = null;
  let opened = 0;
  const broken: ConversationJournal = {
    get entries(): never {
      throw failure('DISK', 'the disk is full');
    },
    heldUpTo: 0,
    problems: [],
    append: async () => undefined,
    restart: async () => undefined,
    close: async () => {
      talk?.converse(2);
      await setImmediate();
    },
  };
  const ports: Partial<ConversationPorts> = {
    projectId: 'a',
    store: store as unknown as ConversationPorts['store'],
    problem: () => undefined,
    openJournal: () => (++opened === 1 ? Promise.resolve(broken) : new Promise(() => undefined)),
  };
  talk = projectConversation(ports as ConversationPorts, (run, failed) => told.push([run, failed?.code ?? null]));
  talk.converse(1);
  while (told.length === 0) await setImmediate();
  expect([told, opened]).toEqual([[[1, 'DISK']], 2]);
});
