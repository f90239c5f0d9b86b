/** Text of people, models and repositories on its way to a terminal: nothing in it may move the cursor or hide. */

/** Controls, formats (bidirectional, zero-width), line and paragraph separators, lone surrogates, variation selectors. */
const UNSEEN = /\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}|[\u{E0100}-\u{E01EF}]/gu;

function written(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** One line: white space becomes single spaces, everything else that cannot be seen is written out, e.g. `<U+001B>`. */
export function visibleLine(text: string): string {
  return text
    .replaceAll(/[\t\n\r ]+/g, ' ')
    .trim()
    .replaceAll(UNSEEN, written);
}

/** The same for several lines: line ends stay, tabs become two spaces. */
export function visibleBlock(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', '  ')
    .replaceAll(UNSEEN, (character) => (character === '\n' ? character : written(character)));
}

/** A block with every line moved in. Line ends at its end are dropped. */
export function indented(text: string, by = '  '): string {
  return visibleBlock(text.trimEnd()).replaceAll(/^(?=.)/gm, by);
}
