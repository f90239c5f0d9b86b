import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { leftOut, leftOutLines, reasonFor, suiteReason } from '../../../scripts/test/systems.mjs';

const all = globSync('test/{unit,integration,faults,hostile,webview}/**/*.test.ts').length;

it('leaves nothing out on Linux', () => {
  expect(leftOut('linux')).toEqual([]);
  expect(suiteReason('editor', 'linux')).toBeUndefined();
});

it.each(['darwin', 'win32'])('names the reason of each file that it leaves out on %s', (platform) => {
  const files = leftOut(platform);
  expect(files.length).toBeGreaterThan(0);
  expect(files.length).toBeLessThan(all / 2);
  expect(files.filter(({ reason }) => reason.length < 10)).toEqual([]);
  expect(leftOutLines(platform).join('\n')).toContain(`left out on ${platform}: `);
});

it('looks at the files of test/support that a test imports', () => {
  expect(reasonFor('darwin', 'test/integration/shell/confined.test.ts')).toBeNull();
  // It has none of the words itself: a file of test/support has them.
  expect(reasonFor('darwin', 'test/hostile/obedient.test.ts')).toBe('it reads /proc');
  expect(reasonFor('win32', 'test/unit/core/job/nextAction.test.ts')).toBeNull();
});

it('runs pure decisions on every system', () => {
  for (const platform of ['darwin', 'win32']) {
    const core = leftOut(platform).filter(({ file }) => file.startsWith('test/unit/core/'));
    expect(core.length, JSON.stringify(core)).toBeLessThan(4);
  }
});
