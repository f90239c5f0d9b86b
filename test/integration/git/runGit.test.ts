/** What each command costs the night that it is one of thousands of. */
import { setTimeout as wait } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/adapters/clock.ts';
import { createRunGit } from '../../../src/adapters/git/runGit.ts';
import { gitFixture } from '../../support/git/gitFixture.ts';

const COMMANDS = 40;
/** When what was begun 50 ms ago is over. */
async function promises(): Promise<number> {
  await wait(200);
  return Number(queryObjects(Promise, { format: 'count' }));
}

// Found by the soak: simple-git keeps a promise of each command that is to wait for its streams.
test('nothing is kept of a command that is over', async () => {
  const f = gitFixture();
  try {
    const git = createRunGit({ clock: systemClock(), env: process.env });
    const run = () => git.ok({ cwd: f.repo }, ['rev-parse', '--git-dir']);
    await run();
    const before = await promises();
    for (let nth = 0; nth < COMMANDS; nth++) expect(await run()).toBe('.git\n');
    expect((await promises()) - before).toBeLessThan(COMMANDS / 2);
  } finally {
    f.remove();
  }
});

test('all of a long output is there, and both of its streams', async () => {
  const f = gitFixture();
  try {
    const git = createRunGit({ clock: systemClock(), env: process.env });
    const text = 'a line of text\n'.repeat(200_000);
    f.write(f.repo, { 'long.txt': text });
    f.user('add', '-A');
    f.user('commit', '-q', '-m', 'Long');
    expect(await git.ok({ cwd: f.repo }, ['cat-file', 'blob', 'HEAD:long.txt'])).toBe(text);
    const { code, stderr } = await git.run({ cwd: f.repo }, ['cat-file', 'blob', 'HEAD:none']);
    expect([code, stderr]).toEqual([128, expect.stringContaining('none')]);
  } finally {
    f.remove();
  }
});

test('a command that reads its input ends when the input is empty or left out', async () => {
  const f = gitFixture();
  try {
    const git = createRunGit({ clock: systemClock(), env: process.env });
    const reads = ['update-index', '-z', '--stdin'];
    expect(await git.ok({ cwd: f.repo }, reads, { input: '' })).toBe('');
    expect(await git.ok({ cwd: f.repo }, reads)).toBe('');
  } finally {
    f.remove();
  }
});
