/**
 * Line ends, with every kind of setting and attribute that git knows: a job commits no change of line ends that nobody
 * made, and the user's checkout has those that the user's git would write. Not so for CRLF that is stored in a file
 * whose attributes call it text: git itself sees it as changed, or does not, by chance.
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
const removeSettings = (): void => {
  for (const path of [globalConfig, globalAttributes]) rmSync(path, { force: true });
};
afterEach(() => {
  f.remove();
  removeSettings();
});

const STORED = {
  LF: 'one\ntwo\nthree\n',
  CRLF: 'one\r\ntwo\r\nthree\r\n',
  mixed: 'one\r\ntwo\nthree\r\n',
  open: 'one\ntwo',
  openCrlf: 'one\r\ntwo',
} as const;
type Stored = keyof typeof STORED;
const WITHOUT_CR: readonly Stored[] = ['LF', 'open'];
const ALL = Object.keys(STORED) as Stored[];

interface Setup {
  /** Lines of the user's `[core]`. */
  readonly core?: string;
  /** Text of `.gitattributes`, committed after the files: as in a repository that got it late. */
  readonly attributes?: string;
  readonly infoAttributes?: string;
  readonly globalAttributes?: string;
}

const PATHS = ['edited.txt', 'other.txt', 'other.bat'];
type Files = Readonly<Record<string, string>>;
const bytes = (folder: string, path: string): string => readFileSync(join(folder, path), 'latin1');
const stored = (commit: string, path: string): string => plainGit(f.repo, ['cat-file', 'blob', `${commit}:${path}`]);
const status = (): string => f.user('status', '--porcelain');

/** Removes the files and lets the user's git write them again. */
function checkedOutAnew(paths: readonly string[]): void {
  for (const path of paths) rmSync(join(f.repo, path));
  f.user('checkout', '-q', '--', ...paths);
}

