/** What Git for Windows 2.45 says of a file that another program has open, and what else it says. */
import { expect, it } from 'vitest';
import { heldFile, mayRepeat } from '../../../../src/adapters/git/heldFile.ts';

it.each([
  ["error: unable to unlink old 'a.txt': Invalid argument\n", "unable to unlink old 'a.txt': Invalid argument"],
  ["warning: unable to unlink 'd.txt': Invalid argument\n", "unable to unlink 'd.txt': Invalid argument"],
  ['warning: failed to remove u.txt: Invalid argument\n', 'failed to remove u.txt: Invalid argument'],
  ['warning: failed to remove u: Directory not empty\n', 'failed to remove u: Directory not empty'],
  [
    'fatal: .git/index: index file open failed: Permission denied\n',
    '.git/index: index file open failed: Permission denied',
  ],
  [
    'error: open("n.txt"): Permission denied\nerror: unable to index file \'n.txt\'\nfatal: adding files failed\n',
    'open("n.txt"): Permission denied',
  ],
  [
    "fatal: update_ref failed for ref 'refs/heads/main': cannot lock ref 'refs/heads/main': unable to resolve reference 'refs/heads/main': Permission denied\n",
    "update_ref failed for ref 'refs/heads/main': cannot lock ref 'refs/heads/main': unable to resolve reference 'refs/heads/main': Permission denied",
  ],
  ["fatal: couldn't set 'refs/heads/main'\n", "couldn't set 'refs/heads/main'"],
])('%j names a held file', (stderr, line) => {
  expect(heldFile(stderr, 1)).toBe(line);
});

it('ends with 0 where it leaves a file, or a folder that does not matter', () => {
  expect(heldFile("warning: unable to unlink 'd.txt': Invalid argument\n", 0)).not.toBeNull();
  expect(heldFile('warning: failed to remove u: Directory not empty\n', 0)).toBeNull();
});

it.each([
  '',
  "fatal: Unable to create '.git/index.lock': File exists.\n",
  "warning: could not open directory 'secret/': Permission denied\n",
  "warning: unable to access 'dir/.gitattributes': Permission denied\n",
  "error: Entry 'd.txt' not uptodate. Cannot merge.\n",
  'error: unable to create file a:b: Invalid argument\n',
  'fatal: bad object HEAD\n',
  "fatal: cannot lock ref 'refs/heads/main': is at 1 but expected 2\n",
])('%j names none', (stderr) => {
  expect(heldFile(stderr, 1)).toBeNull();
});

const LOCK = "fatal: cannot lock ref 'refs/heads/main': Unable to create 'main.lock': Permission denied\n";
it.each([
  [['add', '--all'], '', true],
  [['read-tree', '--reset', '-u', 'c'], '', true],
  [['read-tree', '-m', '-u', '-n', 'a', 'b'], '', true],
  [['read-tree', '-m', '-u', 'a', 'b'], '', false],
  [['commit', '-m', 'message'], '', false],
  [['update-ref', 'refs/heads/main', 'b', 'a'], "fatal: couldn't set 'refs/heads/main'\n", true],
  [['update-ref', '--stdin'], "fatal: couldn't set 'refs/heads/main'\n", false],
  [['update-ref', '--stdin'], LOCK, true],
])('%j after %j may be run again: %s', (args, stderr, may) => {
  expect(mayRepeat(args, stderr)).toBe(may);
});
