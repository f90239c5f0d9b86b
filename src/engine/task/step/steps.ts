/** Runs steps of tasks in a project's thread: concurrently, but never one step twice at once. */
import { asFailure, ERROR_TRAITS } from '../../../shared/errors.ts';
import type { StepAssignment, StepResult } from '../../../shared/task/taskWork.ts';
import { commandStep } from './stepCommand.ts';
import { generateStep } from './stepGenerate.ts';
import type { StepPorts } from './stepPorts.ts';

/** Delay before the retry of a temporary failure, for example a full disk. */
const AGAIN_MS = 30_000;
const ABORTED: StepResult = { outcome: 'aborted' };

export interface ProjectSteps {
  /** Never rejects. */
  step(run: number, order: StepAssignment): Promise<StepResult>;
  abort(run: number): void;
  stop(): Promise<void>;
}

export function projectSteps(ports: StepPorts): ProjectSteps {
  const running = new Map<number, { readonly abort: AbortController; readonly done: Promise<StepResult> }>();
  const newest = new Map<number, Promise<StepResult>>();
  let stopped = false;

  async function after(before: Promise<StepResult> | undefined, order: StepAssignment, signal: AbortSignal) {
    await before;
    if (signal.aborted) return ABORTED;
    try {
      return await carryOut(ports, order, signal);
    } catch (thrown) {
      return signal.aborted ? ABORTED : thrownResult(ports, thrown);
    }
  }

  return {
    step: async (run, order) => {
      if (stopped) return ABORTED;
      const abort = new AbortController();
      const done = after(newest.get(order.stepId), order, abort.signal);
      running.set(run, { abort, done });
      newest.set(order.stepId, done);
      const result = await done;
      running.delete(run);
      if (newest.get(order.stepId) === done) newest.delete(order.stepId);
      return result;
    },
    abort: (run) => running.get(run)?.abort.abort(new Error('the step was aborted')),
    stop: async () => {
      stopped = true;
      for (const { abort } of running.values()) abort.abort(new Error('the owner stops'));
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}

async function carryOut(ports: StepPorts, order: StepAssignment, signal: AbortSignal): Promise<StepResult> {
  switch (order.kind) {
    case 'generate':
      return generateStep(ports, order, signal);
    case 'command':
      return commandStep(ports, order, signal);
    case 'http_get': {
      const answer = await ports.httpGet(order, signal);
      return 'fault' in answer
        ? { outcome: 'failed', error: answer.fault, result: null, session: null }
        : { outcome: 'completed', result: answer.body, session: null };
    }
  }
}

function thrownResult({ clock }: StepPorts, thrown: unknown): StepResult {
  const { code, message, hint } = asFailure(thrown);
  if (code === 'ABORTED' || code === 'OWNER_LOST') return ABORTED;
  if (!ERROR_TRAITS[code].retry) {
    const error = hint === '' ? message : `${message}. ${hint}`;
    return { outcome: 'failed', error, result: null, session: null };
  }
  const wakeAt = new Date(clock.now() + AGAIN_MS).toISOString();
  return { outcome: 'unavailable', code, detail: message, hint, wakeAt, limit: null, raiseTo: null };
}
