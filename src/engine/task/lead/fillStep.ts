/** Fills in a step's params with the results of other steps, each read once, from its row or file. */
import { fillParams } from '../../../core/task/script/fill.ts';
import { graphOf } from '../../../core/task/script/graph.ts';
import { type ParamsOf, readParams } from '../../../core/task/script/params.ts';
import { referencesIn, resolveReference, type StepNames } from '../../../core/task/script/references.ts';
import { failure } from '../../../shared/errors.ts';
import type { BuiltInAction, Json, JsonObject, TaskRow, TaskStepRow } from '../../../shared/task/tasks.ts';
import type { RunnerPorts } from '../ports.ts';
import { resultOf } from './results.ts';

export interface OfTask {
  readonly task: TaskRow;
  /** In the order of the task. */
  readonly steps: readonly TaskStepRow[];
}

export const namesOf = ({ task, steps }: OfTask): StepNames => graphOf(task, steps).names;

/** The results of the steps at these positions. Throws for a position that was not requested. */
export async function resultsAt(
  { results }: Pick<RunnerPorts, 'results'>,
  { steps }: OfTask,
  positions: Iterable<number>,
): Promise<(position: number) => Json> {
  const known = new Map<number, Json>();
  for (const position of new Set(positions)) {
    const step = steps[position];
    if (step !== undefined) known.set(position, await resultOf(results, step));
  }
  return (position) => {
    const result = known.get(position);
    if (result === undefined) throw new Error(`the result of step ${position + 1} was not read`);
    return result;
  };
}

/** Results that a step names in its texts. */
export function referred(of: OfTask, { action, params }: Pick<TaskStepRow, 'action' | 'params'>): number[] {
  const names = namesOf(of);
  return Array.from(referencesIn(action, params)).flatMap(({ reference }) => {
    const target = resolveReference(reference, names);
    return 'position' in target ? [target.position] : [];
  });
}

/** Throws INVALID_INPUT. */
export async function fillAny(ports: Pick<RunnerPorts, 'results'>, of: OfTask, step: TaskStepRow): Promise<JsonObject> {
  const filled = fillParams(step, namesOf(of), await resultsAt(ports, of, referred(of, step)));
  if (!filled.ok) throw failure('INVALID_INPUT', filled.error);
  return filled.params;
}

/** Throws INVALID_INPUT, because a filled-in value may have another type than the action needs. */
export async function fillStep<A extends BuiltInAction>(
  ports: Pick<RunnerPorts, 'results' | 'clock'>,
  of: OfTask,
  step: TaskStepRow,
  action: A,
): Promise<ParamsOf<A>> {
  const read = readParams(action, await fillAny(ports, of, step), ports.clock.now());
  if (read.ok) return read.params;
  throw failure('INVALID_INPUT', read.error);
}
