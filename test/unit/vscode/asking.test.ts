/** Lists and inputs that ask the steward something. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ASKS = /\.show(?:QuickPick|InputBox)(?:<[^(]*>)?\(/g;
const STAYS = 'ignoreFocusOut: true';

/** The text of a call, from behind its opening parenthesis. */
function callAt(source: string, start: number): string {
  let depth = 1;
  let end = start;
  for (; depth > 0 && end < source.length; end++) {
    if ('([{'.includes(source[end] ?? '')) depth += 1;
    if (')]}'.includes(source[end] ?? '')) depth -= 1;
  }
  return source.slice(start, end);
}

/** The options may have a name in the same file. */
const stays = (call: string, source: string): boolean =>
  call.includes(STAYS) || (/,\s*options,?\s*\)$/.test(call) && new RegExp(`options = \\{[^}]*${STAYS}`).test(source));

it('each stays until it is answered, whatever takes the focus: the board takes it back when a list closes', () => {
  const files = globSync('src/vscode/**/*.ts');
  const calls = files.flatMap((file) => {
    const source = readFileSync(file, 'utf8');
    return [...source.matchAll(ASKS)].map((match) => ({
      file,
      stays: stays(callAt(source, match.index + match[0].length), source),
    }));
  });
  expect(calls.length).toBeGreaterThan(40);
  expect(calls.filter((call) => !call.stays)).toEqual([]);
});
