/** Shortens a diff for a model without hiding a change: omitted parts are counted, and the model can read the file. */
import { DIFF_CUT } from './cutDiff.ts';
import { diffTotals } from './diffTotals.ts';

/** Files that package managers write, by name. */
const LOCK_FILES: ReadonlySet<string> = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'deno.lock',
  'Cargo.lock',
  'Gemfile.lock',
  'Pipfile.lock',
  'poetry.lock',
  'uv.lock',
  'pdm.lock',
  'composer.lock',
  'go.sum',
  'gradle.lockfile',
  'packages.lock.json',
  'mix.lock',
  'pubspec.lock',
  'Podfile.lock',
  'flake.lock',
]);
/** Changed lines of a lock file that are shown in full. */
const FEW_LINES = 20;
/** Longest line that is not cut, and the shown part of a longer one, in characters. Minified code is one line. */
const MAX_LINE = 600;
const SHOWN_OF_LINE = 300;

/** Removes the ids of blobs and the hunks of lock files, and cuts long lines. */
export function shortDiff(diff: string): string {
  const [end = ''] = DIFF_CUT.exec(diff) ?? [];
  const whole = diff.slice(0, diff.length - end.length);
  return (
    whole
      .split(/^(?=diff --git )/m)
      .map(shortFile)
      .join('') + end.replace(/^\n?/, '')
  );
}

/** `text`: the part of a diff that is about one file. */
function shortFile(text: string): string {
  const start = text.search(/^@@ /m);
  const head = (start === -1 ? text : text.slice(0, start)).replace(/^index [0-9a-f]+\.\.[0-9a-f]+(?: \d+)?\n/m, '');
  if (start === -1) return head;
  const hunks = text.slice(start);
  const [first = ''] = head.split('\n', 1);
  const name = first.slice(first.lastIndexOf('/') + 1).replace(/"$/, '');
  const { added, removed } = diffTotals(text);
  if (LOCK_FILES.has(name) && added + removed > FEW_LINES) {
    return `${head}[lock file: ${added} lines added, ${removed} removed, ${hunks.length} characters not shown; read or grep the file]\n`;
  }
  return head + hunks.split('\n').map(shortLine).join('\n');
}

function shortLine(line: string): string {
  if (line.length <= MAX_LINE) return line;
  return `${line.slice(0, SHOWN_OF_LINE)} [${line.length - SHOWN_OF_LINE} more characters of this line not shown; read or grep the file]`;
}
