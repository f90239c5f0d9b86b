/** Assembles tasks in the owner: their requests, and the loop that runs them. */
import { openArtifacts } from '../../adapters/files/artifacts.ts';
import { DEFAULT_OPTIONS } from '../../core/job/defaults.ts';
import { plainDefinition } from '../../core/project/reduceProjects.ts';
import { problemSentences } from '../../core/task/script/check.ts';
import { filesBriefs, newJobId } from '../../engine/job/requests/jobs.ts';
import type { EngineRequests, RequestPorts } from '../../engine/job/requests/ports.ts';
import type { Store } from '../../engine/state/store.ts';
import type { TaskRequestPorts } from '../../engine/task/ask/requestPorts.ts';
import { taskRequests } from '../../engine/task/ask/requests.ts';
import { type KeptResults, keepResults } from '../../engine/task/lead/keptResults.ts';
import { neededBy } from '../../engine/task/ready.ts';
import { Runner } from '../../engine/task/runner.ts';
import { keepTemplate, madeDefinition } from '../../engine/task/text/templates.ts';
import { filesOfEpoch } from '../open/stateFiles.ts';
import { taskTemplateFolders, taskTemplateKeep } from '../open/taskTemplates.ts';
import type { OwnerOptions } from './ownerOptions.ts';
import type { Threads } from './threads.ts';

const MODELS = { task: DEFAULT_OPTIONS.models.worker, summarizer: DEFAULT_OPTIONS.models.summarizer };

export interface TaskParts {
  readonly store: Store;
  readonly threads: Pick<Threads, 'step'>;
  /** Ports for filing briefs. */
  readonly briefs: RequestPorts;
  problem(text: string): void;
}

export interface Tasks {
  readonly requests: ReturnType<typeof taskRequests>;
  /** Continues all unfinished tasks, unless this process runs no work. */
  begin(jobs: Pick<EngineRequests, 'cancelJob'>): void;
  close(): Promise<void>;
}

export function openTasks(options: OwnerOptions, { store, threads, briefs, problem }: TaskParts): Tasks {
  const { clock, places } = options;
  const file = filesBriefs(briefs);
  const ready: TaskRequestPorts['ready'] = async (what, task, project) => {
    const defaults = {
      definition: plainDefinition(),
      options: briefs.defaults,
      taskModel: MODELS.task,
      projectDir: places.projectDir,
      agents: await briefs.agents(),
    };
    const needed = neededBy(task, project, defaults);
    if (needed !== null) await briefs.ready({ what, ...needed });
  };
  let runner: Runner | null = null;
  let results: KeptResults | null = null;

  return {
    requests: taskRequests({
      store,
      clock,
      ready,
      made: (input) => madeDefinition(taskTemplateFolders(places, problem), input, clock.now()),
      keepTemplate: (definition, kept) => {
        const files = taskTemplateKeep(places, filesOfEpoch(places.stateDir, store.epoch));
        return keepTemplate(taskTemplateFolders(places), files, definition, kept);
      },
      problemsOf: (steps) => problemSentences(steps, { nowMs: clock.now(), actions: null }),
    }),
    begin: (jobs) => {
      if (!options.work) return;
      const files = openArtifacts(places.stateDir, filesOfEpoch(places.stateDir, store.epoch));
      results = keepResults(store, files, problem);
      runner = new Runner({
        store,
        clock,
        problem,
        worker: { carryOut: (order, signal) => threads.step(order, signal) },
        actions: options.stepActions ?? null,
        results,
        briefs: {
          newId: () => newJobId(clock, store.state),
          file: (jobId, input) => file(jobId, input, { asks: true }),
          goOn: (jobId) => briefs.work(jobId),
          cancel: async (jobId, reason) => void (await jobs.cancelJob({ jobId, reason, by: 'steward' })),
        },
        models: MODELS,
      });
    },
    close: async () => {
      await runner?.close();
      await results?.close();
    },
  };
}