/** A repository of a user with these settings, whose checkout is as the user's git makes it. */
function setUp({ attributes, ...setup }: Setup & ({ readonly stored: Stored } | { readonly files: Files })): void {
  const files = 'files' in setup ? setup.files : Object.fromEntries(PATHS.map((path) => [path, STORED[setup.stored]]));
  removeSettings();
  f = gitFixture(files);
  if (attributes !== undefined) {
    f.write(f.repo, { '.gitattributes': attributes });
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
  checkedOutAnew(Object.keys(files));
}

const AUTO = '* text=auto\n';
const AUTO_CRLF = '* text=auto eol=crlf\n';
const SOME_CRLF = '* text=auto\n*.bat eol=crlf\n';
const TEXT = '*.txt text\n*.bat text eol=crlf\n';
const TEXT_LF = '* text eol=lf\n';
/** Each setting, each kind of attributes, and those pairs of them that decide together. */
const SETUPS: Setup[] = [
  {},
  { attributes: AUTO_CRLF },
  { core: 'autocrlf = true' },
  { core: 'autocrlf = true', attributes: SOME_CRLF },
  { core: 'autocrlf = true', attributes: TEXT },
  { core: 'autocrlf = input', attributes: AUTO_CRLF },
  { core: 'eol = crlf', attributes: AUTO },
  { core: 'eol = crlf', attributes: TEXT_LF },
  { core: 'autocrlf\n\teol = crlf', attributes: '*.bat -text\n' },
  { core: 'autocrlf = yes', infoAttributes: '*.bat -text\n' },
  { globalAttributes: AUTO_CRLF, attributes: '*.md text\n' },
];

describe.each(SETUPS)('%j', (setup) => {
  test('a job changes the line that it changed, and the checkout is as the user’s git writes it', async () => {
    const kinds = /text(?!=)/.test((setup.attributes ?? '').replace(/-text|\.md text/, '')) ? WITHOUT_CR : ALL;
    const under = (kind: Stored) => PATHS.map((path) => `${kind}/${path}`);
    const files = Object.fromEntries(kinds.flatMap((kind) => under(kind).map((path) => [path, STORED[kind]])));
    setUp({ ...setup, files });
    expect(status()).toBe('');
    const others = Object.keys(files).filter((path) => !path.endsWith('edited.txt'));
    const before = others.map((path) => bytes(f.repo, path));
    const baseline = await f.cloned();
    if (setup.attributes === undefined) {
      // Nothing but attributes of the repository decides what the clone has.
      for (const [path, text] of Object.entries(files)) expect(bytes(f.tree.workTree, path)).toBe(text);
    }
    const changes = Object.fromEntries(
      kinds.flatMap((kind) => [
        [`${kind}/edited.txt`, bytes(f.tree.workTree, `${kind}/edited.txt`).replace('one', '1')],
        [`${kind}/new.cmd`, 'new\r\n'],
        [`${kind}/new.txt`, 'new\n'],
      ]),
    );
    const head = await f.feature(baseline, changes);
    const changed = Object.keys(changes).sort();
    expect(await f.git.changedPaths(f.tree, baseline, head)).toEqual(changed);
    const lines = (await f.git.changedFiles(f.tree, baseline, head)).map((file) => file.lines);
    expect(lines).toEqual(changed.map((path) => (path.endsWith('edited.txt') ? 2 : 1)));

    const done = await f.git.integrate(f.request(head));
    expect(done).toMatchObject({ outcome: 'done', merge: { checkedOut: true } });
    expect(status()).toBe('');
    expect(others.map((path) => bytes(f.repo, path))).toEqual(before);
    const moved = changed.map((path) => bytes(f.repo, path));
    checkedOutAnew(changed);
    expect(changed.map((path) => bytes(f.repo, path))).toEqual(moved);
    // Blobs are shown one after the other.
    const blobs = (name: string) => plainGit(f.repo, ['show', ...kinds.map((kind) => `HEAD:${kind}/${name}`)]);
    expect(blobs('edited.txt')).toBe(kinds.map((kind) => STORED[kind].replace('one', '1')).join(''));
    expect(blobs('new.txt')).toBe('new\n'.repeat(kinds.length));
    expect(plainGit(f.repo, ['diff', '--name-only', baseline, 'HEAD']).trim().split('\n')).toEqual(changed);
  });
});

describe('a user with autocrlf', () => {
  const CRLF_USER = 'autocrlf = true';
  const EITHER: Files = Object.fromEntries(ALL.map((kind) => [`${kind}.txt`, STORED[kind]]));
  const EITHER_CHANGED: Files = Object.fromEntries(
    ALL.map((kind) => [`${kind}.txt`, STORED[kind].replace('two', '2')]),
  );

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
    setUp({ files: EITHER, core: CRLF_USER });
    const baseline = await f.cloned();
    const head = await f.feature(baseline, { ...EITHER_CHANGED, 'new.txt': 'new\n' });
    const patch = f.request(head, { mode: 'patch' });
    expect(await f.git.integrate(patch)).toMatchObject({ outcome: 'done', merge: { mode: 'patch' } });
    f.user('apply', patch.patchFile);
    f.user('add', '--all');
    expect(f.user('write-tree')).toBe(plainGit(f.tree.gitDir, ['rev-parse', `${head}^{tree}`]));
  });

  test('gets the work of an attempt again from its patches, byte for byte', async () => {
    setUp({ files: EITHER, core: CRLF_USER, attributes: '*.bat text eol=crlf\n' });
    const origin = await f.cloned();
    const head = await f.feature(origin, { ...EITHER_CHANGED, 'new.txt': 'new\n', 'new.cmd': 'a\r\nb\r\n' });
    const step = { ...(await f.git.change(f.tree, origin, head)), message: 'Again' };
    const user = { clock: FIXED_CLOCK, env: process.env };
    const again = await restoreKeptWork(
      { ...user, git: createRunGit(user) },
      { projectDir: f.repo, branch: 'again', origin, steps: [step] },
    );
    expect(f.user('rev-parse', `${again}^{tree}`)).toBe(plainGit(f.tree.gitDir, ['rev-parse', `${head}^{tree}`]));
    for (const [path, text] of Object.entries(EITHER_CHANGED)) expect(stored('again', path)).toBe(text);
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

describe('what somebody did is committed', () => {
  const OPEN = 'one\r\ntwo\r\nthree';

  test('the final newline alone, by a job and by a user, where git converts line ends', async () => {
    setUp({ stored: 'LF', core: 'autocrlf = true', attributes: AUTO_CRLF });
    f.write(f.repo, { 'other.txt': OPEN });
    const baseline = await f.cloned(true);
    expect(stored('HEAD', 'other.txt')).toBe(STORED.LF);
    expect(plainGit(f.tree.gitDir, ['cat-file', 'blob', `${baseline}:other.txt`])).toBe('one\ntwo\nthree');
    expect(bytes(f.tree.workTree, 'edited.txt')).toBe(STORED.CRLF);
    const head = await f.feature(baseline, { 'edited.txt': OPEN, 'other.txt': `${OPEN}\r\n` });
    expect(await f.git.changedPaths(f.tree, baseline, head)).toEqual(['edited.txt', 'other.txt']);
    expect(plainGit(f.tree.gitDir, ['cat-file', 'blob', `${head}:edited.txt`])).toBe('one\ntwo\nthree');
    expect(plainGit(f.tree.gitDir, ['cat-file', 'blob', `${head}:other.txt`])).toBe(STORED.LF);
  });

  test('a normalization by attributes, by a job', async () => {
    setUp({ stored: 'CRLF' });
    const baseline = await f.cloned();
    // What `git rm --cached` and `git reset --hard` leave: each file is written again, with the ends it had.
    const again = Object.fromEntries(PATHS.map((path) => [path, STORED.CRLF]));
    const head = await f.feature(baseline, { '.gitattributes': '* text eol=crlf\n', ...again });
    expect(await f.git.changedPaths(f.tree, baseline, head)).toEqual(['.gitattributes', ...PATHS.toSorted()]);
    expect(plainGit(f.tree.gitDir, ['cat-file', 'blob', `${head}:other.txt`])).toBe(STORED.LF);
  });

  test('a normalization by attributes, by a user', async () => {
    setUp({ stored: 'CRLF' });
    f.write(f.repo, { '.gitattributes': AUTO });
    f.user('add', '--renormalize', '.');
    const baseline = await f.cloned(true);
    expect(plainGit(f.tree.gitDir, ['cat-file', 'blob', `${baseline}:other.txt`])).toBe(STORED.LF);
  });

  test('a conversion of the files themselves', async () => {
    setUp({ stored: 'CRLF', attributes: '*.txt text\n' });
    const baseline = await f.cloned();
    const head = await f.feature(baseline, Object.fromEntries(PATHS.map((path) => [path, STORED.LF])));
    expect(await f.git.changedPaths(f.tree, baseline, head)).toEqual(PATHS.toSorted());
  });
});

test('neither a line of attributes that git warns about, nor a conversion other than of line ends, prevents a snapshot', async () => {
  const warned = '!*.md text\n*.md !!text bad*name\n';
  const text = '$Id: mine $ ä\n';
  const infoAttributes = `${warned}*.txt ident working-tree-encoding=UTF-16\n`;
  setUp({ stored: 'LF', attributes: warned, globalAttributes: warned });
  f.write(f.repo, { '.git/info/attributes': infoAttributes, 'mine.txt': text });
  const baseline = await f.cloned(true);
  const head = await f.feature(baseline, { 'new.txt': 'new\n' });
  expect(await f.git.changedPaths(f.tree, f.user('rev-parse', 'HEAD').trim(), head)).toEqual(['mine.txt', 'new.txt']);
  expect(plainGit(f.tree.gitDir, ['cat-file', 'blob', `${baseline}:mine.txt`])).toBe(text);
});
