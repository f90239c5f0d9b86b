/**
 * Decides which texts may grant what. A text that leaves out gates, sets a job's money, or starts a project's heartbeat counts only if it comes from
 * a person: typed, in a file that the person named, or in a template of the user's configuration. The words of an agent, of a program at the API, and
 * of a template in the workspace may do everything else.
 */
import { failure } from '../../shared/errors.ts';
import type { ProjectDefinition } from '../../shared/project/projects.ts';
import type { StepDefinition, TaskOrigin } from '../../shared/task/tasks.ts';

/** The source of a text. A person set what a schedule creates. */
export type Principal = TaskOrigin | 'workspace';

/** Everyone else is the person. */
const OTHERS: Partial<Record<Principal, string>> = {
  main: 'an agent',
  agent: 'an agent',
  api: 'a program at the API',
  workspace: 'a template of the workspace',
};

/** Fields of a brief that grant something. The merge mode is not one of them, because the merge gate asks. */
const GRANTS = ['gates', 'budgetUsd'] as const;

type Steps = readonly Pick<StepDefinition, 'name' | 'action' | 'params'>[];

/** Throws NOT_PERMITTED. */
export function refuseGrants(steps: Steps, principal: Principal): void {
  const who = OTHERS[principal];
  if (who === undefined) return;
  for (const { name, action, params } of steps) {
    const said = GRANTS.find((field) => action === 'run_brief' && params[field] !== undefined);
    if (said === undefined) continue;
    throw failure('NOT_PERMITTED', `step "${name}": ${who} does not set ${said} of a brief`, {
      hint: 'Leave it out: the plan and the merge are asked about, and the job has the usual budget.',
    });
  }
}

/** Checks the fields of a template for a new project besides its text. Limits only restrict the project. Throws NOT_PERMITTED. */
export function refuseHeartbeat(
  { heartbeat }: Partial<Pick<ProjectDefinition, 'heartbeat'>>,
  principal: Principal,
): void {
  const who = OTHERS[principal];
  if (who === undefined || heartbeat == null) return;
  throw failure('NOT_PERMITTED', `${who} does not give a project a heartbeat: it spends without being asked`, {
    hint: 'Leave it out and give one yourself, or put the template into your own configuration folder.',
  });
}
