/** Trust in another repository that a project works on: the project does not run until the steward trusts exactly that path. */
import type { ProjectRow } from '../../shared/project/projects.ts';
import { parkedOf, parkedText } from './parked.ts';

export const waitsForTrust = (path: string): string => parkedText({ for: 'trust', path, refused: false });

/** Whether an active project is parked because its workdir is not trusted. */
export const isTrustHold = (parked: string | null): boolean => parkedOf(parked)?.for === 'trust';

/** The reason why an active project may not run. Null if there is none. */
export function untrusted(project: Pick<ProjectRow, 'status' | 'workdir' | 'trusted_workdir'>): string | null {
  const { status, workdir, trusted_workdir } = project;
  return status !== 'active' || workdir === null || workdir === trusted_workdir ? null : waitsForTrust(workdir);
}
