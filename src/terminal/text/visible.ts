/** Makes text of people, models and repositories safe for a terminal: no part of it can move the cursor or stay invisible. */
import { codeOf, INVISIBLE } from '../../shared/invisibleCharacters.ts';

const written = (character: string): string => `<U+${codeOf(character)}>`;

/** One line: white space becomes single spaces, other invisible characters are escaped, e.g. `<U+001B>`. */
export function visibleLine(text: string): string {
  return text
    .replaceAll(/[\t\n\r ]+/g, ' ')
    .trim()
    .replaceAll(INVISIBLE, written);
}

/** Several lines: line ends are kept, tabs become two spaces. */
export function visibleBlock(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', '  ')
    .replaceAll(INVISIBLE, (character) => (character === '\n' ? character : written(character)));
}

/** A block with every line moved in. Line ends at its end are dropped. */
export function indented(text: string, by = '  '): string {
  return visibleBlock(text.trimEnd()).replaceAll(/^(?=.)/gm, by);
}
