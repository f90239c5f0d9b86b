/** The reasons for which an active project is parked. The event log and the rows store a reason as a sentence: only this file writes and reads it. */

export type Parked =
  /** Its first turn must wait until another project is completed. */
  | { readonly for: 'project'; readonly project: string }
  /** Its workdir is a repository that the steward does not trust yet, or refused. */
  | { readonly for: 'trust'; readonly path: string; readonly refused: boolean }
  /** `what` continues "PROJECT.md …". */
  | { readonly for: 'file'; readonly what: string }
  /** `what` continues "the workdir …". */
  | { readonly for: 'workdir'; readonly what: string }
  /** Any other reason, as stated when it was parked. */
  | { readonly for: 'other'; readonly text: string };

const AFTER = ['waits until project ', ' is completed'] as const;
const TRUST = 'waits for your trust in ';
const REFUSED = ', which you refused: name another workdir, or unpark it to be asked again';
const FILE = 'PROJECT.md ';
const WORKDIR = 'the workdir ';

export function parkedText(parked: Parked): string {
  switch (parked.for) {
    case 'project':
      return `${AFTER[0]}${parked.project}${AFTER[1]}`;
    case 'trust':
      return `${TRUST}${parked.path}${parked.refused ? REFUSED : ''}`;
    case 'file':
      return `${FILE}${parked.what}`;
    case 'workdir':
      return `${WORKDIR}${parked.what}`;
    case 'other':
      return parked.text;
  }
}

/** Null for a project that is not parked. `parkedText` of the answer is the text again. */
export function parkedOf(text: string | null): Parked | null {
  if (text === null) return null;
  const [before, after] = AFTER;
  if (text.startsWith(before) && text.length >= before.length + after.length && text.endsWith(after))
    return { for: 'project', project: text.slice(before.length, -after.length) };
  if (text.startsWith(TRUST)) {
    const refused = text.endsWith(REFUSED);
    return { for: 'trust', path: text.slice(TRUST.length, refused ? -REFUSED.length : undefined), refused };
  }
  if (text.startsWith(FILE)) return { for: 'file', what: text.slice(FILE.length) };
  if (text.startsWith(WORKDIR)) return { for: 'workdir', what: text.slice(WORKDIR.length) };
  return { for: 'other', text };
}
