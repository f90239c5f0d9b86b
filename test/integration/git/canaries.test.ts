/** No operation runs anything that a repository, an agent or the user's settings name (S6). */
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  Canaries,
  HOSTILE_ATTRIBUTES,
  hostileEnvironment,
  poisonWorkTree,
  replaceAgentGit,
} from '../../support/gitCanaries.ts';
import { type GitFixture, gitFixture, NEVER, plainGit, snapshotOf } from '../../support/gitFixture.ts';

let f: GitFixture;
let canaries: Canaries;
beforeEach(() => {
  f = gitFixture();
  canaries = new Canaries(f);
});
afterEach(() => f.remove());

/** The user's repository with everything set, and his home too. Only files are written: nothing runs. */
function poisonUser(attributes: boolean): void {
  const home = join(f.folder, 'home');
  f.write(home, { '.gitconfig': `${canaries.config('global')}[core]\n\thooksPath = ${join(home, 'hooks')}\n` });
  canaries.hooks('global', join(home, 'hooks'));
  const git = join(f.repo, '.git');
  canaries.hooks('user', join(git, 'hooks'));
  writeFileSync(
    join(git, 'config'),
    `${canaries.config('user')}[include]\n\tpath = more\n[core]\n\thooksPath = .husky\n`,
    { flag: 'a' },
  );
  writeFileSync(join(git, 'more'), canaries.config('included'));
  if (attributes) writeFileSync(join(git, 'info', 'attributes'), HOSTILE_ATTRIBUTES);
}

const hostileGit = () => f.adapter({ env: { ...hostileEnvironment(canaries, f), HOME: join(f.folder, 'home') } });
const ATTRIBUTES = ['', 'nested/', 'unborn/', 'outer/', 'outer/inner/'].map((folder) => `${folder}.gitattributes`);
const agentWrites = (files: Record<string, string | null>) => f.write(f.tree.workTree, files);

/** Every operation of the port, once. */
async function everything(merges: boolean): Promise<void> {
  const git = hostileGit();
  f.write(f.repo, { 'a.txt': 'dirty\n', 'new.txt': 'untracked\n', 'new.slow': 'x\n' });
  const before = snapshotOf(f.repo);
  expect((await git.inspect(f.repo)).dirty).toContain('a.txt');
  await git.makeClone(f.tree, { snapshot: true, signal: NEVER });
  const { baseline } = await git.makeClone(f.tree, { snapshot: false, signal: NEVER });
  poisonWorkTree(canaries, f.tree.workTree);
  const point = await git.checkpoint(f.tree, baseline);
  agentWrites({ '.git/objects/info/alternates': '/nonexistent/objects\n', '.git/refs/replace/x': 'x\n' });
  agentWrites({ 'later.slow': 'x\n', 'b.txt': 'b\n', 'nested/more.txt': 'm\n' });
  const feature = (await git.commit(f.tree, { parent: point, message: 'feature' })) ?? '';
  replaceAgentGit(f.tree.workTree, join(f.folder, 'elsewhere'));
  rmSync(join(f.tree.workTree, '.git'), { recursive: true });
  symlinkSync(join(f.folder, 'elsewhere'), join(f.tree.workTree, '.git'));
  await git.restore(f.tree, point);
  await git.restore(f.tree, feature);
  rmSync(join(f.tree.workTree, '.git'));
  writeFileSync(join(f.tree.workTree, '.git'), `gitdir: ${join(f.folder, 'elsewhere')}\n`);
  expect(await git.checkpoint(f.tree, feature)).toBe(feature);
  await git.diff(f.tree, baseline, feature, 1_000_000);
  await git.diffStat(f.tree, baseline, feature);
  expect(await git.changedPaths(f.tree, baseline, feature)).toContain('nested/inside.txt');
  await git.textAt(f.tree, feature, 'b.txt', 100);
  expect(snapshotOf(f.repo)).toEqual(before);

  // his tree is as in his commit again, without asking any git of his
  f.write(f.repo, { 'a.txt': 'one\n', 'new.txt': null, 'new.slow': null });
  const tip = plainGit(f.tree.gitDir, ['commit-tree', '-p', baseline, '-m', 'moved', `${baseline}^{tree}`]).trim();
  moveBase(tip);
  expect(await git.baseTip(f.repo, 'main')).toBe(tip);
  expect(await git.integrate(f.request(feature))).toMatchObject({ outcome: 'moved' });
  if (merges) agentWrites(Object.fromEntries(ATTRIBUTES.map((path) => [path, null])));
  const head = merges ? ((await git.commit(f.tree, { parent: feature, message: 'no attributes' })) ?? '') : feature;
  const merged = await git.mergeBase(f.tree, { head, baseBranch: 'main', message: 'take in' });
  expect(merged.outcome).toBe('clean');
  if (merged.outcome !== 'clean') return;
  for (const mode of ['patch', 'branch'] as const) {
    expect(await git.integrate(f.request(merged.head, { mode }))).toMatchObject({ outcome: 'done' });
    await git.findMerge(f.request(merged.head, { mode }));
  }
  const result = await git.integrate(f.request(merged.head));
  if (!merges) return expect(result).toMatchObject({ outcome: 'refused' });
  expect(result).toMatchObject({ outcome: 'done', merge: { checkedOut: true } });
  if (result.outcome !== 'done') return;
  await git.findMerge(f.request(merged.head));
  expect(await git.rollBack(f.tree, result.merge, 'back')).toMatchObject({ outcome: 'done' });
}

/** The user's branch moves to an object of the private directory, by files alone. */
function moveBase(tip: string): void {
  writeFileSync(join(f.repo, '.git', 'objects', 'info', 'alternates'), `${join(f.tree.gitDir, 'objects')}\n`);
  writeFileSync(join(f.repo, '.git', 'refs', 'heads', 'main'), `${tip}\n`);
}

test('the corpus can fire: an unprotected git in the same places runs dozens', async () => {
  poisonUser(true);
  f.write(f.repo, { 'a.txt': 'dirty\n', 'new.slow': 'x\n' });
  const env = { ...process.env, HOME: join(f.folder, 'home') };
  const { spawnSync } = await import('node:child_process');
  const run = (cwd: string) => {
    const identity = ['-c', 'user.name=x', '-c', 'user.email=x@y'];
    const commands = [
      ['status'],
      ['add', '-A'],
      ['diff', 'HEAD'],
      ['commit', '-m', 'x'],
      ['commit', '--no-gpg-sign', '-m', 'x'],
      ['checkout', '-b', 'other'],
    ];
    for (const args of commands) spawnSync('git', [...identity, ...args], { cwd, env });
  };
  canaries.hooks('husky', join(f.repo, '.husky'));
  run(f.repo);
  await f.git.makeClone(f.tree, { snapshot: false, signal: NEVER });
  poisonWorkTree(canaries, f.tree.workTree);
  run(f.tree.workTree);
  expect(canaries.fired().length).toBeGreaterThanOrEqual(15);
});

test('hooks, drivers, settings and environment of the user and the agent: 0 canaries', async () => {
  poisonUser(false);
  await everything(false);
  expect(canaries.fired()).toEqual([]);
});

test('the same with a merge that moves the checkout, its hooks tracked in the incoming tree: 0 canaries', async () => {
  poisonUser(false);
  await everything(true);
  expect(canaries.fired()).toEqual([]);
});

test("filters by the user's own attributes: 0 canaries, and his checkout is his to move", async () => {
  poisonUser(true);
  await everything(false);
  expect(canaries.fired()).toEqual([]);
});
