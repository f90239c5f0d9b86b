/**
 * Line ends, with every kind of setting and attribute that git knows: a job commits no change of line ends that nobody
 * made, and the user's checkout has those that the user's git would write.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { restoreKeptWork } from '../../../src/adapters/git/job/restoreKeptWork.ts';
import { createRunGit } from '../../../src/adapters/git/runGit.ts';
import { dieAfterSwap, FIXED_CLOCK, type GitFixture, gitFixture, plainGit } from '../../support/git/gitFixture.ts';

let f: GitFixture;
const globalConfig = join(process.env['HOME'] ?? '', '.gitconfig');
const globalAttributes = join(process.env['HOME'] ?? '', 'attributes');
afterEach(() => {
  f.remove();
  rmSync(globalConfig, { force: true });
  rmSync(globalAttributes, { force: true });
});

const STORED = {
  LF: 'one\ntwo\nthree\n',
  CRLF: 'one\r\ntwo\r\nthree\r\n',
  mixed: 'one\r\ntwo\nthree\r\n',
} as const;
type Stored = keyof typeof STORED;

interface Setup {
  readonly stored: Stored;
  /** Lines of the user's `[core]`. */
  readonly core?: string;
  /** Text of `.gitattributes`, committed after the files: as in a repository that got it late. */
  readonly attributes?: string;
  readonly infoAttributes?: string;
  readonly globalAttributes?: string;
}

const PATHS = ['edited.txt', 'other.txt', 'other.bat'];
const bytes = (folder: string, path: string): string => readFileSync(join(folder, path), 'latin1');
const stored = (commit: string, path: string): string => plainGit(f.repo, ['cat-file', 'blob', `${commit}:${path}`]);
const status = (): string => f.user('status', '--porcelain');

/** Removes the files and lets the user's git write them again. */
function checkedOutAnew(paths: readonly string[] = PATHS): void {
  for (const path of paths) rmSync(join(f.repo, path));
  f.user('checkout', '-q', '--', ...paths);
}

/** A repository of a user with these settings, whose checkout is as the user's git makes it. */
function setUp(setup: Setup): void {
  f = gitFixture(Object.fromEntries(PATHS.map((path) => [path, STORED[setup.stored]])));
  if (setup.attributes !== undefined) {
    f.write(f.repo, { '.gitattributes': setup.attributes });
    f.user('add', '.gitattributes');
    f.user('commit', '-q', '-m', 'Attributes');
  }
  if (setup.infoAttributes !== undefined) f.write(f.repo, { '.git/info/attributes': setup.infoAttributes });
  const core = [setup.core ?? ''];
  if (setup.globalAttributes !== undefined) {
    writeFileSync(globalAttributes, setup.globalAttributes);
    core.push('attributesFile = ~/attributes');
  }
  writeFileSync(globalConfig, `[core]\n\t${core.join('\n\t')}\n`);
  checkedOutAnew();
}

const ATTRIBUTES = [
  undefined,
  '* text=auto\n',
  '* text=auto eol=crlf\n',
  '* text=auto\n*.bat eol=crlf\n',
  '*.txt text\n*.bat text eol=crlf\n',
  '* text eol=lf\n',
];
const EACH_WITH_EACH: Setup[] = ['', 'autocrlf = true', 'eol = crlf'].flatMap((core) =>
  ATTRIBUTES.flatMap((attributes) =>
    (Object.keys(STORED) as Stored[]).map((kind) => ({
      stored: kind,
      core,
      ...(attributes === undefined ? {} : { attributes }),
    })),
  ),
);
const SEVERAL: Setup[] = [
  { stored: 'LF', core: 'autocrlf' },
  { stored: 'LF', core: 'autocrlf = yes' },
  { stored: 'CRLF', core: 'autocrlf = input' },
  { stored: 'LF', core: 'autocrlf = true\n\teol = crlf', attributes: '*.bat -text\n' },
  { stored: 'LF', core: 'autocrlf = true', infoAttributes: '*.bat -text\n' },
  { stored: 'LF', infoAttributes: '* text=auto eol=crlf\n' },
  { stored: 'LF', globalAttributes: '* text=auto eol=crlf\n' },
  { stored: 'LF', globalAttributes: '* text=auto eol=crlf\n', attributes: '*.txt eol=lf\n' },
];

