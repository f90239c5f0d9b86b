/** In whose name commits of a job are, and what its messages go by. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { GitAdapter } from '../../../src/adapters/git/gitPort.ts';
import type { CommitAuthor } from '../../../src/shared/job/rows.ts';
import { type GitFixture, gitFixture, NEVER, plainGit } from '../../support/git/gitFixture.ts';

let f: GitFixture;
beforeEach(() => {
  f = gitFixture();
});
afterEach(() => f.remove());

const GLOBAL = '[user]\n\tname = Global\n\temail = global@example.org\n';
const WHO = '--format=%an <%ae>|%cn <%ce>';

/** An adapter for a user with this global configuration. */
function withGlobal(config: string): GitAdapter {
  const home = join(f.folder, 'home');
  mkdirSync(home, { recursive: true });
  f.write(home, { '.gitconfig': config });
  return f.adapter({ env: { ...process.env, HOME: home, XDG_CONFIG_HOME: undefined } });
}

/** A job of one feature, merged. */
async function merged(git: GitAdapter, author?: CommitAuthor): Promise<void> {
  const whose = author === undefined ? {} : { author };
  const { baseline } = await git.makeClone(f.tree, { snapshot: false, ...whose, signal: NEVER });
  const head = await { ...f, git }.feature(baseline, { 'new.txt': 'x\n' });
  expect(await git.commitStyle(f.tree, baseline)).toMatchObject({ isByUser: author !== 'autonomous' });
  expect(await git.integrate(f.request(head, whose))).toMatchObject({ outcome: 'done' });
}

test('commits and the merge are in the name that the global configuration gives', async () => {
  await merged(withGlobal(GLOBAL));
  const line = 'Global <global@example.org>|Global <global@example.org>\n';
  expect(f.user('log', WHO, '--no-walk', 'main', 'main^2')).toBe(line + line);
});

test('the repository comes before the global configuration, and an included file counts', async () => {
  f.write(f.folder, { included: '[user]\n\tname = Included\n' });
  f.user('config', 'user.email', 'local@example.org');
  await merged(withGlobal(`${GLOBAL}[include]\n\tpath = ${join(f.folder, 'included')}\n`));
  expect(f.user('log', '--format=%an <%ae>', '-1')).toBe('Included <local@example.org>\n');
});

test('they are in our name if the user chose that, or has no name', async () => {
  const ours = 'Autonomous <autonomous@localhost>|Autonomous <autonomous@localhost>\n';
  await merged(withGlobal(GLOBAL), 'autonomous');
  expect(f.user('log', WHO, '--no-walk', 'main', 'main^2')).toBe(ours + ours);
  const nameless = withGlobal('[user]\n\tname = Half\n');
  const { baseline } = await nameless.makeClone(f.tree, { snapshot: false, signal: NEVER });
  expect(await nameless.commitStyle(f.tree, baseline)).toMatchObject({ isByUser: false });
  const head = await { ...f, git: nameless }.feature(baseline, { 'more.txt': 'x\n' });
  expect(plainGit(f.tree.gitDir, ['log', WHO, '-1', head])).toBe(ours);
});

test('nothing else of the global configuration counts', async () => {
  const marks = ['hooked', 'signed', 'edited'].map((name) => join(f.folder, name));
  const [hooked, signed, edited] = marks.map((mark) => `touch ${mark}; false`);
  const git = withGlobal(
    `${GLOBAL}[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = "${signed}"\n[core]\n\tfsmonitor = "${hooked}"\n\teditor = "${edited}"\n[user]\n\tname = "N\\n<x>"\n`,
  );
  await merged(git);
  expect(f.user('log', '--format=%an <%ae>', '-1')).toBe('Nx <global@example.org>\n');
  for (const mark of marks) expect(() => plainGit(f.folder, ['hash-object', mark])).toThrow();
});

test('the style is that of the user’s last twenty commits, without merges', async () => {
  for (let nth = 0; nth < 25; nth++) f.commitAll(`feat: number ${nth}`);
  f.user('checkout', '-q', '-b', 'side', 'HEAD~1');
  f.commitAll('fix: on the side');
  f.user('checkout', '-q', 'main');
  f.user('merge', '-q', '--no-ff', '-m', 'Merge the side', 'side');
  const { baseline } = await f.git.makeClone(f.tree, { snapshot: false, signal: NEVER });
  const { subjects } = await f.git.commitStyle(f.tree, baseline);
  expect(subjects).toHaveLength(20);
  expect(subjects).toContain('fix: on the side');
  expect(subjects).not.toContain('Merge the side');
});
