/** Text on its way to a model: bounded, and with nothing hidden in it. */
import { createHash } from 'node:crypto';
import { codeOf, INVISIBLE } from '../../shared/invisibleCharacters.ts';

const ESCAPE = String.fromCharCode(27);
const BELL = String.fromCharCode(7);

/** Colours and cursor moves (CSI), titles and links (OSC), and short sequences. */
const TERMINAL_SEQUENCES = new RegExp(
  [
    String.raw`${ESCAPE}\[[0-9:;<=>?]*[ -/]*[@-~]`,
    String.raw`${ESCAPE}\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\)`,
    `${ESCAPE}[ -/]*[0-~]`,
  ].join('|'),
  'g',
);

/** Removes terminal sequences. A line that was redrawn with carriage returns has its final content. */
export function plainOutput(text: string): string {
  return text.replaceAll(TERMINAL_SEQUENCES, '').split('\n').map(redrawn).join('\n');
}

/** The part of a line after its last carriage return, apart from those at its end. */
function redrawn(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end--;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}

/** Control, bidirectional and zero-width characters written out, e.g. `<U+202E>`; line ends and tabs stay. */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(INVISIBLE, (character) => {
    if (character === '\n' || character === '\t') return character;
    return `<U+${codeOf(character)}>`;
  });
}

/** At most about `max` characters: the start and the end, with a notice of what is left out unless the notice is as long. */
export function headAndTail(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.floor(max / 2);
  const left = text.length - 2 * half;
  const notice = `\n[… ${left} characters left out …]\n`;
  return left <= 2 * notice.length ? text : `${text.slice(0, half)}${notice}${text.slice(-half)}`;
}

/** At most about `max` characters: the start, and how much is missing. */
export function headOnly(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)}\n[… ${text.length - max} characters left out]`;
}

/**
 * Text of a repository between marks that it cannot forge: they carry a hash of the text itself. Hidden characters are
 * made visible.
 */
export function quoted(name: string, text: string): string {
  const shown = visibleText(text);
  const mark = `${name} ${createHash('sha256').update(shown).digest('hex').slice(0, 8)}`;
  return `<${mark}>\n${shown}\n</${mark}>`;
}
