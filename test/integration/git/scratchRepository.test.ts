/** What a killed merge or look left in the temp folder goes at the next start; what is at work stays. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/adapters/clock.ts';
import { createRunGit } from '../../../src/adapters/git/runGit.ts';
import { SCRATCH_PREFIX, withScratchRepository } from '../../../src/adapters/git/user/scratchRepository.ts';
import { openUserRepository } from '../../../src/adapters/git/user/userRepository.ts';
import { removeLeft } from '../../../src/adapters/shell/sandbox/leftFolders.ts';
import { type GitFixture, gitFixture } from '../../support/git/gitFixture.ts';

let f: GitFixture;
beforeEach(() => {
  f = gitFixture();
});
afterEach(() => f.remove());

const from = (path: string): string => JSON.stringify(new URL(`../../../src/adapters/${path}`, import.meta.url).href);

/** A process that holds a scratch repository of the fixture's repository until it is killed. */
async function holder(temp: string) {
  const program = `
    import { systemClock } from ${from('clock.ts')};
    import { createRunGit } from ${from('git/runGit.ts')};
    import { openUserRepository } from ${from('git/user/userRepository.ts')};
    import { withScratchRepository } from ${from('git/user/scratchRepository.ts')};
    const user = { clock: systemClock(), env: process.env };
    const repository = await openUserRepository({ ...user, git: createRunGit(user) }, process.argv[1]);
    await withScratchRepository(repository, process.argv[2], () => {
      console.log('ready');
      return new Promise((resolve) => setInterval(resolve, 1e9));
    });`;
  const args = ['--input-type=module-typescript', '-e', program, f.repo, f.user('rev-parse', 'HEAD')];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, TMPDIR: temp },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'close').then(() => Promise.reject(new Error('it ended'))),
  ]);
  return {
    async kill() {
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

test('the folder of a killed maker goes, that of a living one stays', async () => {
  const temp = join(f.folder, 't');
  mkdirSync(temp);
  const killed = await holder(temp);
  const [left] = readdirSync(temp);
  const living = await holder(temp);
  try {
    await killed.kill();
    expect(left).toMatch(new RegExp(`^${SCRATCH_PREFIX}`));
    expect(readdirSync(temp)).toHaveLength(2);

    await removeLeft(temp, SCRATCH_PREFIX, systemClock());

    const stayed = readdirSync(temp);
    expect(stayed).toHaveLength(1);
    expect(stayed).not.toContain(left);
  } finally {
    await living.kill();
  }
});

test('the copy of the index is as old as the index', async () => {
  const index = join(f.repo, '.git', 'index');
  const old = new Date(Date.UTC(2026, 0, 2));
  utimesSync(index, old, old);
  const settings = { clock: systemClock(), env: process.env };
  const user = { ...settings, git: createRunGit(settings) };
  const repository = await openUserRepository(user, f.repo);
  await withScratchRepository(repository, f.user('rev-parse', 'HEAD').trim(), async (scratch) => {
    expect(statSync(join(scratch.gitDir, 'index')).mtime).toEqual(old);
  });
});
