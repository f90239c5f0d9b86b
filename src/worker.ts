/** Composition root of a project's worker thread. It is light: agents, git and the engine are loaded with the first work. */
import { workerData } from 'node:worker_threads';
import type { WorkerData } from './adapters/ipc/projectThread.ts';
import { callsOver } from './adapters/ipc/threadCalls.ts';
import type { WorkerBody } from './app/worker/worker.ts';
import type { OwnerCalls, WorkerCalls } from './engine/project/threadPorts.ts';
import type { State } from './shared/workspace/state.ts';

const { start, calls, models } = workerData as WorkerData;

let loading: Promise<WorkerBody> | null = null;
let body: WorkerBody | null = null;

/** A failure here ends the thread: its owner logs it and restarts the thread. */
async function load(state: State): Promise<WorkerBody> {
  const { openBody } = await import('./app/worker/worker.ts');
  const { reportHeldFiles } = await import('./adapters/platform/heldFiles.ts');
  reportHeldFiles((text) => void owner.problem.asEvent(text));
  body = await openBody({
    start,
    state,
    models,
    owner: {
      commit: (draft) => owner.commit(draft),
      nextIds: (table, count) => owner.nextIds(table, count),
      routingRecord: (provider) => owner.routingRecord(provider),
      submitBrief: (sessionId, asked) => owner.submitBrief(sessionId, asked),
      taskTool: (sessionId, input) => owner.taskTool(sessionId, input),
      jobTool: (job, action, reason) => owner.jobTool(job, action, reason),
      recall: (query) => owner.recall(query),
      mainTool: (name, input) => owner.mainTool(name, input),
      briefing: (heldUpTo) => owner.briefing(heldUpTo),
      delivery: (messageId) => owner.delivery(messageId),
      live: (line) => void owner.live.asEvent(line),
      problem: (text) => void owner.problem.asEvent(text),
      ended: (jobId, run, failure) => void owner.ended.asEvent(jobId, run, failure),
      conversed: (run, failure) => void owner.conversed.asEvent(run, failure),
    },
  });
  return body;
}

/** Keeps the order of the calls from the load on. */
function inOrder(act: (loaded: WorkerBody) => void): void {
  if (body !== null) act(body);
  else void loading?.then(act);
}

const owner = callsOver<OwnerCalls, WorkerCalls>(calls, {
  load: (state) => {
    loading ??= load(state);
  },
  fold: (event, changes) => inOrder((loaded) => loaded.fold(event, changes)),
  work: (jobId, run) => inOrder((loaded) => loaded.work(jobId, run)),
  converse: (run) => inOrder((loaded) => loaded.converse(run)),
  step: async (run, order) => (await loading)?.step(run, order) ?? { outcome: 'aborted' },
  abortStep: (run) => inOrder((loaded) => loaded.abortStep(run)),
  ping: async () => true,
  stop: async () => (await loading)?.stop(),
});
