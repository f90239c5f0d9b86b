/**
 * Characters that no font shows or that turn a text around: controls, formats (bidirectional, zero-width, tags), separators of lines
 * and paragraphs, halves of pairs, fillers, variation selectors but those of emoji.
 */
export const INVISIBLE = /\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}|(?![\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu;

/** `202E` */
export function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
