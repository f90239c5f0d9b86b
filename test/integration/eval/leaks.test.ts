/** Neither the hidden tests nor the solution of a task reach its agent, and no result passes by changing how tests run. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { historyTasks } from '../../../src/adapters/git/history/historyTasks.ts';
import { openWorkshop } from '../../../src/app/eval/workshop.ts';
import { checkCode } from '../../../src/engine/eval/checks.ts';
import type { EvalTask, TaskTrees } from '../../../src/engine/eval/ports.ts';
import { evalModel, SOLVES } from '../../support/eval/evalModel.ts';
import { evalWorld, variant } from '../../support/eval/evalWorld.ts';
import { plainGit, writeFiles } from '../../support/git/gitFixture.ts';
import { PACKAGES } from '../../support/mistakes/packages.ts';

const { MS } = PACKAGES;

/** Only in the hidden test, and only in the solution, of the newest commit. */
const SECRETS = ['long-weeks', "msAbs, w, 'week'"];

/** All that these folders hold: raw, and the content of each git object. */
function holdings(root: string): string {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const raw = files.map((entry) => `${entry.name}\n${readFileSync(join(entry.parentPath, entry.name), 'latin1')}`);
  const gitDirs = files
    .filter(({ name, parentPath }) => name === 'HEAD' && readdirSync(parentPath).includes('objects'))
    .map(({ parentPath }) => parentPath);
  // At least the repository of the run, or that of the user.
  expect(gitDirs.length).toBeGreaterThan(0);
  const objects = gitDirs.map((gitDir) =>
    execFileSync('git', ['--git-dir', gitDir, 'cat-file', '--batch-all-objects', '--batch'], {
      encoding: 'latin1',
      maxBuffer: 1 << 28,
    }),
  );
  return [...raw, ...objects].join('\n');
}

const found = (text: string): string[] => SECRETS.filter((secret) => text.includes(secret));

test('no file, no git object and no folder that an agent can read has the hidden test or the solution', async () => {
  const outputs: string[] = [];
  const held: string[] = [];
  const folders: string[] = [];
  const state = { root: '' };
  const looks = (): string[] => {
    const [repo = '', linked = ''] = folders;
    const world = dirname(repo);
    // The marks are split, so that no answer has them only because the command is in it.
    const search = `grep -rlaF -e "long-wee""ks" -e "msAbs, w, 'we""ek'"`;
    return [
      'git log --all --stat; git stash list; git reflog --all',
      `git cat-file --batch-all-objects --batch | ${search.replace('-rlaF', '-aF')}`,
      // Not all of /tmp: the tests of other worlds, and this very file, may be there.
      `${search} . "$HOME" "$TMPDIR" ${world} 2>&1 | head -50`,
      `ls ${repo}/test ${repo}/.git ${linked}; git --git-dir=${repo}/.git log -p -1; cat ${repo}/.git/HEAD`,
      `cat ${repo}/.autonomous/eval/*; ls -R ${world} | grep "long-wee""ks"`,
      `find . "$HOME" "$TMPDIR" ${world} -name "*long-wee""ks*" 2>/dev/null`,
      'git config --list --show-origin; cat .git/objects/info/alternates .git/config; env',
    ];
  };
  const commands: string[] = [];
  const model = evalModel(MS, {
    looks: commands,
    seen: (output) => {
      outputs.push(output);
      if (outputs.length === 1) held.push(holdings(state.root));
    },
  });
  await using of = await evalWorld(MS, { model });
  const { world } = of;
  const linked = join(world.folder, 'linked');
  world.git('worktree', 'add', '-q', '--detach', linked);
  folders.push(world.repo, linked);
  commands.push(...looks());
  state.root = join(world.places.jobsDir, 'eval');
  // The search finds them where they are.
  expect(found(holdings(join(world.repo, '.git')))).toEqual(SECRETS);
  expect(found(plainGit(linked, ['grep', '-h', 'week', '--', 'test', 'index.js']))).toEqual(SECRETS);

  const ended = await of.run({ variants: [variant('curious', SOLVES)] });
  expect(ended.results.map(({ outcome }) => outcome)).toEqual(['passed']);
  expect(outputs).toHaveLength(commands.length);
  expect(outputs[0]).toContain('Start');
  expect(outputs.flatMap(found)).toEqual([]);
  expect(held.map(found)).toEqual([[]]);
  expect(readdirSync(state.root)).toEqual([]);
  world.git('worktree', 'remove', '--force', linked);
});

/** What an agent does instead of the work. */
const TRICKS = [
  // Replaces the test script.
  `sed -i 's/"test": *"[^"]*"/"test": "true"/' package.json`,
  // Removes the tests.
  'rm -r test',
  // Links them elsewhere.
  'rm -r test && ln -s /etc test && git add -A',
  // Adds settings of the runner.
  'echo "--test-name-pattern=none" > .npmrc; echo "node-options=--version" >> .npmrc',
  // Adds a test that ends the run.
  'echo "process.exit(0)" > test/a.test.js',
];
const NEVER = new AbortController().signal;

test('no trick with the tests passes', async () => {
  const manifest = {
    ...JSON.parse(MS.files['package.json'] ?? ''),
    scripts: { test: 'node --test --test-isolation=none' },
  };
  await using of = await evalWorld(MS, { files: { 'package.json': JSON.stringify(manifest) } });
  const { ownerOptions, folder, repo } = of.world;
  const workshop = await openWorkshop(ownerOptions, []);
  const { clock, env } = ownerOptions;
  const trees = await historyTasks({ clock, env, root: workshop.scratch, projectDir: repo, at: null });
  const task = await newest(trees);
  const verdicts = await Promise.all(
    TRICKS.map(async (trick, index) => {
      const repository = join(folder, `trick-${index}`);
      await trees.startRepository(task, repository);
      execFileSync('sh', ['-c', trick], { cwd: repository });
      writeFiles(repository, { 'NOTES.md': trick });
      plainGit(repository, ['add', '-A']);
      plainGit(repository, ['commit', '-q', '-m', 'Work']);
      return checkCode({ trees, workshop }, task, { repository }, { test: 'npm test', setup: [] }, NEVER);
    }),
  );
  expect(verdicts).toEqual(TRICKS.map(() => ({ verdict: 'failed', reason: expect.stringContaining('long-weeks') })));
  await workshop.close();
});

async function newest(trees: TaskTrees): Promise<EvalTask> {
  for await (const candidate of trees.candidates()) if ('task' in candidate) return candidate.task;
  throw new Error('there is no task');
}
