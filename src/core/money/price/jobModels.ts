/** The models of a job. */
import { BUILT_IN, EXECUTOR_ROLES } from '../../../shared/agent/executors.ts';
import type { JobOptions } from '../../../shared/job/rows.ts';
import { LADDER_ROLES } from '../../../shared/routing.ts';

/** Every model that sessions of the job may start with. `counts`: of these roles alone. */
export function modelsOfJob(
  { models, ladders = {}, routing = 'off' }: JobOptions,
  counts: (role: string) => boolean = () => true,
): readonly string[] {
  const ofRoles = Object.entries(models).flatMap(([role, model]) => (counts(role) ? [model] : []));
  const rungs = routing === 'off' ? [] : LADDER_ROLES.filter(counts).flatMap((role) => ladders[role] ?? []);
  return [...new Set([...ofRoles, ...rungs])];
}

/** The agent that plays a role of the job. */
export function executorOfRole({ executors = {} }: JobOptions, role: string): string {
  const known = EXECUTOR_ROLES.find((one) => one === role);
  return (known === undefined ? undefined : executors[known]) ?? BUILT_IN;
}
