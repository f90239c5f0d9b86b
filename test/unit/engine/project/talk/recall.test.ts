/** A conversation searched for what was said in it. */
import { expect, test } from 'vitest';
import { recall } from '../../../../../src/engine/project/talk/recall.ts';
import { messageRow, projectRow, stateOf } from '../../../../support/state/builders.ts';

const about = { project_id: 'api' } as const;
const state = stateOf({
  projects: [projectRow({ id: 'api' })],
  messages: [
    messageRow({ ...about, id: 1, direction: 'in', sender: 'steward', text: 'Keep the old Orders field.' }),
    messageRow({
      ...about,
      id: 2,
      sender: 'project',
      text: `${'x'.repeat(900)} the orders field is gone ${'y'.repeat(900)}`,
    }),
    messageRow({ id: 3, project_id: 'web', text: 'orders field, of another project' }),
    ...Array.from({ length: 12 }, (_, at) => messageRow({ ...about, id: 10 + at, text: `Report ${at}` })),
  ],
});

test('messages that hold all words are found, newest first, with their sayer and an excerpt as data', () => {
  const text = recall(state, 'api', 'FIELD orders');
  expect(text.match(/^Message \d+/gm)).toEqual(['Message 2', 'Message 1']);
  expect(text).toMatch(/Message 2 at 2026-11-02 12:00, by you:\n```text\n…x+ the orders field is gone y+…\n```/);
  expect(text).toMatch(/Message 1 at 2026-11-02 12:00, by the steward:/);
  expect(text).not.toContain('another project');
});

test('says if nothing is found, and how many older ones there are', () => {
  expect(recall(state, 'api', 'peek')).toBe('No message of this conversation holds "peek".');
  expect(recall(state, 'api', 'report')).toMatch(/^Message 21 [\s\S]*2 older ones hold it too: add words\.$/);
});
