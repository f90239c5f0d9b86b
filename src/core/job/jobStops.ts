/** Writes and reads the job's `reason`, which states who cancelled or paused it. */
import type { JobRow } from '../../shared/job/rows.ts';

type Stop = 'cancelled' | 'paused';

/** The reason of a stop by the steward without a text. */
export const stoppedByYou = <Did extends Stop>(did: Did): `${Did} by you` => `${did} by you`;

/** The reason of a stop by the job's own project. */
export const stoppedByProject = (did: Stop, projectId: string, why: string): string =>
  `${did} by project ${projectId}: ${why}`.trimEnd();

export function isStoppedByProject({ status, reason, project_id }: StoppedJob, did: Stop): boolean {
  return status === did && reason?.startsWith(stoppedByProject(did, project_id, '')) === true;
}

type StoppedJob = Pick<JobRow, 'status' | 'reason' | 'project_id'>;

export const isCancelledBySteward = ({ status, reason }: Pick<JobRow, 'status' | 'reason'>): boolean =>
  status === 'cancelled' && reason === stoppedByYou('cancelled');

/** A reason as agents read it: to them, "you" is not the steward. */
export function reasonForAgents(reason: string): string {
  const did = (['cancelled', 'paused'] as const).find((one) => reason === stoppedByYou(one));
  return did === undefined ? reason : `${did} by the steward`;
}

/** Whether the reason of a job in this status names the author of the stop. */
export const saysWhoStopped = (status: JobRow['status'], reason: string): boolean => reason.startsWith(`${status} by `);
