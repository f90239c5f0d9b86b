/** Tasks of a folder: their trees, what is dropped and why, and that a task is checked before an agent is paid for it. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SOLVES } from '../../support/eval/evalModel.ts';
import { evalWorld, variant } from '../../support/eval/evalWorld.ts';
import { changed } from '../../support/eval/packageHistory.ts';
import { writeFiles } from '../../support/git/gitFixture.ts';
import { PACKAGES } from '../../support/mistakes/packages.ts';

const { MS } = PACKAGES;
const WORKS = variant('works', SOLVES);

/** A folder of tasks that starts from the package; the parts of each task by their paths. */
function tasksIn(folder: string, tasks: Readonly<Record<string, Readonly<Record<string, string>>>>): void {
  const before = Object.fromEntries(Object.entries(MS.files).map(([path, text]) => [`before/${path}`, text]));
  for (const [name, parts] of Object.entries(tasks)) writeFiles(join(folder, name), { ...before, ...parts });
}

test('runs good tasks, and drops the others with the reason before a model is called', async () => {
  const [months, quarters] = MS.changes;
  if (months === undefined || quarters === undefined) throw new Error('too few changes');
  const test1 = { [`tests/${months.test.file}`]: months.test.content };
  const after = { 'after/index.js': changed(MS.files, months)['index.js'] ?? '' };
  await using of = await evalWorld(MS);
  const folder = join(of.world.folder, 'tasks');
  tasksIn(folder, {
    'a-good': {
      'brief.md': `# ${months.name}\r\n\r\n${months.description}\r\n`,
      'task.json': '{"category":"parsing"}',
      ...after,
      ...test1,
    },
    'b-unsolved': { 'brief.md': quarters.description, [`tests/${quarters.test.file}`]: quarters.test.content },
    'c-wrong': { 'brief.md': months.description, 'after/other.js': '// Nothing.\n', ...test1 },
    'd-passes': { 'brief.md': months.description, 'tests/test/a.test.js': '' },
    'e-brief': { ...test1 },
    'f-settings': { 'brief.md': 'Work.', 'task.json': '{"test":1}', ...test1 },
  });
  const ended = await of.run({ tasks: { from: 'folder', folder }, variants: [WORKS] });
  expect(ended.results.map(({ title, category, outcome }) => [title, category, outcome])).toEqual([
    [months.name, 'parsing', 'passed'],
    [quarters.description, 'tasks', 'passed'],
  ]);
  expect(ended.dropped.map(({ name, reason }) => [name, reason.split(':')[0]])).toEqual([
    [months.description, 'its tests do not pass with it'],
    [months.description, 'its tests pass without it'],
    ['e-brief', 'it has no brief.md'],
    ['f-settings', 'its task.json is not valid'],
  ]);
  expect(of.world.requests.every(({ body }) => !body.includes(months.test.content.slice(-60)))).toBe(true);
});

test('refuses what it could not compare, or could not trust', async () => {
  await using of = await evalWorld(MS);
  const { world } = of;
  await expect(of.run({ variants: [WORKS, { ...WORKS, name: 'the same' }] })).rejects.toThrow(
    'the variants works and the same have the same settings',
  );
  await expect(of.run({ variants: [variant('unpriced', 'model-without-price')] })).rejects.toMatchObject({
    code: 'NOT_READY',
  });
  await expect(of.run({ variants: [WORKS], tasks: { from: 'history', count: 1, at: 'none' } })).rejects.toThrow(
    'there is no commit none',
  );
  world.userCommits({ 'package-lock.json': '{}' });
  await expect(of.run({ variants: [WORKS], setup: null })).rejects.toMatchObject({
    hint: 'Add --setup "npm ci", or --no-setup.',
  });
  world.write({ '.autonomous/eval/results.jsonl': '{}\n' });
  world.git('add', '--force', '.autonomous/eval');
  world.git('commit', '-q', '-m', 'Results of another machine');
  await expect(of.run({ variants: [WORKS] })).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  expect(of.world.requests).toEqual([]);
});
