/** A git for our adapter's PATH whose nth command fails, as on a full disk or at a death; and the user's repository beside it. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GitAdapter, GitOptions } from '../../../src/adapters/git/gitPort.ts';
import { FIXED_CLOCK, type GitFixture, gitFixture, NEVER, plainGit } from '../git/gitFixture.ts';
import { snapshotOf } from '../git/snapshotOf.ts';

/** `full`: no file takes more than a megabyte; `shut`: none takes anything; `dead`: nothing happens; `unheard`: all of it does. */
export const GIT_FAULTS = ['full', 'shut', 'dead', 'unheard'] as const;
/** As git says it on Windows, where another program holds a file. `left`: git removed all others, and calls it a warning. */
export const HELD_FAULTS = ['held', 'left'] as const;
export type GitFault = (typeof GIT_FAULTS | typeof HELD_FAULTS)[number];

export interface GitPlan {
  readonly fault: GitFault;
  /** Of the commands from the moment on at which everything was looked at. */
  readonly nth: number;
  readonly lasting: boolean;
}

const script = (git: string, folder: string) => `#!/bin/sh
if [ -f '${folder}/plan' ]; then
  read -r fault nth lasting < '${folder}/plan'
  read -r at < '${folder}/at'
  at=$((at + 1))
  echo $at > '${folder}/at'
  # There is a third only where the files could not be moved by the second.
  if [ $at -eq 2 ] && [ $nth -gt 2 ]; then trap '' XFSZ; ulimit -f 2000; fi
  if [ $at -eq $nth ] || { [ $lasting = true ] && [ $at -gt $nth ]; }; then
    trap '' XFSZ
    case $fault in
      full) ulimit -f 2000 ;;
      shut) ulimit -f 0 ;;
      dead) echo 'fatal: No space left on device' >&2; exit 128 ;;
      unheard) '${git}' "$@"; echo 'fatal: No space left on device' >&2; exit 128 ;;
      held) echo "error: unable to unlink old 'a.txt': Invalid argument" >&2; exit 128 ;;
      left)
        '${git}' "$@" || exit
        /bin/mkdir -p "$GIT_WORK_TREE/gone" && echo three > "$GIT_WORK_TREE/gone/c.txt"
        echo "warning: unable to unlink 'gone/c.txt': Invalid argument" >&2
        exit 0 ;;
    esac
  fi
fi
exec '${git}' "$@"
`;

export interface MergeTold {
  /** Commands of git from the moment on at which everything was looked at. */
  readonly commands: number;
  readonly outcome: string;
  /** What the promises do not allow. */
  readonly broken: readonly string[];
}

/** Large and of one letter: its object is small, its file is not. */
const LARGE = 'x'.repeat(3_000_000);
const FILES = { 'a.txt': 'one\n', 'dir/b.txt': 'two\n', 'gone/c.txt': 'three\n', 'z.txt': 'z\n' };
const CHANGE = {
  'a.txt': 'changed\n',
  'dir/b.txt': 'changed\n',
  'gone/c.txt': null,
  'm.bin': LARGE,
  'new/n.txt': 'new\n',
  'z.txt': 'changed\n',
};

/** Files, branches, index; and in `.git` whatever is there but objects and what git tells in its reflogs. */
function lookAt(f: GitFixture): Record<string, string> {
  const git = Object.entries(snapshotOf(join(f.repo, '.git'))).filter(
    ([path]) => !/^(?:objects|logs)\//.test(path) && !path.endsWith('/'),
  );
  return { ...snapshotOf(f.repo), ...Object.fromEntries(git.map(([path, what]) => [`.git/${path}`, what])) };
}

const differing = (one: Record<string, string>, two: Record<string, string>) =>
  [...new Set([...Object.keys(one), ...Object.keys(two)])].filter((path) => one[path] !== two[path]);

