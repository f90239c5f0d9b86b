/**
 * Builds the work that a project's thread loads at first use: the loops of its jobs, its conversation and steps of its
 * tasks, over real git, commands and files.
 */
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { systemClock } from '../../adapters/clock.ts';
import { openArtifacts } from '../../adapters/files/artifacts.ts';
import { nodeFiles } from '../../adapters/files/files.ts';
import { keptAttempts } from '../../adapters/files/keptWork.ts';
import { detectSetup, setupGap } from '../../adapters/files/setupCommands.ts';
import { openTranscript } from '../../adapters/files/transcripts.ts';
import { gatewayFetch } from '../../adapters/gateway/door/gatewayClient.ts';
import { createGit } from '../../adapters/git/gitPort.ts';
import { httpGetter } from '../../adapters/httpGet/httpGet.ts';
import { loadKey } from '../../adapters/log/key.ts';
import { lineSeal } from '../../adapters/log/seal.ts';
import { createCommandRunner } from '../../adapters/shell/commandRunner.ts';
import { freshPlaces } from '../../adapters/shell/freshPlaces.ts';
import { findRipgrep } from '../../adapters/shell/process/executables.ts';
import { leaveOut } from '../../adapters/shell/process/searchPath.ts';
import { openTree } from '../../adapters/tree/treeFiles.ts';
import { forgetPast } from '../../core/project/projectState.ts';
import { tooLargeText } from '../../core/repository/tooLarge.ts';
import type { LoopPorts } from '../../engine/job/context.ts';
import { VERIFY_TIMEOUT_MS } from '../../engine/job/work/commands.ts';
import type { OwnerCalls, WorkerCalls, WorkerStart } from '../../engine/project/threadPorts.ts';
import { jobsRootOf } from '../../engine/state/workspacePaths.ts';
import { projectSteps } from '../../engine/task/step/steps.ts';
import { homesDirOf, tasksDirOf } from '../../engine/task/step/taskFolders.ts';
import { foldingStore } from '../../engine/workspace/threads/foldingStore.ts';
import { projectJobs } from '../../engine/workspace/threads/jobs.ts';
import type { State } from '../../shared/workspace/state.ts';
import { openAgents, signIns } from '../open/agents.ts';
import { filesOfEpoch } from '../open/stateFiles.ts';
import { openProjectConversation } from './conversation.ts';
import { projectTexts } from './projectText.ts';
import { openPlace } from './sessionDirectory.ts';

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
  leaveOut([start.workspaceDir, start.projectDir, start.jobsDir]);
  const store = foldingStore(parts.state, owner);
  const commands = createCommandRunner({
    clock,
    privateDir: join(homesDirOf(start.jobsDir), start.projectId),
    confine: start.confine,
    denyRead: [
      ...[start.workspaceDir, start.projectDir, start.stateDir, jobsRootOf(start.jobsDir)],
      ...[start.configDir, start.runtimeDir],
      ...(await signIns(start.configDir)),
    ],
  });
  const seal = lineSeal(await loadKey(start.configDir, nodeFiles), 'transcript');
  const agents = openAgents({
    clock,
    version: start.version,
    configDir: start.configDir,
    commands,
    foreign: [start.workspaceDir, start.projectDir],
  });
  const ripgrep = findRipgrep(process.env);
  const ports: LoopPorts = {
    store,
    git: createGit({
      clock,
      env: process.env,
      onSnapshotTooLarge: ({ branch }, files) => owner.problem(`${branch}: ${tooLargeText(files) ?? ''}`),
      onStateLeftOut: ({ branch }, [path = '', ...more]) =>
        owner.problem(
          `${branch}: ${JSON.stringify(path)}${more.length > 0 ? ` and ${more.length} more` : ''} left out of the commit: no job changes state of Autonomous`,
        ),
    }),
    commands,
    agents,
    artifacts: openArtifacts(start.stateDir, nodeFiles),
    kept: keptAttempts(start.stateDir, filesOfEpoch(start.stateDir, start.epoch)),
    freshPlaces,
    clock,
    projectDir: start.workspaceDir,
    verifyTimeoutMs: start.verifyTimeoutMs ?? VERIFY_TIMEOUT_MS,
    openTranscript: (sessionId) =>
      openTranscript({ stateDir: start.stateDir, sessionId, epoch: start.epoch, ops: nodeFiles, seal }),
    gatewayFetch: (sessionId) => gatewayFetch(models, sessionId),
    openTree: (tree) => openTree(tree, ripgrep),
    openPlace: (options) => openPlace({ ...options, clock }),
    detectSetup,
    setupGap,
    projectBody: projectTexts(start, store.state, (text) => owner.problem(text)),
    live: (line) => owner.live(line),
  };
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
