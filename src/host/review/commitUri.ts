/** How a text of a job's commit is named in the editor: everything needed to read it, and which question it is shown for. */

export const COMMIT_SCHEME = 'autonomous-commit';

export interface CommitText {
  readonly jobId: string;
  readonly commit: string;
  /** As git names it. */
  readonly path: string;
  /** null: it is only looked at. */
  readonly approvalId: number | null;
}

/** The parts of the address; the path comes first so that editors know the language. */
export function commitUriParts(text: CommitText): { scheme: string; path: string; query: string } {
  const { jobId, commit, approvalId } = text;
  return { scheme: COMMIT_SCHEME, path: `/${text.path}`, query: JSON.stringify({ jobId, commit, approvalId }) };
}

/** null: not an address of ours. */
export function commitTextOf(uri: {
  readonly scheme: string;
  readonly path: string;
  readonly query: string;
}): CommitText | null {
  if (uri.scheme !== COMMIT_SCHEME) return null;
  try {
    const { jobId, commit, approvalId } = JSON.parse(uri.query) as Readonly<Record<string, unknown>>;
    if (typeof jobId !== 'string' || typeof commit !== 'string') return null;
    return { jobId, commit, path: uri.path.slice(1), approvalId: typeof approvalId === 'number' ? approvalId : null };
  } catch {
    // An address typed by hand: it names nothing.
    return null;
  }
}

export function approvalOf(uri: {
  readonly scheme: string;
  readonly path: string;
  readonly query: string;
}): number | null {
  return commitTextOf(uri)?.approvalId ?? null;
}
