/** Step actions that other extensions register through the exported API. They run only in this window. */
import * as vscode from 'vscode';
import { failure } from '../../shared/errors.ts';
import { CUSTOM_ACTION } from '../../shared/task/customAction.ts';
import type { JsonObject } from '../../shared/task/tasks.ts';
import type { StepActions } from '../../shared/task/taskWork.ts';
import type { AutonomousApi, StepAction } from './autonomous.d.ts';

export interface RegisteredActions extends StepActions {
  /** Descriptions for completion and checks. */
  described(): readonly { readonly name: string; readonly description: string; readonly params: object | null }[];
  readonly api: AutonomousApi;
}

export function stepActions(): RegisteredActions {
  const actions = new Map<string, StepAction>();
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    names: () => [...actions.keys()],
    described: () =>
      [...actions].map(([name, { description, params }]) => ({ name, description, params: params ?? null })),
    run: async (name, params: JsonObject, { taskId, stepId, signal }) => {
      const action = actions.get(name);
      // The window may have become an untrusted one since the step was ordered.
      if (action === undefined || !vscode.workspace.isTrusted) throw new Error(`nothing carries out ${name} here`);
      return action.run(structuredClone(params), { taskId, stepId, signal });
    },
    changed: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    api: {
      version: 1,
      registerStepAction: (name, action) => {
        refuse(name, action, actions);
        actions.set(name, action);
        notify();
        return new vscode.Disposable(() => {
          if (actions.get(name) !== action) return;
          actions.delete(name);
          notify();
        });
      },
    },
  };
}

/** Throws an error for the developer of the calling extension. */
function refuse(name: unknown, action: unknown, known: ReadonlyMap<string, unknown>): asserts action is StepAction {
  const wrong = (why: string): Error => failure('INVALID_INPUT', `registerStepAction ${JSON.stringify(name)}: ${why}`);
  if (typeof name !== 'string' || !CUSTOM_ACTION.test(name)) throw wrong('a name is publisher.extension/action');
  if (vscode.extensions.getExtension(name.slice(0, name.indexOf('/'))) === undefined)
    throw wrong('it must start with the id of an installed extension');
  if (known.has(name)) throw wrong('it is registered already');
  const { description, run } = (action ?? {}) as Partial<StepAction>;
  if (typeof description !== 'string' || typeof run !== 'function') throw wrong('it needs a description and run');
}
