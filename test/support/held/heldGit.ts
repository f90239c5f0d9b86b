/** A git for a program's PATH that finds files held by another program, and says so as Git for Windows does. */
import { chmodSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface HeldGitPlan {
  /** `before`: it has done nothing; `after`: all of it. */
  readonly when: 'before' | 'after';
  /** Of this many commands in turn... */
  readonly of: number;
  /** ...so many fail... */
  readonly fail: number;
  /** ...the first of which has this number, from 0. */
  readonly from: number;
}

/** Each command has a number: a file that only one of them can make. */
const script = (git: string, folder: string, { when, of, fail, from }: HeldGitPlan) => `#!/bin/sh
case " $* " in *' --version '*) exec '${git}' "$@" ;; esac
set -C
n=0
while ! true > '${folder}'/$n; do n=$((n + 1)); done 2> /dev/null
[ $(((n + ${of} - ${from}) % ${of})) -lt ${fail} ] || exec '${git}' "$@"
${when === 'after' ? `'${git}' "$@"` : ':'}
case " $* " in
  *' update-ref '*) ${
    when === 'after'
      ? `echo "fatal: couldn't set 'refs/heads/main'" >&2`
      : `echo "fatal: cannot lock ref 'refs/heads/main': Unable to create '.git/refs/heads/main.lock': Permission denied" >&2`
  } ;;
  *' read-tree '*) echo "error: unable to unlink old 'one.txt': Invalid argument" >&2 ;;
  *' clean '*) echo 'warning: failed to remove a: Directory not empty' >&2; exit 1 ;;
  *) echo "fatal: Unable to create '.git/index.lock': Permission denied" >&2 ;;
esac
exit 128
`;

/** In the place of the git in `bin`. `count`: commands so far. */
export function heldGit(bin: string, plan: HeldGitPlan): { count(): number } {
  const [git, folder] = [join(bin, 'git'), join(bin, 'numbers')];
  const real = realpathSync(git);
  rmSync(git);
  mkdirSync(folder);
  writeFileSync(git, script(real, folder, plan));
  chmodSync(git, 0o755);
  return { count: () => readdirSync(folder).length };
}
