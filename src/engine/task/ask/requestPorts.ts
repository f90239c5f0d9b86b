/** Declares the dependencies of request handlers for tasks, and the errors for a faulty task. */
import type { CheckedStep } from '../../../core/task/script/check.ts';
import type { Clock } from '../../../shared/clock.ts';
import { failure } from '../../../shared/errors.ts';
import type { ProjectRow } from '../../../shared/project/projects.ts';
import type { TaskDefinition } from '../../../shared/task/tasks.ts';
import type { Input } from '../../job/requests/ports.ts';
import type { Store } from '../../state/store.ts';
import type { Startable } from '../ready.ts';

export interface TaskRequestPorts {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  /** The definition that was given, or the template's with its parameters filled in. Throws INVALID_INPUT or NOT_FOUND. */
  made(input: Made): Promise<TaskDefinition>;
  /**
   * Stores a template in the workspace and returns the file's absolute path. Throws INVALID_INPUT if the name is invalid or
   * taken.
   */
  keepTemplate(definition: TaskDefinition, kept: { readonly name: string; readonly replace: boolean }): Promise<string>;
  /** Throws NOT_READY if steps that are about to start lack a model or a repository. `what` names what cannot start. */
  ready(what: string, task: Startable, project: ProjectRow | undefined): Promise<void>;
  /** Reasons for which a start of these steps would be rejected, one sentence each. */
  problemsOf(steps: readonly CheckedStep[]): readonly string[];
}

type Made = Pick<Input<'createTask'>, 'definition' | 'template' | 'parameters'>;

/** Throws INVALID_INPUT with all problems. */
export function refuseProblems(what: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw failure('INVALID_INPUT', [`${what}:`, ...problems.map((problem) => `- ${problem}`)].join('\n'), {
    details: { problems },
  });
}
