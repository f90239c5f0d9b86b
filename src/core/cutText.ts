/** Bounds a text and states how much was left out. */

/** At most `max` characters, then in the same line how many are missing. `what` names them. */
export function cutText(text: string, max: number, what = 'characters'): string {
  return text.length <= max ? text : `${text.slice(0, max)} [… ${text.length - max} ${what} left out]`;
}
