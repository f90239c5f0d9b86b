/** T10, whose checkout it is: what the user has lying there, and a branch that he moves, no merge of ours overwrites. */
import { expect, test } from 'vitest';
import { FIXED_CLOCK, gitFixture } from '../support/git/gitFixture.ts';
import { snapshotOf } from '../support/git/snapshotOf.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith, type PlantedBug } from '../support/suite/plantedBug.ts';
import { figure, LONG } from '../support/suite/proof.ts';
import { type Judged, judged as ours } from './git/judged.ts';

interface Mine {
  readonly name: string;
  /** Written by the user before the merge; null: he moves his branch in its last moment. */
  readonly files: Readonly<Record<string, string>> | null;
  readonly staged?: true;
  readonly reason: string;
}

const RACE: Mine = { name: 'his branch moves in the last moment', files: null, reason: 'moved' };
const DIRTY: Mine = {
  name: 'a dirty file that the merge leaves alone',
  files: { 'dir/b.txt': 'dirty\n' },
  reason: 'uncommitted changes ("dir/b.txt")',
};
const IGNORED: Mine = {
  name: 'an ignored file in the way',
  files: { '.git/info/exclude': 'c.txt\n', 'c.txt': 'secret\n' },
  reason: 'overwritten: "c.txt"',
};
const MINE: readonly Mine[] = [
  RACE,
  DIRTY,
  IGNORED,
  { name: 'an untracked file in the way', files: { 'c.txt': 'mine\n' }, reason: 'overwritten: "c.txt"' },
  { name: 'an untracked file where a folder comes', files: { new: 'mine\n' }, reason: 'overwritten: "new"' },
  { name: 'an untracked folder where a file comes', files: { 'c.txt/mine': 'x' }, reason: 'overwritten: "c.txt"' },
  { name: 'staged work', files: { 'staged.txt': 'x' }, staged: true, reason: 'uncommitted changes ("staged.txt")' },
];

const TRIED = LONG ? MINE : MINE.slice(0, 4);

/** What of his is another after a merge that should have been refused; and that it was not refused, or why else. */
async function overwritten({ createGit }: Judged, { files, staged, reason }: Mine): Promise<string[]> {
  const f = gitFixture();
  try {
    const head = await f.feature(await f.cloned(), { 'c.txt': 'ours\n', 'new/d.txt': 'd\n' });
    f.write(f.repo, files ?? {});
    if (staged) f.user('add', 'staged.txt');
    if (files === null) f.user('checkout', '-q', '--detach');
    let his = f.user('rev-parse', 'main').trim();
    const beforeSwap = async () => {
      if (files !== null) return;
      his = f.user('commit-tree', '-p', 'main', '-m', 'race', 'main^{tree}').trim();
      f.user('update-ref', 'refs/heads/main', his);
    };
    const look = () => ({ ...snapshotOf(f.repo), staged: f.user('diff', '--cached', '--name-status') });
    const before: Record<string, string> = look();
    const git = createGit({ clock: FIXED_CLOCK, env: process.env, points: { beforeSwap } });
    const result = await git.integrate(f.request(head));
    const now: Record<string, string> = look();
    const wrong = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((key) => before[key] !== now[key]);
    if (f.user('rev-parse', 'main').trim() !== his) wrong.push('main');
    if (f.user('branch', '--list', 'autonomous/*') !== '') wrong.push('a branch of ours');
    const told = result.outcome === 'refused' ? result.reason : result.outcome;
    return told.includes(reason) ? wrong : [...wrong, `told: ${told}`];
  } finally {
    f.remove();
  }
}

test('what the user has lying there refuses the merge, and no file, index or branch of his is another', async () => {
  for (const mine of TRIED) expect(await overwritten(ours, mine), mine.name).toEqual([]);
  figure({
    method: 'T10',
    what: 'merges over work of the user, each refused',
    value: TRIED.length,
    unit: '',
    aim: null,
  });
});

const BUGS: readonly (PlantedBug & { readonly name: string; readonly mine: Mine; readonly wrong: string })[] = [
  {
    name: 'a dirty tree is moved',
    file: 'src/adapters/git/user/merge/incoming.ts',
    find: '  if (dirty.length > 0) {',
    put: '  if (dirty.length > 1_000) {',
    mine: DIRTY,
    wrong: 'main',
  },
  {
    name: 'a file that git does not track is overwritten',
    file: 'src/adapters/git/user/merge/incoming.ts',
    find: '  if (blocking !== null) {',
    put: '  if (blocking === undefined) {',
    mine: IGNORED,
    wrong: 'c.txt',
  },
  {
    name: 'a ref moves without its old value',
    file: 'src/adapters/git/user/refs.ts',
    find: `\${to} \${from ?? '0'.repeat(to.length)}`,
    put: `\${to}`,
    mine: RACE,
    wrong: 'main',
  },
];

for (const { name, mine, wrong, ...bug } of BUGS)
  planted(name, async () => {
    using built = await buildWith(bug, ['test/hostile/git/judged.ts']);
    const { judged } = (await import(built.program('judged').href)) as { judged: Judged };
    expect(await overwritten(judged, mine)).toContain(wrong);
  });
