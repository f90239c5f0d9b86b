/** The URI of a text of a job's commit: everything needed to read it, and the question that it is shown for. */
import { reviewRange } from '../../../core/approval/stewardship.ts';
import type { ApprovalRow } from '../../../shared/approval.ts';
import type { State } from '../../../shared/workspace/state.ts';

export const COMMIT_SCHEME = 'autonomous-commit';

export interface CommitText {
  readonly jobId: string;
  readonly commit: string;
  /** As git names it. */
  readonly path: string;
  /** null for a read-only view. */
  readonly approvalId: number | null;
  /** Folder above its shown path if several commits have a text of that path. */
  readonly under?: string;
}

/** The parts of the URI. It contains the file's path, so that editors detect the language. */
export function commitUriParts(text: CommitText): { scheme: string; path: string; query: string } {
  const { jobId, commit, approvalId, under } = text;
  const path = under === undefined ? `/${text.path}` : `/${under}/${text.path}`;
  return { scheme: COMMIT_SCHEME, path, query: JSON.stringify({ jobId, commit, approvalId, under }) };
}

/** Returns null if the URI has another scheme or form. */
export function commitTextOf(uri: {
  readonly scheme: string;
  readonly path: string;
  readonly query: string;
}): CommitText | null {
  if (uri.scheme !== COMMIT_SCHEME) return null;
  try {
    const { jobId, commit, approvalId, under } = JSON.parse(uri.query) as Readonly<Record<string, unknown>>;
    if (typeof jobId !== 'string' || typeof commit !== 'string') return null;
    const asked = typeof approvalId === 'number' ? approvalId : null;
    if (typeof under !== 'string') return { jobId, commit, path: uri.path.slice(1), approvalId: asked };
    return { jobId, commit, path: uri.path.slice(under.length + 2), approvalId: asked, under };
  } catch {
    // An address typed by hand: it names nothing.
    return null;
  }
}

/** Returns the current row of the question that a text belongs to; null if it has none, or one of another folder. */
export function questionAt(state: State, uri: Parameters<typeof commitTextOf>[0]): ApprovalRow | null {
  const text = commitTextOf(uri);
  const row = text === null || text.approvalId === null ? undefined : state.approvals.get(text.approvalId);
  const range = row === undefined ? null : reviewRange(state, row);
  if (text === null || row === undefined || range === null) return null;
  return range.jobId === text.jobId && [range.from, range.to].includes(text.commit) ? row : null;
}
