/** Composition root of a project's worker thread: the loops of its jobs over real git, commands and files. */
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { openArtifacts } from './adapters/artifacts.ts';
import { systemClock } from './adapters/clock.ts';
import { listFiles } from './adapters/fileListing.ts';
import { nodeFiles } from './adapters/files.ts';
import { gatewayFetch } from './adapters/gateway/workerFetch.ts';
import { createGit } from './adapters/git/gitPort.ts';
import type { WorkerData } from './adapters/ipc/projectThread.ts';
import { callsOver } from './adapters/ipc/threadCalls.ts';
import { loadKey } from './adapters/log/key.ts';
import { lineSeal } from './adapters/log/seal.ts';
import { detectSetup } from './adapters/setupCommands.ts';
import { createCommandRunner } from './adapters/shell/commandRunner.ts';
import { openTranscript } from './adapters/transcripts.ts';
import { projectBody } from './compose/projectBody.ts';
import { openPlace } from './compose/sessionPlace.ts';
import { reduce } from './core/reduce.ts';
import { VERIFY_TIMEOUT_MS } from './engine/commands.ts';
import type { LoopPorts } from './engine/context.ts';
import { foldingStore } from './engine/foldingStore.ts';
import { projectJobs } from './projects/jobs.ts';
import type { OwnerCalls, WorkerCalls } from './projects/ports.ts';

const { start, calls, models } = workerData as WorkerData;
const clock = systemClock();
const store = foldingStore(start.state, reduce, {
  commit: (draft) => owner.commit(draft),
  nextIds: (table, count) => owner.nextIds(table, count),
});
const commands = createCommandRunner({
  clock,
  privateDir: join(start.jobsDir, '.homes'),
  confine: start.confine,
  denyRead: [start.jobsDir, start.stateDir, start.configDir, start.runtimeDir],
});
const seal = lineSeal(await loadKey(start.configDir, nodeFiles), 'transcript');

const ports: LoopPorts = {
  store,
  git: createGit({ clock, env: process.env }),
  commands,
  artifacts: openArtifacts(start.stateDir, nodeFiles),
  clock,
  projectDir: start.projectDir,
  verifyTimeoutMs: start.verifyTimeoutMs ?? VERIFY_TIMEOUT_MS,
  openTranscript: (sessionId) =>
    openTranscript({ stateDir: start.stateDir, sessionId, epoch: start.epoch, ops: nodeFiles, seal }),
  gatewayFetch: (sessionId) => gatewayFetch(models, sessionId),
  openPlace: (options) => openPlace({ ...options, clock, projectDir: start.projectDir }),
  detectSetup,
  listFiles,
  projectBody: (projectId) => projectBody(start.stateDir, projectId),
  live: (line) => void owner.live.asEvent(line),
};

const jobs = projectJobs(ports, (jobId, run, failure) => void owner.ended.asEvent(jobId, run, failure));
const owner = callsOver<OwnerCalls, WorkerCalls>(calls, {
  fold: (event) => {
    store.fold(event);
    jobs.heard(event);
  },
  work: (jobId, run) => jobs.work(jobId, run),
  stop: async () => {
    await jobs.stop();
    await commands.close();
  },
});
