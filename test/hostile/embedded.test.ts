/** Files that git runs when a person enters a folder: the merge gate lists them, whatever they are called. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { approves, attempt, report, scenarioOf, write } from '../support/demo/briefs.ts';
import { plainGit } from '../support/git/gitFixture.ts';
import { EngineWorld } from '../support/world/engineWorld.ts';

const CONFIG =
  '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch \\"$MARK\\"; false"\n';

test('embedded repositories and what the settings of the user name are listed, and nothing of them is run', async () => {
  const attempts = [
    attempt(
      write('docs/bare/HEAD', 'ref: refs/heads/main\n'),
      write('docs/bare/config', CONFIG),
      write('docs/bare/objects/.keep', ''),
      write('docs/bare/refs/.keep', ''),
      write('tools/watch.sh', 'exit 1\n'),
      write('scripts/on-commit/pre-commit', 'exit 1\n'),
      // On other systems, this is in the same folder.
      write('scripts/On-Commit/post-merge', 'exit 1\n'),
      write('scripts/build.sh', 'exit 0\n'),
      write('config', 'no repository\n'),
      report('done'),
    ),
  ];
  const scenario = scenarioOf([{ features: [{ name: 'A', attempts }], reviews: [approves] }]);
  await using world = await EngineWorld.open({ scenario });
  world.git('config', 'core.hooksPath', 'scripts/on-commit');
  world.git('config', 'core.fsmonitor', './tools/watch.sh --fast');
  await world.submit({ gates: ['merge'] });
  const { executables, detail } = await world.asked('merge');
  expect(executables).toEqual([
    ...['docs/bare/HEAD', 'docs/bare/config', 'scripts/On-Commit/post-merge', 'scripts/on-commit/pre-commit'],
    'tools/watch.sh',
  ]);
  expect(detail).toContain('Embedded git repository "docs/bare/"');
  expect(detail).toContain('"tools/watch.sh" (core.fsmonitor)');
  expect(detail).toContain('"scripts/on-commit/pre-commit" (core.hookspath)');

  // The danger is real: a status there runs the program of that repository.
  const clone = world.job.clone_dir ?? '';
  const mark = join(world.folder, 'ran');
  expect(existsSync(mark)).toBe(false);
  process.env['MARK'] = mark;
  try {
    plainGit(join(clone, 'docs', 'bare'), ['status', '--porcelain']);
  } finally {
    delete process.env['MARK'];
  }
  expect(existsSync(mark)).toBe(true);
  world.git('config', '--unset', 'core.hooksPath');
  world.git('config', '--unset', 'core.fsmonitor');
});
