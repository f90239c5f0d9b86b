/** Text of a model, a repository or a failure on its way into a message, a prompt or an error that the editor shows. */

/** Controls, formats (bidirectional, zero-width), line and paragraph separators, lone surrogates, variation selectors. */
const UNSEEN = /\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}|[\u{E0100}-\u{E01EF}]/gu;
const LAID_OUT: readonly string[] = ['\n', '\t'];

/**
 * The editor makes a link of `[x](command:y)` there, and a click runs it: the two halves are held apart by a space of no width.
 * What hides or turns text around is written out, e.g. `<U+202E>`.
 */
export function plainWords(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(UNSEEN, (character) => (LAID_OUT.includes(character) ? character : written(character)))
    .replaceAll('](', ']\u200b(');
}

function written(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
