/** Decides which clones are removed to stay within a size limit: those of ended jobs whose work is saved elsewhere, the oldest first. */

/** `under_way`: the job runs or is waiting. `not_kept`: the clone has the only copy of some work. */
export type Stays = 'under_way' | 'not_kept';

export interface JobClone {
  readonly jobId: string;
  readonly title: string;
  readonly bytes: number;
  /** ISO 8601 UTC. Null if the job has not ended. */
  readonly endedAt: string | null;
  /** Whether all work of its attempts can be restored without it. */
  readonly kept: boolean;
}

export interface CleanUp {
  readonly go: readonly JobClone[];
  readonly stay: readonly (JobClone & { readonly why: Stays | null })[];
  /** Total size now, and after the cleanup. */
  readonly bytes: number;
  readonly left: number;
}

export function cleanUp(clones: readonly JobClone[], maxBytes: number): CleanUp {
  const bytes = clones.reduce((sum, clone) => sum + clone.bytes, 0);
  const mayGo = clones
    .filter((clone) => whyStays(clone) === null)
    .sort((a, b) => ((a.endedAt ?? '') < (b.endedAt ?? '') ? -1 : 1));
  const go: JobClone[] = [];
  let left = bytes;
  for (const clone of mayGo) {
    if (left <= maxBytes) break;
    go.push(clone);
    left -= clone.bytes;
  }
  const gone = new Set(go.map(({ jobId }) => jobId));
  const stay = clones.filter(({ jobId }) => !gone.has(jobId)).map((clone) => ({ ...clone, why: whyStays(clone) }));
  return { go, stay, bytes, left };
}

function whyStays({ endedAt, kept }: JobClone): Stays | null {
  if (endedAt === null) return 'under_way';
  return kept ? null : 'not_kept';
}
