/** T2 over the user's repository: each git of a merge fails, or his disk is full; his files, index and branches hold. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, inject, test } from 'vitest';
import { type Judged, judged as ours } from '../hostile/git/judged.ts';
import { GIT_FAULTS, type GitPlan, type MergeTold, mergeUnder } from '../support/disk/failingGit.ts';
import { gitFixture } from '../support/git/gitFixture.ts';
import { snapshotOf } from '../support/git/snapshotOf.ts';
import { testPrograms } from '../support/process/testPrograms.ts';
import { planted } from '../support/suite/planted.ts';
import { type Built, buildWith, type PlantedBug } from '../support/suite/plantedBug.ts';
import { figure, LONG } from '../support/suite/proof.ts';

const count = (what: string, value: number, aim: { atMost: number } | null): void =>
  figure({ method: 'T2', what, value, unit: '', aim });

/** The branch moves by the first, the files by the second; the others there are only when both go back. */
const COMMANDS = 14;
const ALL: readonly GitPlan[] = Array.from({ length: COMMANDS }, (_, at) => at + 1).flatMap((nth) =>
  GIT_FAULTS.flatMap((fault) => [false, true].map((lasting) => ({ fault, nth, lasting }))),
);
const FEW: readonly GitPlan[] = [
  { fault: 'shut', nth: 1, lasting: false },
  { fault: 'full', nth: 2, lasting: false },
  { fault: 'shut', nth: 2, lasting: true },
  { fault: 'unheard', nth: 2, lasting: false },
  // Found here: a look at the files that failed was taken for one that found all of them changed.
  { fault: 'dead', nth: 7, lasting: false },
];

test('a merge whose nth git fails, once or from then on, is undone or finished; no lock of ours stays', async () => {
  const whole = await mergeUnder(ours.createGit, null);
  expect(whole).toMatchObject({ outcome: 'done', broken: [] });
  const told: (MergeTold & { readonly plan: GitPlan })[] = [];
  for (const plan of LONG ? ALL : FEW) told.push({ ...(await mergeUnder(ours.createGit, plan)), plan });
  const broken = told.filter(({ broken }) => broken.length > 0);
  const struck = told.filter(({ commands, plan }) => commands >= plan.nth).length;
  count("merges into the user's repository whose nth git failed", struck, null);
  expect(struck).toBeGreaterThanOrEqual(FEW.length);
  count("promises about the user's repository broken by a git that failed", broken.length, { atMost: 0 });
  expect(broken).toEqual([]);
  expect(told.filter(({ outcome }) => outcome === 'DISK').length).toBeGreaterThanOrEqual(FEW.length);
});

test('a merge that the disk has no room for is not begun', async () => {
  const f = gitFixture();
  try {
    const head = await f.feature(await f.cloned(), { 'a.txt': 'changed\n', 'large.bin': new Uint8Array(9_000_000) });
    const before = snapshotOf(f.repo, true);
    const changed = () => {
      const now = snapshotOf(f.repo, true);
      return Object.keys(now).filter((path) => !path.startsWith('.git/objects/') && now[path] !== before[path]);
    };
    await expect(f.adapter({ freeBytes: async () => 8_000_000 }).integrate(f.request(head))).rejects.toMatchObject({
      code: 'DISK',
      message: `the checkout in ${f.repo} needs 12 MB for the merge, and 8 MB are free`,
    });
    expect(changed()).toEqual([]);
    expect(await f.git.integrate(f.request(head))).toMatchObject({ outcome: 'done', merge: { checkedOut: true } });
  } finally {
    f.remove();
  }
});

/** A namespace of its own, in which root may mount. */
const canMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

/** Takes the lock where no byte is left: what it said, and what lies in `.git` then. */
function lockOnFullDisk(built: Built): unknown {
  const mounted = 'mount -t tmpfs -o size=1m tmpfs /mnt && exec "$0" "$1" /mnt';
  const program = fileURLToPath(built.program('lockOnFullDisk'));
  const run = spawnSync('unshare', ['-m', 'sh', '-c', mounted, process.execPath, program], { encoding: 'utf8' });
  return run.status === 0 ? JSON.parse(run.stdout) : run.stderr;
}
const LOCKING = [fileURLToPath(new URL('../support/disk/lockOnFullDisk.ts', import.meta.url))];

if (canMount) {
  test('a lock for which the disk has no room is not left behind, and it is said', async () => {
    expect(lockOnFullDisk(await testPrograms(inject('tempRoot')))).toEqual({ code: 'DISK', left: [], journal: false });
  });

  planted('the name of the lock comes before its word', async () => {
    const bug = {
      file: 'src/adapters/git/user/indexLock.ts',
      find: '    await writeFile(draft, journal.nonce);\n',
      put: "    await writeFile(lock, '', { flag: 'wx' });\n    await writeFile(draft, journal.nonce);\n",
    };
    using built = await buildWith(bug, LOCKING);
    expect(lockOnFullDisk(built)).toMatchObject({ left: ['index.lock'] });
  });
}

const BUGS: readonly (PlantedBug & { readonly name: string; readonly plan: GitPlan; readonly by: RegExp })[] = [
  {
    name: 'the branch goes back alone',
    file: 'src/adapters/git/user/merge/fastForward.ts',
    find: '  await bringBack(user.git, scratch, lock);\n',
    put: '',
    plan: { fault: 'full', nth: 2, lasting: false },
    by: /^DISK, and changed: .*a\.txt/,
  },
  {
    name: 'the journal goes with the lock',
    file: 'src/adapters/git/user/merge/fastForward.ts',
    find: '    await dropLock(lock);\n',
    put: '    await releaseLock(move.journal, lock);\n',
    plan: { fault: 'shut', nth: 2, lasting: true },
    by: /^DISK, and changed: .*main/,
  },
  {
    name: 'what git cut is taken for the user’s',
    file: 'src/adapters/git/user/checkoutFiles.ts',
    find: 'if (start.equals(text.subarray(0, start.length))) cut.add(path);',
    put: '',
    plan: { fault: 'full', nth: 2, lasting: false },
    by: /^DISK, and changed: m\.bin/,
  },
];

for (const { name, plan, by, ...bug } of BUGS)
  planted(name, async () => {
    using built = await buildWith(bug, ['test/hostile/git/judged.ts']);
    const { judged } = (await import(built.program('judged').href)) as { judged: Judged };
    expect((await mergeUnder(judged.createGit, plan)).broken).toContainEqual(expect.stringMatching(by));
  });
