/**
 * T10: a repository whose configuration promises that what is missing is elsewhere, and names the program that brings it. Git asks
 * by itself for any object that it misses, in whatever command; none of ours does, with a git that has a switch against it or without.
 */
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { FIXED_CLOCK, NEVER } from '../support/git/gitFixture.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith } from '../support/suite/plantedBug.ts';
import { figure, LONG } from '../support/suite/proof.ts';
import { GitGround } from './git/ground.ts';
import { type Judged, judged as ours } from './git/judged.ts';

const MISSING = '1'.repeat(40);
/** What its configuration holds, with the program and a folder. */
const PROMISES: Readonly<Record<string, (program: string, folder: string) => string>> = {
  'a remote that promises': (program, folder) =>
    `[remote "p"]\n\tpromisor = true\n\turl = ${folder}\n\tuploadpack = ${program}\n`,
  'by a file URL': (program, folder) =>
    `[remote "p"]\n\tpromisor = true\n\turl = file://${folder}\n\tuploadpack = ${program}\n`,
  'a partial clone': (program, folder) =>
    `[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tpartialClone = p\n[remote "p"]\n\turl = ${folder}\n\tuploadpack = ${program}\n`,
  'by a program of its own': (program) =>
    `[remote "p"]\n\tpromisor = true\n\turl = ext::${program}\n[protocol]\n\tallow = always\n`,
};
/** What is missing: the commit that it stands on, or what that one holds. */
const MISSES: Readonly<Record<string, (ground: GitGround) => void>> = {
  'the commit': ({ userGit }) => writeFileSync(join(userGit, 'refs', 'heads', 'main'), `${MISSING}\n`),
  'its tree': ({ userGit, fixture }) => {
    const tree = fixture.user('rev-parse', 'HEAD^{tree}').trim();
    rmSync(join(userGit, 'objects', tree.slice(0, 2), tree.slice(2)));
  },
};

type Case = readonly [promise: string, what: string];
const ALL: readonly Case[] = Object.keys(PROMISES).flatMap((promise) =>
  Object.keys(MISSES).map((what) => [promise, what] as const),
);
/** Of the short form: each promise once. */
const CASES = LONG ? ALL : ALL.filter((_, at) => at % 4 === 0 || at % 4 === 3);

/** Which promises made a git of ours run the program. */
async function kept(judged: Judged, cases: readonly Case[]): Promise<string[]> {
  const fired: string[] = [];
  for (const [promise, what] of cases) {
    const [text, miss] = [PROMISES[promise], MISSES[what]];
    if (text === undefined || miss === undefined) throw new Error('there is no such case');

    const ground = new GitGround();
    try {
      miss(ground);
      // The one of the ground reads to the end, while git waits for a word.
      const program = join(ground.elsewhere, 'run');
      ground.put(program, `#!/bin/sh\n${ground.program('fetched')} </dev/null >&2\nexit 1\n`);
      chmodSync(program, 0o755);
      ground.append(join(ground.userGit, 'config'), text(program, ground.elsewhere));
      const { repo, environment: env, fixture } = ground;
      const git = judged.createGit({ clock: FIXED_CLOCK, env });
      // Each may refuse the repository, in any words.
      await Promise.allSettled([
        git.inspect(repo),
        git.isCommitted(repo, 'a.txt'),
        git.baseTip(repo, 'main'),
        git.makeClone(fixture.tree, { snapshot: true, signal: NEVER }),
      ]);
      if (ground.fired().length > 0) fired.push(`${promise}, without ${what}`);
    } finally {
      ground.remove();
    }
  }
  return fired;
}

const all = { tried: 0, fired: 0 };

function held(fired: readonly string[], cases: readonly Case[]): void {
  all.tried += cases.length * 4;
  all.fired += fired.length;
  expect(fired).toEqual([]);
}

afterAll(() => {
  const { tried, fired } = all;
  figure({ method: 'T10', what: 'hostile inputs tried: promises of a repository', value: tried, unit: '', aim: null });
  figure({
    method: 'T10',
    what: 'promises of a repository that were fetched',
    value: fired,
    unit: '',
    aim: { atMost: 0 },
  });
});

async function keptWith(find: string, put: string, cases: readonly Case[]): Promise<string[]> {
  using built = await buildWith({ file: 'src/adapters/git/neutral.ts', find, put }, ['test/hostile/git/judged.ts']);
  return kept(((await import(built.program('judged').href)) as { judged: Judged }).judged, cases);
}

test('nothing is fetched by itself', async () => held(await kept(ours, CASES), CASES));

test('nothing is fetched by itself by a git that knows no switch against it, as 2.38', async () => {
  const cases = LONG ? ALL : CASES.slice(0, 2);
  held(await keptWith("  GIT_NO_LAZY_FETCH: '1',\n", '', cases), cases);
});

planted('git may fetch what it misses', async () => {
  const both = "  GIT_ALLOW_PROTOCOL: 'none',\n  GIT_NO_LAZY_FETCH: '1',\n";
  const fired = await keptWith(both, "  GIT_ALLOW_PROTOCOL: 'file',\n", ALL.slice(0, 2));
  expect(fired).toEqual(expect.arrayContaining(['a remote that promises, without the commit']));
});