describe.each([...EACH_WITH_EACH, ...SEVERAL])('%j', (setup) => {
  test('a job changes the line that it changed, and the checkout is as the user’s git writes it', async () => {
    setUp(setup);
    const dirty = status();
    const before = PATHS.map((path) => bytes(f.repo, path));
    const baseline = await f.cloned();
    for (const path of PATHS) {
      // Nothing but attributes of the repository decides what the clone has.
      if (setup.attributes === undefined) expect(bytes(f.tree.workTree, path)).toBe(STORED[setup.stored]);
    }
    const end = bytes(f.tree.workTree, 'edited.txt').endsWith('\r\n') ? '\r\n' : '\n';
    const head = await f.feature(baseline, {
      'edited.txt': `${bytes(f.tree.workTree, 'edited.txt')}four${end}`,
      'new.cmd': 'new\r\n',
      'new.txt': 'new\n',
    });
    expect(await f.git.changedPaths(f.tree, baseline, head)).toEqual(['edited.txt', 'new.cmd', 'new.txt']);
    // Git itself stores no CRLF in a file that its attributes call a text, once it is changed.
    const isNormalized = /(^\*|\*\.txt) text(?!=)/m.test(setup.attributes ?? '') && setup.stored !== 'LF';
    const lines = (await f.git.changedFiles(f.tree, baseline, head)).map((file) => file.lines);
    if (!isNormalized) expect(lines).toEqual([1, 1, 1]);

    const done = await f.git.integrate(f.request(head));
    if (dirty !== '') {
      // What the user's git calls changed is the user's.
      expect(done).toMatchObject({ outcome: 'refused' });
      expect(PATHS.map((path) => bytes(f.repo, path))).toEqual(before);
      return;
    }
    expect(done).toMatchObject({ outcome: 'done', merge: { checkedOut: true } });
    expect(status()).toBe('');
    expect(bytes(f.repo, 'other.txt')).toBe(before[1]);
    expect(bytes(f.repo, 'other.bat')).toBe(before[2]);
    const written = ['edited.txt', 'new.cmd', 'new.txt'];
    const moved = written.map((path) => bytes(f.repo, path));
    checkedOutAnew(written);
    expect(written.map((path) => bytes(f.repo, path))).toEqual(moved);
    expect(stored('HEAD', 'new.txt')).toBe('new\n');
    for (const path of ['other.txt', 'other.bat']) expect(stored('HEAD', path)).toBe(STORED[setup.stored]);
  });
});

