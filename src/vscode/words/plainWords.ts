/** Text of a model, a repository or a failure on its way into a message, a prompt or an error that the editor shows. */
import { codeOf, INVISIBLE } from '../../shared/invisibleCharacters.ts';

const LAID_OUT: readonly string[] = ['\n', '\t'];

/**
 * In these places the editor turns `[x](command:y)` into a link, and a click runs it: a space of no width separates the two halves. Characters that
 * hide or reverse text are written out, for example `<U+202E>`.
 */
export function plainWords(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(INVISIBLE, (character) => (LAID_OUT.includes(character) ? character : `<U+${codeOf(character)}>`))
    .replaceAll('](', ']\u200b(');
}
