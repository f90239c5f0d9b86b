/** The models of a job. */
import { BUILT_IN, EXECUTOR_ROLES } from '../../../shared/agent/executors.ts';
import type { JobOptions } from '../../../shared/job/rows.ts';
import { LADDER_ROLES } from '../../../shared/routing.ts';

/** Every model that sessions of the job may start with. */
export function modelsOfJob({ models, ladders = {}, routing = 'off' }: JobOptions): readonly string[] {
  const rungs = routing === 'off' ? [] : LADDER_ROLES.flatMap((role) => ladders[role] ?? []);
  return [...new Set([...Object.values(models), ...rungs])];
}

/** Models of the roles that the built-in agent plays, and of their ladders. */
export function ownModels(options: JobOptions): readonly string[] {
  const { executors = {}, models } = options;
  const isOthers = (role: string): boolean => {
    const executor = EXECUTOR_ROLES.find((one) => one === role);
    return executor !== undefined && (executors[executor] ?? BUILT_IN) !== BUILT_IN;
  };
  const others = Object.entries(models).flatMap(([role, model]) => (isOthers(role) ? [model] : []));
  const played = Object.entries(models).flatMap(([role, model]) => (isOthers(role) ? [] : [model]));
  return modelsOfJob(options).filter((model) => played.includes(model) || !others.includes(model));
}
