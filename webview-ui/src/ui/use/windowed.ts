/** Which rows of a long list are in the page, and how much room the others take. Pure. */

export type WindowPart =
  | { readonly kind: 'row'; readonly index: number }
  /** Replaces the rows before `before` that are not in the page. Px. */
  | { readonly kind: 'space'; readonly before: number; readonly height: number };

interface Sight {
  readonly count: number;
  /** Px. */
  readonly sizeOf: (index: number) => number;
  /** The range around the viewport whose rows are in the page. Px. */
  readonly from: number;
  readonly to: number;
  /** Index of a row that is always in the page; -1 for none. */
  readonly always: number;
}

export function windowParts({ count, sizeOf, from, to, always }: Sight): WindowPart[] {
  const parts: WindowPart[] = [];
  let offset = 0;
  let space = 0;
  for (let index = 0; index < count; index++) {
    const size = sizeOf(index);
    const inSight = offset + size >= from && offset <= to;
    offset += size;
    if (!inSight && index !== always) {
      space += size;
      continue;
    }
    if (space > 0) parts.push({ kind: 'space', before: index, height: space });
    space = 0;
    parts.push({ kind: 'row', index });
  }
  if (space > 0) parts.push({ kind: 'space', before: count, height: space });
  return parts;
}
