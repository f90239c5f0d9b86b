/** Which clones go when all of them together may take so much: those of jobs that are over, the oldest first, and no work with them. */

/** `under_way`: or waiting for somebody. `not_kept`: work of it lies nowhere else. */
export type Stays = 'under_way' | 'not_kept';

export interface JobClone {
  readonly jobId: string;
  readonly title: string;
  readonly bytes: number;
  /** ISO 8601 UTC; null: its job is not over. */
  readonly endedAt: string | null;
  /** Whether all work of its attempts can be made again without it. */
  readonly kept: boolean;
}

export interface CleanUp {
  readonly go: readonly JobClone[];
  readonly stay: readonly (JobClone & { readonly why: Stays | null })[];
  /** Of all of them now, and after it. */
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
