/** Another repository that a project works on: nothing of it runs until the steward trusts that path, and no other. */
import type { ProjectRow } from '../shared/projects.ts';

const WAITS = 'waits for your trust in ';

export const waitsForTrust = (path: string): string => `${WAITS}${path}`;

export const refusedTrust = (path: string): string =>
  `${waitsForTrust(path)}, which you refused: name another workdir, or unpark it to be asked again`;

/** Why an active project is parked: its workdir is not trusted. */
export const isTrustHold = (parked: string | null): boolean => parked?.startsWith(WAITS) === true;

/** What keeps it from running; null: nothing, or it does not run anyway. */
export function untrusted(project: Pick<ProjectRow, 'status' | 'workdir' | 'trusted_workdir'>): string | null {
  const { status, workdir, trusted_workdir } = project;
  return status !== 'active' || workdir === null || workdir === trusted_workdir ? null : waitsForTrust(workdir);
}
