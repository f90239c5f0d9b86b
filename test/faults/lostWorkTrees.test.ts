/** Any tree comes out of its patches again: random ones, changed at random, judged by the tree that the user's own git makes of them. */
import { chmodSync, existsSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/adapters/clock.ts';
import { restoreKeptWork } from '../../src/adapters/git/job/restoreKeptWork.ts';
import { createRunGit } from '../../src/adapters/git/runGit.ts';
import { keptBytes, parseKept } from '../../src/core/job/keptWork.ts';
import type { AgainStep } from '../../src/engine/job/gitPorts.ts';
import { gitFixture, NEVER, plainGit } from '../support/git/gitFixture.ts';
import { amount, figure, randomOf, SEED } from '../support/suite/proof.ts';

const NAMES = [
  'a',
  'b.txt',
  'c/d',
  'c/e/f',
  'sp ace',
  'ta"b',
  'ümlaut',
  'back\\slash',
  '-dash',
  'c',
  'line\nbreak',
  'x.bin',
];

type Random = (below: number) => number;

function bytes(random: Random): Uint8Array {
  const kind = random(4);
  if (kind === 0) return new Uint8Array();
  if (kind === 1) return Uint8Array.from({ length: random(3000) }, () => random(256));
  const lines = Array.from({ length: 1 + random(40) }, () => `line ${random(9)}${kind === 2 ? '' : '\r'}`);
  const text = Buffer.from(`${lines.join('\n')}${random(2) === 0 ? '\n' : ''}`);
  return random(3) === 0 ? Buffer.concat([text, Uint8Array.of(233)]) : text;
}

/** Writes, removes and turns things into other things; what is in the way goes. */
function change(folder: string, random: Random): void {
  for (let left = 1 + random(8); left > 0; left--) {
    const at = join(folder, NAMES[random(NAMES.length)] ?? 'a');
    const parent = dirname(at);
    // From above: below what is no folder nothing can be looked at.
    const parts = relative(folder, parent).split(sep);
    for (let deep = 1; deep <= parts.length; deep++) {
      const above = join(folder, ...parts.slice(0, deep));
      if (lstatSync(above, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(above);
    }
    rmSync(at, { recursive: true, force: true });
    if (random(5) === 0) continue;
    mkdirSync(parent, { recursive: true });
    if (random(5) === 0) symlinkSync(`to ${random(5)}`, at);
    else {
      writeFileSync(at, bytes(random));
      if (random(3) === 0) chmodSync(at, 0o755);
    }
  }
}

test(`random trees, changed twice, are made again byte for byte; seed ${SEED}`, async () => {
  const runs = amount({ short: 2, long: 300 });
  for (let run = 0; run < runs; run++) {
    const random = randomOf(SEED + run);
    const f = gitFixture();
    try {
      change(f.repo, random);
      f.commitAll('More');
      const baseline = await f.cloned();
      const { workTree, gitDir } = f.tree;
      const oracle = (): string => {
        const own = ['--git-dir', join(f.folder, 'oracle'), '--work-tree', workTree];
        if (!existsSync(join(f.folder, 'oracle')))
          plainGit(f.folder, ['init', '-q', '--bare', join(f.folder, 'oracle')]);
        plainGit(workTree, [...own, 'add', '-A', '-f']);
        return plainGit(workTree, [...own, 'write-tree']).trim();
      };
      change(workTree, random);
      const first = await f.git.checkpoint(f.tree, baseline);
      change(workTree, random);
      const second = await f.git.checkpoint(f.tree, first);
      const expected = oracle();
      const [start, work] = [await f.git.change(f.tree, baseline, first), await f.git.change(f.tree, first, second)];
      const kept = parseKept(keptBytes({ attempt: 1, job: 'j1', origin: baseline, after: null, start, work }));
      rmSync(dirname(gitDir), { recursive: true });
      const steps: AgainStep[] = [kept.start, kept.work].map((step) => ({ ...step, message: 'Again' }));
      const user = {
        git: createRunGit({ clock: systemClock(), env: process.env }),
        env: process.env,
        clock: systemClock(),
      };
      const request = { projectDir: f.repo, branch: 'again', origin: kept.origin, steps };
      const commit = await restoreKeptWork(user, request);
      expect(f.user('rev-parse', `${commit}^{tree}`).trim(), `seed ${SEED + run}`).toBe(expected);
    } finally {
      f.remove();
    }
  }
  figure({ method: 'item 6', what: 'random trees made again from their patches', value: runs, unit: '', aim: null });
});

test('no clone is begun where the disk is nearly full, and it is said what to do', async () => {
  const f = gitFixture();
  try {
    const git = f.adapter({ freeBytes: async () => 150_000_000 });
    await expect(git.makeClone(f.tree, { snapshot: false, signal: NEVER })).rejects.toMatchObject({
      code: 'DISK',
      message: `only 150 MB are free for ${f.tree.workTree}`,
      hint: 'Make room, for example by `autonomous clean --all`; then resume the job.',
    });
    expect(existsSync(f.tree.workTree)).toBe(false);
  } finally {
    f.remove();
  }
});
