/** Formats the executors of roles. */

import type { Executors } from '../../shared/agent/executorSchemas.ts';
import { BUILT_IN, EXECUTOR_ROLES } from '../../shared/agent/executors.ts';

/** `cline`, or `worker cline, reviewer claude`; the built-in agent for roles without an entry. */
export function executorsText(executors: Executors): string {
  const names = EXECUTOR_ROLES.map((role) => executors[role] ?? BUILT_IN);
  if (new Set(names).size === 1) return names[0] ?? BUILT_IN;
  return EXECUTOR_ROLES.map((role, at) => `${role} ${names[at]}`).join(', ');
}
