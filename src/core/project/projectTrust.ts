/** Another repository that a project works on: nothing of it runs until the steward trusts that path, and no other. */
import type { ProjectRow } from '../../shared/project/projects.ts';
import { parkedOf, parkedText } from './parked.ts';

export const waitsForTrust = (path: string): string => parkedText({ for: 'trust', path, refused: false });

/** Why an active project is parked: its workdir is not trusted. */
export const isTrustHold = (parked: string | null): boolean => parkedOf(parked)?.for === 'trust';

/** What keeps it from running; null: nothing, or it does not run anyway. */
export function untrusted(project: Pick<ProjectRow, 'status' | 'workdir' | 'trusted_workdir'>): string | null {
  const { status, workdir, trusted_workdir } = project;
  return status !== 'active' || workdir === null || workdir === trusted_workdir ? null : waitsForTrust(workdir);
}
