/** Text of people, models and repositories on its way to a terminal: nothing in it may move the cursor or hide. */
import { codeOf, INVISIBLE } from '../../shared/invisibleCharacters.ts';

const written = (character: string): string => `<U+${codeOf(character)}>`;

/** One line: white space becomes single spaces, everything else that cannot be seen is written out, e.g. `<U+001B>`. */
export function visibleLine(text: string): string {
  return text
    .replaceAll(/[\t\n\r ]+/g, ' ')
    .trim()
    .replaceAll(INVISIBLE, written);
}

/** The same for several lines: line ends stay, tabs become two spaces. */
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
