/**
 * Who may grant what. A text that leaves gates out, sets a job's money, or gives a project something to do by itself counts
 * where it is a person's own: typed, in a file that they named, or in a template of their own configuration. The words
 * of an agent, of a program at the API, and of a template that lies in the workspace do all else, and grant nothing.
 */
import { failure } from '../../shared/errors.ts';
import type { ProjectDefinition } from '../../shared/project/projects.ts';
import type { StepDefinition, TaskOrigin } from '../../shared/task/tasks.ts';

/** Whose words a text is. What a schedule makes was set by a person. */
export type Principal = TaskOrigin | 'workspace';

/** Everyone else is the person. */
const OTHERS: Partial<Record<Principal, string>> = {
  main: 'an agent',
  agent: 'an agent',
  api: 'a program at the API',
  workspace: 'a template of the workspace',
};

/** Of a brief. How a job is merged grants nothing: its gates ask. */
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

/** What a template says of a new project besides its text: limits only bound it. Throws NOT_PERMITTED. */
export function refuseHeartbeat(
  { heartbeat }: Partial<Pick<ProjectDefinition, 'heartbeat'>>,
  principal: Principal,
): void {
  const who = OTHERS[principal];
  if (who === undefined || heartbeat == null) return;
  throw failure('NOT_PERMITTED', `${who} does not give a project a heartbeat: it spends by itself`, {
    hint: 'Leave it out and give one yourself, or put the template into your own configuration folder.',
  });
}
