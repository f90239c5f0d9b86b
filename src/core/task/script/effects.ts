/** Lists the effects of a task outside of itself, by its text: a template may come from another author. */
import type { StepDefinition } from '../../../shared/task/tasks.ts';
import { isBuiltIn } from './params.ts';

/** Each effect once, in the order of the steps. Values that are filled in later are shown as their references. */
export interface TaskEffects {
  /** Permissions of its jobs beyond the usual gates and budget, by step. They are shown first. */
  readonly grants: readonly string[];
  readonly commands: readonly string[];
  readonly hosts: readonly string[];
  readonly briefs: readonly string[];
  /** Actions of other extensions. */
  readonly actions: readonly string[];
}

export function effectsOf({ steps }: { readonly steps: readonly StepDefinition[] }): TaskEffects {
  const of = (action: string, effect: (step: StepDefinition) => readonly string[]): readonly string[] =>
    unique(steps.flatMap((step) => (step.action === action ? effect(step) : [])));
  const reachesRegistries = steps.some(
    ({ action, params }) => action === 'command' && params['network'] !== undefined && params['network'] !== 'none',
  );
  return {
    grants: of('run_brief', grantsIn),
    commands: of('command', ({ params }) => [written(params['command'])]),
    hosts: [
      ...of('http_get', ({ params }) => [hostOf(written(params['url']))]),
      ...(reachesRegistries ? ['package registries'] : []),
    ],
    briefs: of('run_brief', ({ params }) => [written(params['brief'])]),
    actions: unique(steps.flatMap(({ action }) => (isBuiltIn(action) ? [] : [action]))),
  };
}

function grantsIn({ name, params }: StepDefinition): readonly string[] {
  const said = (['gates', 'mergeMode', 'budgetUsd'] as const).filter((field) => params[field] !== undefined);
  if (said.length === 0) return [];
  return [`${name}: ${said.map((field) => `${field}: ${written(params[field])}`).join(', ')}`];
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];
const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));

/** The whole address where its host is not known yet. */
function hostOf(url: string): string {
  const host = URL.canParse(url) ? new URL(url).host : '';
  return host === '' || /[{}]|%7B/i.test(host) ? url : host;
}
