/** Which answers of git are asked for again. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { heldAgain } from '../../../../src/adapters/git/runGit.ts';
import { platform } from '../../../../src/adapters/platform/platform.ts';

const { holdsFiles } = platform;
const hold = (holds: boolean) => void Object.assign(platform, { holdsFiles: holds });
beforeEach(() => hold(true));
afterEach(() => hold(holdsFiles));

const stderr = "fatal: Unable to create '.git/index.lock': Permission denied\n";
const held = { code: 128, stderr, late: false, cut: false };

it('one of a held file is, where files are held', () => {
  expect(heldAgain(['add'], held)).toBe("Unable to create '.git/index.lock': Permission denied");
  hold(false);
  expect(heldAgain(['add'], held)).toBeNull();
});

it.each([{ late: true, code: -1 }, { cut: true }, { stderr: 'fatal: bad object HEAD\n' }])(
  'with %j it is not',
  (other) => {
    expect(heldAgain(['add'], { ...held, ...other })).toBeNull();
  },
);

it('a commit is not, which may have been made', () => {
  expect(heldAgain(['commit'], held)).toBeNull();
});
