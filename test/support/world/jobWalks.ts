/** What the tests of a job check in the same way in memory and with real threads, git and HTTP. */
import { expect } from 'vitest';
import type { ApprovalRow } from '../../../src/shared/approval.ts';
import type { Assignment } from '../../../src/shared/workspace/assignment.ts';
import type { Fault, ServedRequest } from '../provider/messagesServer.ts';
import { assignmentOf, type JobWorld } from './jobWorld.ts';

export const ROLES = ['planner', 'worker', 'reviewer'] as const;
export type WalkRole = (typeof ROLES)[number];

/** The requests of each role fail in this order. All later ones succeed. */
export function faultsInOrder(faults: readonly Fault[], roles: readonly WalkRole[] = ROLES) {
  const left = new Map<Assignment['role'], Fault[]>(roles.map((role) => [role, [...faults]]));
  return (request: ServedRequest): Fault | null => {
    const role = assignmentOf(request)?.role;
    return role === undefined ? null : (left.get(role)?.shift() ?? null);
  };
}

/** No retry is used, nothing is done twice, and only the reviewer approved. */
export function expectUnharmed(world: JobWorld): void {
  expect(world.job.plan_version).toBe(1);
  expect(world.feature('A')).toMatchObject({ status: 'completed', retry_count: 0, crash_count: 0 });
  expect(world.attempts('A')).toHaveLength(1);
  expect(world.happened('phase_approved').map((event) => event.by)).toEqual(['reviewer']);
  expect(world.happened('phase_rejected')).toEqual([]);
  expect([...world.state.spends.values()].filter((row) => row.status === 'reserved')).toEqual([]);
}

export async function pauseInAttempt(world: JobWorld): Promise<void> {
  await world.owner.request('pauseJob', { jobId: world.jobId });
  await world.until('the attempt is interrupted', () => world.happened('attempt_interrupted').length > 0);
}

/** The steward takes feature A out of a job whose worker waits in a command of A: refused at first, accepted in the paused job. */
export async function setAsideWhilePaused(world: JobWorld, goOn: () => void): Promise<void> {
  const aside = { featureId: world.feature('A').id, status: 'failed', reason: 'not needed' } as const;
  await expect(world.owner.request('setFeature', aside)).rejects.toMatchObject({ code: 'ILLEGAL_TRANSITION' });
  await pauseInAttempt(world);
  await world.owner.request('setFeature', aside);
  goOn();
  await world.owner.request('resumeJob', { jobId: world.jobId });
  await world.is('completed');
  expect(world.feature('A').status).toBe('failed');
  expect(world.attempts('A').map((row) => row.status)).toEqual(['abandoned']);
  expect(world.state.approvals.size).toBe(0);
}

/** Approves `sh run.sh` once. Its result is recorded, and the next run is a question again. */
export async function approveOneRun(world: JobWorld): Promise<ApprovalRow> {
  await world.submit();
  const { id } = await world.approve('command');
  const again = await world.until('it is asked again', () =>
    [...world.state.approvals.values()].find((row) => row.id !== id && row.status === 'pending'),
  );
  expect(again).toMatchObject({ kind: 'command', subject: 'command:sh run.sh' });
  expect(world.state.approvals.get(id)).toMatchObject({ status: 'void', decided_by: 'steward' });
  expect(world.attempts('A')).toMatchObject([{ status: 'succeeded', evidence: [{ exitCode: 0, sandboxed: false }] }]);
  return again;
}
