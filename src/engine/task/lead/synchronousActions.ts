/** Runs the actions that the owner does itself, synchronously and without external work. */
import { aggregate } from '../../../core/task/script/aggregate.ts';
import { decide, readCondition } from '../../../core/task/script/conditions.ts';
import { failure } from '../../../shared/errors.ts';
import type { Json, TaskStepRow } from '../../../shared/task/tasks.ts';
import type { RunnerPorts } from '../ports.ts';
import { fillStep, namesOf, type OfTask, referred, resultsAt } from './fillStep.ts';
import { notice } from './notices.ts';
import { completedEnd, type Ended } from './results.ts';

/** Throws INVALID_INPUT if its params, or their values, are wrong. */
export async function runSynchronously(ports: RunnerPorts, of: OfTask, step: TaskStepRow): Promise<Ended> {
  const ended = async (result: Json, message: Ended['message'] = null): Promise<Ended> => ({
    end: await completedEnd(ports.results, step, result, null),
    message,
  });
  switch (step.action) {
    case 'conditional':
      return ended(await condition(ports, of, step));
    case 'aggregate': {
      const params = await fillStep(ports, of, step, 'aggregate');
      const found = aggregate(params, namesOf(of), await resultsAt(ports, of, referred(of, step)));
      if (!found.ok) throw failure('INVALID_INPUT', found.error);
      return ended(found.result);
    }
    case 'notify': {
      const { title, message, type } = await fillStep(ports, of, step, 'notify');
      const text = message === '' ? title : `${title}\n\n${message}`;
      return ended(text, notice(ports, of.task, type, text));
    }
    default:
      throw new Error(`${step.action} is not done at once`);
  }
}

async function condition(ports: RunnerPorts, of: OfTask, step: TaskStepRow): Promise<boolean> {
  const params = await fillStep(ports, of, step, 'conditional');
  const read = readCondition(params.condition, namesOf(of));
  if ('problem' in read) throw failure('INVALID_INPUT', read.problem);
  const used = [...Array.from(read.targets.values(), ({ position }) => position), ...read.named.values()];
  const decided = decide(read, await resultsAt(ports, of, used));
  if (!decided.ok) throw failure('INVALID_INPUT', decided.error);
  return decided.value;
}
