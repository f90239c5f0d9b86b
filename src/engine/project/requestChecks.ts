/** Refuses requests about projects that their state does not allow. */
import { levelFault } from '../../core/model/effort.ts';
import { hasOpenTurn } from '../../core/project/conversations.ts';
import { isCircle } from '../../core/project/projectAfter.ts';
import { isFinal, JOB } from '../../core/state/machines.ts';
import { need, projectJobs } from '../../core/state/rows.ts';
import type { Actor } from '../../shared/actor.ts';
import { failure } from '../../shared/errors.ts';
import { modelWithEffort } from '../../shared/model/effort.ts';
import {
  DEFAULT_PROJECT,
  MAIN_PROJECT,
  type ProjectDefinition,
  type ProjectLimits,
  type ProjectRow,
} from '../../shared/project/projects.ts';
import type { State } from '../../shared/workspace/state.ts';
import type { EngineRequests } from '../job/requests/ports.ts';
import type { Store } from '../state/store.ts';
import { isUnreported } from './memory/episodes.ts';

/** Throws INVALID_INPUT if the model does not take the effort behind its name. */
export function checkEffort({ model: text, provider }: ProjectDefinition): void {
  const { model, effort } = modelWithEffort(text ?? '');
  // The editor's models take no effort, and its requests leave it out.
  const fault = provider === 'vscode-lm' || effort === null ? null : levelFault(model, effort, 'project');
  if (fault !== null) throw failure('INVALID_INPUT', fault.message, { hint: fault.hint });
}

/** Throws NOT_FOUND for an unknown project, INVALID_INPUT if projects would wait for each other. */
export function checkAfter(state: State, id: string, after: string | null | undefined): void {
  if (after === undefined || after === null) return;
  if (after === MAIN_PROJECT || after === DEFAULT_PROJECT) {
    throw failure('INVALID_INPUT', `project ${after} is never completed: no project can come after it`);
  }
  if (isCircle(state, id, after)) throw failure('INVALID_INPUT', `${id} and ${after} would wait for each other`);
  need(state, 'projects', after);
}

type AskedLimits = NonNullable<Parameters<EngineRequests['defineProject']>[0]['limits']>;

/** Throws NOT_PERMITTED if an agent asks for more than the template allows. */
export function checkLowered(ceiling: ProjectLimits, wanted: AskedLimits): void {
  for (const name of ['dayMicroUsd', 'totalMicroUsd', 'tokens', 'toolCalls'] as const) {
    const most = ceiling[name];
    const asked = wanted[name];
    if (most === null || asked === undefined || (asked !== null && asked <= most)) continue;
    throw failure('NOT_PERMITTED', `an agent cannot raise the limit that the template gives (${name})`);
  }
}

/** The main agent's own is in no list, and is not handled as the others are. */
export function needOrdinary(store: Store, id: string): ProjectRow {
  if (id === MAIN_PROJECT) throw failure('NOT_PERMITTED', `${id} is the main agent's own and no project of yours`);
  return need(store.state, 'projects', id);
}

/**
 * Returns the id. Completing a project ends its conversation: the answer of a turn in progress would be lost, and its notices too.
 * The steward may complete a project that has no report on the end of a job yet: they see that end themselves, and where no process works
 * none is made.
 */
export function needAtRest(state: State, id: string, by: Actor): string {
  const ended = by === 'main' ? projectJobs(state, id).filter(({ status }) => isFinal(JOB, status)) : [];
  const unreported = ended.find((job) => isUnreported(state, job));
  if (unreported !== undefined) {
    throw failure('ILLEGAL_TRANSITION', `the end of job ${unreported.id} is not reported to project ${id} yet`, {
      hint: 'Complete it when its turn about that has ended.',
    });
  }
  if (!hasOpenTurn(state, id)) return id;
  throw failure('ILLEGAL_TRANSITION', `project ${id} is in the middle of a turn`, {
    hint: `Complete it when that turn has ended, or stop the turn first: autonomous project stop ${id}`,
  });
}

export function refuseTaken(state: State, id: string): void {
  if (!state.projects.has(id)) return;
  throw failure('INVALID_INPUT', `there is a project ${id} already`, { hint: 'Choose another name.' });
}
