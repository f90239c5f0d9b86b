/** Bounds a text and states how much was left out. */

/** Returns at most `max` characters, followed by the number of missing ones in the same line. `what` names the unit. */
export function cutText(text: string, max: number, what = 'characters'): string {
  return text.length <= max ? text : `${text.slice(0, max)} [… ${text.length - max} ${what} left out]`;
}

/** Returns one line of at most `max` characters. A longer one is cut between words, unless the last space is in its first half. */
export function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max - 1);
  const space = head.lastIndexOf(' ');
  return `${(space > max / 2 ? head.slice(0, space) : head).trimEnd()}…`;
}
