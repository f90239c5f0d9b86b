/** Which connections answer a job, a task or a project's conversation. */
import type { ConnectionName } from '../../../shared/model/models.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { splitModel } from '../../model/modelName.ts';
import { modelsOfJob } from './jobModels.ts';

interface Asker {
  readonly job_id: string | null;
  readonly task_id: string | null;
  readonly project_id: string;
}

/** The brief chooses for its job. A task can choose for its steps. The project's definition chooses for everything else. */
export function connectionsUsed(state: State, { job_id, task_id, project_id }: Asker): readonly ConnectionName[] {
  const options = job_id === null ? undefined : state.jobs.get(job_id)?.options;
  if (options !== undefined) {
    return [...new Set(modelsOfJob(options).map((name) => splitModel(name, options.provider).connection))];
  }
  const task = task_id === null ? undefined : state.tasks.get(task_id);
  const project = state.projects.get(project_id);
  const provider = task?.provider ?? project?.provider;
  return provider === undefined ? [] : [splitModel(task?.model ?? project?.model ?? '', provider).connection];
}
