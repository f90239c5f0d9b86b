import { expect, it } from 'vitest';
import { PRINTED, splitPrinted } from '../../../src/shared/printed.ts';

it('divides feedback at the output of a command, in old logs too', () => {
  for (const mark of [PRINTED, 'What it printed, shortened:\n'])
    expect(splitPrinted(`\`ls\` failed. ${mark}not ok 1`)).toEqual({
      before: `\`ls\` failed. ${mark}`,
      output: 'not ok 1',
    });
  expect(splitPrinted('The licence is missing.')).toBeNull();
});
