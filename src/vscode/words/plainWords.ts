/** Text of a model, a repository or a failure on its way into a message, a prompt or an error that the editor shows. */
import { codeOf, INVISIBLE } from '../../shared/invisibleCharacters.ts';

const LAID_OUT: readonly string[] = ['\n', '\t'];

/**
 * The editor makes a link of `[x](command:y)` there, and a click runs it: the two halves are held apart by a space of no width.
 * What hides or turns text around is written out, e.g. `<U+202E>`.
 */
export function plainWords(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(INVISIBLE, (character) => (LAID_OUT.includes(character) ? character : `<U+${codeOf(character)}>`))
    .replaceAll('](', ']\u200b(');
}
