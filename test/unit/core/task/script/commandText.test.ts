/** Where a result may stand in a command: a model's text must never become syntax of the shell. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commandProblem } from '../../../../../src/core/task/script/commandText.ts';
import { fillParams } from '../../../../../src/core/task/script/fill.ts';
import { pieces, stepNames } from '../../../../../src/core/task/script/references.ts';

const names = stepNames([{ name: 'A' }]);
/** Begins a line of the output with BROKEN where any of it is carried out. */
const HOSTILE = "x\necho BROKEN; $(echo BROKEN) `echo BROKEN` ' a[$(echo BROKEN >&2)] \\\nEOF\necho BROKEN #";

const FINE = [
  'echo {{A}}',
  'echo {{A}}{{A}}#x {{A}}',
  'x="$(echo "a b")"; echo $(echo {{A}} | cat)',
  '(echo b && echo {{A}}) | cat',
  "# don't\necho {{A}}",
  'echo "a << b" $((1 << 2)) {{A}}',
  'case x in x) echo {{A}};; esac',
  "echo 'a'\\''b' {{A}}",
  'echo "a\\"b" {{A}} "c"',
  'true "$(echo lowercase)"; echo {{A}}',
];

/** What each prints, in a shell of its own. */
function printedBy(commands: readonly string[]): readonly string[] {
  const each = 'for one in "$@"; do /bin/sh -c "$one" || exit; printf "\\1"; done';
  return execFileSync('/bin/sh', ['-c', each, 'sh', ...commands], { encoding: 'utf8' }).split('\x01');
}

const filled = (command: string): string => {
  const made = fillParams({ action: 'command', params: { command } }, names, () => HOSTILE);
  return String(made.ok && made.params['command']);
};

describe('a result in a command', () => {
  const printed = printedBy(FINE.map(filled));

  it.each(FINE.map((command, at) => [command, at] as const))('is one word: %s', (command, at) => {
    expect(commandProblem(pieces(command))).toBeNull();
    expect(printed[at]?.replaceAll(HOSTILE, '').match(/^BROKEN/m)).toBeNull();
    expect(printed[at]).toContain('$(echo BROKEN)');
  });

  it.each([
    ['echo "{{A}}"', /remove the quotes around it/],
    ["echo '{{A}}'", /remove the quotes around it/],
    ['echo `echo {{A}}`', /remove the quotes around it/],
    ['echo "$(echo {{A}})"', /remove the quotes around it/],
    ['echo "$(echo "{{A}}")"', /remove the quotes around it/],
    ['echo "$(case x in x) echo "{{A}}";; esac)"', /remove the quotes around it/],
    ["echo $'it\\'s {{A}}'", /remove the quotes around it/],
    ['cat <<EOF\n{{A}}\nEOF', /here-document/],
    ['cat <<-"EOF"\n{{A}}\nEOF', /here-document/],
    ['echo "$(cat <<EOF\n"\n{{A}}\nEOF\n)"', /here-document/],
    ['true # see {{A}}', /reads no word/],
    ['echo $(( {{A}} ))', /reads no word/],
    ['((x = {{A}}))', /reads no word/],
    ['echo $' + '{x:-{{A}}}', /reads no word/],
    ['echo $' + '{{A}}', /reads no word/],
  ])('is refused where it would be more: %s', (command, why) => {
    expect(commandProblem(pieces(command))?.why).toMatch(why);
  });
});
