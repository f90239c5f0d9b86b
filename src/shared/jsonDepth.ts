/**
 * Checks whether lists and objects of a JSON text are nested deeper than a limit. Not recursive, because recursive readers and writers of such a
 * value overflow the stack.
 */
export function isNestedDeeper(text: string, most: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (quoted) {
      if (character === 0x5c) at++;
      else if (character === 0x22) quoted = false;
    } else if (character === 0x22) quoted = true;
    else if (character === 0x7b || character === 0x5b) {
      if (++depth > most) return true;
    } else if (character === 0x7d || character === 0x5d) depth--;
  }
  return false;
}
