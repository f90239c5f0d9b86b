/** A wish with what its caller left to the settings. */
import type { WishInput, WishName } from '../../engine/state/api.ts';
import { DEFAULT_PROJECT, MAIN_PROJECT } from '../../shared/project/projects.ts';
import type { State } from '../../shared/workspace/state.ts';
import { mainAgentDefaults, projectDefaults, taskDefaults, withDefaults } from './defaults.ts';

/** MODEL_NOT_CHOSEN: the editor's models have no default one. */
export function completed<N extends WishName>(state: State, name: N, input: WishInput<N>): WishInput<N> {
  if (name === 'submitBrief') {
    const brief = input as WishInput<'submitBrief'>;
    return withDefaults(brief, state.projects.get(brief.project ?? DEFAULT_PROJECT)) as WishInput<N>;
  }
  if (name === 'createProject') {
    const { provider, ...project } = input as WishInput<'createProject'>;
    return { ...projectDefaults(provider), ...project } as WishInput<N>;
  }
  if (name === 'sendMessage' && (input as WishInput<'sendMessage'>).project === MAIN_PROJECT) {
    return { ...mainAgentDefaults(), ...(input as WishInput<'sendMessage'>) } as WishInput<N>;
  }
  if (name === 'createTask' || name === 'setSchedule') {
    const { definition, ...task } = input as WishInput<'createTask' | 'setSchedule'>;
    if (definition === undefined || (task.project ?? DEFAULT_PROJECT) !== DEFAULT_PROJECT) return input;
    if (definition.provider !== undefined) return input;
    return { ...task, definition: { ...definition, ...taskDefaults() } } as WishInput<N>;
  }
  return input;
}
