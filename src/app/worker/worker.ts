/**
 * Builds the work that a project's thread loads at first use: the loops of its jobs, its conversation and steps of its
 * tasks, over real git, commands and files.
 */
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { systemClock } from '../../adapters/clock.ts';
import { nodeFiles } from '../../adapters/files/files.ts';
import { httpGetter } from '../../adapters/httpGet/httpGet.ts';
import { loadKey } from '../../adapters/log/key.ts';
import { lineSeal } from '../../adapters/log/seal.ts';
import { leaveOut } from '../../adapters/platform/searchPath.ts';
import { createCommandRunner } from '../../adapters/shell/commandRunner.ts';
import { forgetPast } from '../../core/project/projectState.ts';
import type { OwnerCalls, WorkerCalls, WorkerStart } from '../../engine/project/threadPorts.ts';
import { jobsRootOf } from '../../engine/state/workspacePaths.ts';
import { projectSteps } from '../../engine/task/step/steps.ts';
import { homesDirOf, tasksDirOf } from '../../engine/task/step/taskFolders.ts';
import { foldingStore } from '../../engine/workspace/threads/foldingStore.ts';
import { projectJobs } from '../../engine/workspace/threads/jobs.ts';
import type { State } from '../../shared/workspace/state.ts';
import { openAgents, signIns } from '../open/agents.ts';
import { openProjectConversation } from './conversation.ts';
import { loopPorts } from './loopPorts.ts';

export interface WorkerParts {
  readonly start: WorkerStart;
  readonly state: State;
  readonly owner: OwnerCalls;
  /** Port to the owner's gateway. */
  readonly models: MessagePort;
}

export type WorkerBody = Pick<WorkerCalls, 'fold' | 'work' | 'converse' | 'step' | 'abortStep' | 'stop'>;

export async function openBody(parts: WorkerParts): Promise<WorkerBody> {
  const { start, owner, models } = parts;
  const clock = systemClock();
  leaveOut([start.workspaceDir, start.projectDir, start.jobsDir, ...start.hidden]);
  const store = foldingStore(parts.state, owner);
  const commands = createCommandRunner({
    clock,
    privateDir: join(homesDirOf(start.jobsDir), start.projectId),
    confine: start.confine,
    denyRead: [
      ...[start.workspaceDir, start.projectDir, start.stateDir, jobsRootOf(start.jobsDir)],
      ...[start.configDir, start.runtimeDir, ...start.hidden],
      ...(await signIns(start.configDir)),
    ],
  });
  const seal = lineSeal(await loadKey(start.configDir, nodeFiles), 'transcript');
  const agents = openAgents({
    clock,
    version: start.version,
    configDir: start.configDir,
    commands,
    foreign: [start.workspaceDir, start.projectDir, ...start.hidden],
  });
  const ports = loopPorts({ start, owner, models, store, commands, agents, seal, clock });
  const forget = (): void => forgetPast(store.state, (jobId) => jobs.isInHand(jobId));
  const jobs = projectJobs(ports, (jobId, run, failed) => {
    forget();
    owner.ended(jobId, run, failed);
  });
  const conversation = openProjectConversation({
    ...ports,
    start,
    seal,
    owner,
    conversed: (run, failed) => {
      forget();
      owner.conversed(run, failed);
    },
    problem: (text) => owner.problem(text),
  });
  const steps = projectSteps({
    ...ports,
    httpGet: httpGetter({ clock }),
    repository: start.projectDir,
    tasksDir: tasksDirOf(start.jobsDir),
    isThere: async (folder) => (await nodeFiles.stat(folder))?.kind === 'folder',
  });
  return {
    fold: (event, changes) => {
      store.fold(changes);
      jobs.heard(event);
      conversation.heard(event);
    },
    work: (jobId, run) => {
      jobs.work(jobId, run);
      // Probed while the model plans, not when the first command needs it. The command that needs it receives the
      // failure.
      commands.sandbox().catch(() => undefined);
    },
    converse: (run) => conversation.converse(run),
    step: (run, order) => steps.step(run, order),
    abortStep: (run) => steps.abort(run),
    stop: async () => {
      await Promise.all([jobs.stop(), conversation.stop(), steps.stop()]);
      await agents.close();
      await commands.close();
    },
  };
}
