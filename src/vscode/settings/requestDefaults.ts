/** A request with what its caller left to the settings. */
import type { RequestInput, RequestName } from '../../engine/state/api.ts';
import { DEFAULT_PROJECT, MAIN_PROJECT } from '../../shared/project/projects.ts';
import type { State } from '../../shared/workspace/state.ts';
import { mainAgentDefaults, projectDefaults, taskDefaults, withDefaults } from './defaults.ts';

/** MODEL_NOT_CHOSEN: the editor's models have no default one. */
export function completed<N extends RequestName>(state: State, name: N, input: RequestInput<N>): RequestInput<N> {
  if (name === 'submitBrief') {
    const brief = input as RequestInput<'submitBrief'>;
    return withDefaults(brief, state.projects.get(brief.project ?? DEFAULT_PROJECT)) as RequestInput<N>;
  }
  if (name === 'createProject') {
    const { provider, ...project } = input as RequestInput<'createProject'>;
    return { ...projectDefaults(provider), ...project } as RequestInput<N>;
  }
  if (name === 'sendMessage' && (input as RequestInput<'sendMessage'>).project === MAIN_PROJECT) {
    return { ...mainAgentDefaults(), ...(input as RequestInput<'sendMessage'>) } as RequestInput<N>;
  }
  if (name === 'createTask' || name === 'setSchedule') {
    const { definition, ...task } = input as RequestInput<'createTask' | 'setSchedule'>;
    if (definition === undefined || (task.project ?? DEFAULT_PROJECT) !== DEFAULT_PROJECT) return input;
    if (definition.provider !== undefined) return input;
    return { ...task, definition: { ...definition, ...taskDefaults() } } as RequestInput<N>;
  }
  return input;
}
