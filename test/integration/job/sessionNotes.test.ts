/** `autonomous note` in a session, on a real tree: every word of it is stored or refused. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { openTree } from '../../../src/adapters/tree/treeFiles.ts';
import type { JobContext } from '../../../src/engine/job/context.ts';
import { sessionVerbs } from '../../../src/engine/job/work/sessionTools.ts';
import type { EventDraft } from '../../../src/shared/workspace/events.ts';
import { featureRow, JOB_ID, jobRow, sessionRow } from '../../support/state/builders.ts';
import { startFold } from '../../support/state/fold.ts';

const workdir = realpathSync(mkdtempSync(join(inject('tempRoot'), 'notes-')));
mkdirSync(join(workdir, 'src'));
writeFileSync(join(workdir, 'src', 'a.ts'), 'one\n  two\n');

function sessionTools() {
  const fold = startFold();
  fold.state.jobs.set(JOB_ID, jobRow());
  fold.state.features.set(3, featureRow({ id: 3, category: 'core' }));
  fold.state.sessions.set(7, sessionRow({ id: 7, role: 'worker', feature_id: 3 }));
  const { state } = fold;
  const store = {
    state,
    nextIds: () => [state.notes.size + 1],
    commit: async (draft: EventDraft) => fold.commit(draft),
  };
  const ask = sessionVerbs({ store, jobId: JOB_ID } as unknown as JobContext, 7, { workdir, files: openTree(workdir) });
  return { store, ask };
}

test.each([
  [['--global', '--file', 'src/a.ts', '--line', '2', 'text'], { file: 'src/a.ts', line: 2, anchor: 'two' }],
  [['text', '--line=1', '--global', '--file=./src/a.ts'], { file: 'src/a.ts', line: 1, anchor: 'one' }],
  [['3', 'text', '--file', 'src/a.ts'], { feature_id: 3, file: 'src/a.ts', line: null }],
  [['--category=core', 'text'], { category: 'core', file: null }],
  [['--category', 'core', '--file', 'later.ts', '--line', '9', 'text'], { category: 'core', line: 9, anchor: null }],
] as const)('note %j stores the text with its place', async (words, row) => {
  const { store, ask } = sessionTools();
  expect(await ask(['note', ...words])).toEqual({ exitCode: 0, stdout: 'Note added\n', stderr: '' });
  expect([...store.state.notes.values()]).toMatchObject([{ content: 'text', created_by_session: 7, ...row }]);
});

test('every word of an unquoted text is kept', async () => {
  const { store, ask } = sessionTools();
  await ask(['note', '3', 'two', 'words']);
  await ask(['note', '--global', '- a list', 'of 2']);
  await ask(['note', '--global', '--', '--line', 'is an option']);
  const texts = [...store.state.notes.values()].map(({ content }) => content);
  expect(texts).toEqual(['two words', '- a list of 2', '--line is an option']);
});

test.each([
  [['--global', '--line', '1', 'text'], '--line needs --file'],
  [['--global', '--file', 'src/a.ts', '--line', 'x', 'text'], 'is not a line number'],
  [['--global', '--files', 'src/a.ts', 'text'], 'unknown option --files'],
  [['--global', '--category', 'core', 'text'], 'one scope'],
  [['--global', '--file', '../else.ts', 'text'], 'outside of the tree'],
  [['--global', '--file'], '--file needs a value'],
  [['--global', '--file', 'src/a.ts'], 'The note is empty'],
  [['4', 'text'], 'Feature 4 is not yours'],
  [['text'], 'not a feature id'],
] as const)('note %j is refused', async (words, why) => {
  const { store, ask } = sessionTools();
  expect(await ask(['note', ...words])).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(why) });
  expect(store.state.notes.size).toBe(0);
});

test('no verb ignores a word', async () => {
  const { ask } = sessionTools();
  expect(await ask(['notes', '3', 'core', 'more'])).toMatchObject({ exitCode: 1 });
  expect(await ask(['status', '3', 'pending', 'more'])).toMatchObject({ exitCode: 1 });
});