/** One merge with this plan, then one without: a promise that did not hold in between or afterwards is told. */
export async function mergeUnder(
  createGit: (options: GitOptions) => GitAdapter,
  plan: GitPlan | null,
): Promise<MergeTold> {
  const f = gitFixture(FILES);
  try {
    const bin = join(f.folder, 'bin');
    mkdirSync(bin);
    writeFileSync(
      join(bin, 'git'),
      script(execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim(), bin),
    );
    chmodSync(join(bin, 'git'), 0o755);
    f.write(f.repo, { 'mine.txt': 'untracked\n' });
    const begin = async () => {
      writeFileSync(join(bin, 'at'), '0\n');
      if (plan !== null) writeFileSync(join(bin, 'plan'), `${plan.fault} ${plan.nth} ${plan.lasting}\n`);
    };
    const env = { ...process.env, PATH: bin };
    const git = createGit({ clock: FIXED_CLOCK, env, points: { beforeSwap: begin } });
    const { baseline } = await git.makeClone(f.tree, { snapshot: false, signal: NEVER });
    f.write(f.tree.workTree, CHANGE);
    const commit = await git.commit(f.tree, { parent: baseline, message: 'Feature' });
    if (commit === null) throw new Error('nothing to commit');
    const request = f.request(commit);
    const before = lookAt(f);
    const failed = (thrown: Error & { readonly code?: string }) => ({ outcome: thrown.code ?? `untyped ${thrown}` });
    const first = await git.integrate(request).catch(failed);
    const commands = Number(readFileSync(join(bin, 'at'), 'utf8'));
    const broken = between(f, before, first.outcome);
    rmSync(join(bin, 'plan'), { force: true });
    const again = await createGit({ clock: FIXED_CLOCK, env }).integrate(request).catch(failed);
    return { commands, outcome: first.outcome, broken: [...broken, ...afterwards(f, again)] };
  } finally {
    f.remove();
  }
}

const journalIsThere = (f: GitFixture) => existsSync(join(f.tree.gitDir, 'move.json'));
const strays = (f: GitFixture) =>
  readdirSync(join(f.repo, '.git')).filter((name) => name.endsWith('.lock') || /autonomous/.test(name));

/** Never a lock of ours; and all as before, unless it is done, or noted to be finished. */
function between(f: GitFixture, before: Record<string, string>, outcome: string): string[] {
  const broken = strays(f).map((name) => `.git/${name} was left`);
  if (outcome.startsWith('untyped')) broken.push(outcome);
  const changed = differing(before, lookAt(f)).filter((path) => !path.endsWith('.lock'));
  if (changed.includes('mine.txt')) broken.push('a file that git does not track changed');
  if (outcome === 'done' || journalIsThere(f)) return broken;
  return changed.length === 0 ? broken : [...broken, `${outcome}, and changed: ${changed.join(', ')}`];
}

function afterwards(
  f: GitFixture,
  again: { readonly outcome: string; readonly merge?: { readonly checkedOut: boolean } },
) {
  const broken = strays(f).map((name) => `.git/${name} was left in the end`);
  if (journalIsThere(f)) broken.push('the journal was left');
  if (again.outcome !== 'done' || again.merge?.checkedOut !== true) broken.push(`again: ${JSON.stringify(again)}`);
  const status = f.user('status', '--porcelain');
  if (status !== '?? mine.txt\n') broken.push(`in the end: ${status}`);
  const wanted = { ...snapshotOf(f.tree.workTree), 'mine.txt': snapshotOf(f.repo)['mine.txt'] ?? '' };
  const unlike = differing(wanted, snapshotOf(f.repo)).filter((path) => !path.endsWith('/'));
  if (unlike.length > 0) broken.push(`not as the job left it: ${unlike.join(', ')}`);
  const parents = plainGit(f.repo, ['rev-list', '--first-parent', '--count', 'main']).trim();
  if (parents !== '2') broken.push(`${parents} commits on main`);
  return broken;
}