describe('a user with autocrlf', () => {
  const CRLF_USER = 'autocrlf = true';

  test('has no say in what the agent’s own git writes and stores in the clone', async () => {
    setUp({ stored: 'LF', core: `${CRLF_USER}\n\teol = crlf`, attributes: '*.txt text\n' });
    await f.cloned();
    const agent = (...args: string[]) => plainGit(f.tree.workTree, args);
    for (const path of PATHS) rmSync(join(f.tree.workTree, path));
    agent('checkout', '-q', '--', ...PATHS);
    for (const path of PATHS) expect(bytes(f.tree.workTree, path)).toBe(STORED.LF);
    f.write(f.tree.workTree, { 'other.bat': STORED.CRLF });
    agent('add', 'other.bat');
    expect(agent('cat-file', 'blob', ':other.bat')).toBe(STORED.CRLF);
  });

  test('can apply the result as a patch, to files with either end', async () => {
    for (const kind of ['LF', 'CRLF', 'mixed'] as const) {
      setUp({ stored: kind, core: CRLF_USER });
      const baseline = await f.cloned();
      const head = await f.feature(baseline, {
        'edited.txt': bytes(f.tree.workTree, 'edited.txt').replace('three', '3'),
        'new.txt': 'new\n',
      });
      const patch = f.request(head, { mode: 'patch' });
      expect(await f.git.integrate(patch)).toMatchObject({ outcome: 'done', merge: { mode: 'patch' } });
      f.user('apply', patch.patchFile);
      f.user('add', '--all');
      expect(f.user('write-tree')).toBe(plainGit(f.tree.gitDir, ['rev-parse', `${head}^{tree}`]));
      f.remove();
    }
  });

  test('gets the work of an attempt again from its patches, byte for byte', async () => {
    for (const kind of ['LF', 'CRLF', 'mixed'] as const) {
      setUp({ stored: kind, core: CRLF_USER, attributes: '*.bat text eol=crlf\n' });
      const origin = await f.cloned();
      const text = bytes(f.tree.workTree, 'edited.txt').replace('three', '3');
      const head = await f.feature(origin, { 'edited.txt': text, 'new.txt': 'new\n', 'new.cmd': 'a\r\nb\r\n' });
      const step = { ...(await f.git.change(f.tree, origin, head)), message: 'Again' };
      const user = { clock: FIXED_CLOCK, env: process.env };
      const again = await restoreKeptWork(
        { ...user, git: createRunGit(user) },
        { projectDir: f.repo, branch: 'again', origin, steps: [step] },
      );
      expect(f.user('rev-parse', `${again}^{tree}`)).toBe(plainGit(f.tree.gitDir, ['rev-parse', `${head}^{tree}`]));
      expect(stored('again', 'edited.txt')).toBe(text);
      f.remove();
    }
  });

  test('finds a merge that a crash interrupted completed, and one that is taken back undone', async () => {
    setUp({ stored: 'LF', core: CRLF_USER });
    const head = await f.feature(await f.cloned(), { 'edited.txt': 'one\nnew\nthree\n', 'new.txt': 'new\n' });
    await dieAfterSwap(f, head, () => undefined);
    const done = await f.git.integrate(f.request(head));
    if (done.outcome !== 'done') throw new Error(done.outcome);
    expect([bytes(f.repo, 'edited.txt'), bytes(f.repo, 'new.txt')]).toEqual(['one\r\nnew\r\nthree\r\n', 'new\r\n']);
    expect(status()).toBe('');
    expect(await f.git.rollBack(f.tree, done.merge, 'back')).toMatchObject({ outcome: 'done' });
    expect(bytes(f.repo, 'edited.txt')).toBe(STORED.CRLF);
    expect(status()).toBe('');
  });

  test('has uncommitted work taken along as the user’s git would store it', async () => {
    setUp({ stored: 'LF', core: CRLF_USER });
    f.write(f.repo, { 'edited.txt': `${STORED.CRLF}four\r\n`, 'mine.txt': 'mine\r\n' });
    const baseline = await f.cloned(true);
    expect(bytes(f.tree.workTree, 'edited.txt')).toBe(`${STORED.LF}four\n`);
    expect(bytes(f.tree.workTree, 'mine.txt')).toBe('mine\n');
    expect(await f.git.changedPaths(f.tree, f.user('rev-parse', 'HEAD').trim(), baseline)).toEqual([
      'edited.txt',
      'mine.txt',
    ]);
  });

  test('keeps the line ends of both sides in work that is carried on to other work', async () => {
    setUp({ stored: 'CRLF', core: CRLF_USER });
    const base = await f.cloned();
    const left = await f.feature(base, { 'edited.txt': STORED.CRLF.replace('one', '1') });
    await f.git.restore(f.tree, base);
    const onto = await f.feature(base, { 'edited.txt': STORED.CRLF.replace('three', '3') });
    const carried = await f.git.carry(f.tree, { left, onto, base });
    if (!('commit' in carried)) throw new Error('it conflicts');
    expect(plainGit(f.tree.gitDir, ['cat-file', 'blob', `${carried.commit}:edited.txt`])).toBe('1\r\ntwo\r\n3\r\n');
  });
});

test('a file that the job itself converts is committed as it is', async () => {
  setUp({ stored: 'CRLF', attributes: '*.txt text\n' });
  const baseline = await f.cloned();
  const head = await f.feature(baseline, { 'edited.txt': STORED.LF, 'other.bat': STORED.LF });
  expect(await f.git.changedPaths(f.tree, baseline, head)).toEqual(['edited.txt', 'other.bat']);
});
