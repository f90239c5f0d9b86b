/** Puts the parts of an owner together, once the state is read. */
import { followManifests } from '../../adapters/files/manifestFiles.ts';
import { createGateway } from '../../adapters/gateway/door/gateway.ts';
import { createGit } from '../../adapters/git/gitPort.ts';
import type { listen } from '../../adapters/ipc/server.ts';
import { dataWithoutSecrets, type WithoutSecrets } from '../../core/guard/secrets.ts';
import type { KeptAnswers } from '../../engine/session/gatewayPorts.ts';
import type { Engine, EngineListener, RequestName } from '../../engine/state/api.ts';
import type { Problems } from '../../engine/state/problems.ts';
import type { Store } from '../../engine/state/store.ts';
import { handleRequest, requestTable } from '../../engine/workspace/requests.ts';
import { asFailure, type PlainFailure } from '../../shared/errors.ts';
import type { LiveLine } from '../../shared/live.ts';
import type { AtWork } from '../../shared/workspace/atWork.ts';
import { connectionsTried, ofConnections, providersFor } from '../open/model/models.ts';
import { ownClones } from './clones.ts';
import { jobPorts } from './jobPorts.ts';
import { ownDefinitions, ownProjectRequests } from './ownDefinitions.ts';
import type { OwnerOptions } from './ownerOptions.ts';
import { openTasks } from './tasks.ts';
import { openThreads } from './threads.ts';

export interface Owner extends Engine {
  readonly owner: true;
  atWork(): AtWork;
  /** Problems so far, one sentence each. */
  readonly problems: readonly string[];
}

interface Parts {
  readonly store: Store;
  readonly answers: KeptAnswers;
  readonly listening: Awaited<ReturnType<typeof listen>>;
  readonly listeners: Set<EngineListener>;
  readonly problems: Problems;
  readonly clean: WithoutSecrets;
}

export function assemble(
  options: OwnerOptions,
  { store, answers, listening, listeners, problems, clean }: Parts,
  open: (handle: (name: RequestName, input: unknown) => Promise<unknown>) => void,
): Owner {
  const { places, clock } = options;
  const notify = (said: LiveLine): void => {
    const line = { ...said, text: clean(said.text) };
    for (const listener of listeners) listener.live?.(line);
    listening.publish('live', line);
  };
  const gateway = createGateway({
    ledger: store,
    answers,
    clock,
    providerOf: providersFor(() => store.state, options.credentials, clock, options.delayMs, options.providers),
    ...ofConnections(options.credentials, places.configDir, clock),
    problem: (text) => problems.add(text),
    ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
  });
  const jobEnded = (jobId: string, why: PlainFailure | null): void => {
    clones.look();
    if (why === null) return;
    const failed = dataWithoutSecrets(why, clean, new Set(['code']));
    for (const listener of listeners) listener.failed?.(jobId, failed);
    listening.publish('failed', { jobId, failed });
    if (failed.code === 'OWNER_LOST') for (const listener of listeners) listener.lost?.(failed.message);
  };
  const manifests = followManifests({
    store,
    jobsDir: places.jobsDir,
    clock,
    failed: (thrown) => problems.add(asFailure(thrown).message),
  });
  const problem = (text: string): void => problems.add(text);
  const threads = openThreads(options, { store, gateway, live: notify, ended: jobEnded, problem });
  const git = createGit({ clock, env: options.env });
  const briefs = jobPorts(options, { store, git, problem, work: (jobId) => threads.threadPool?.work(jobId) });
  const jobs = requestTable(briefs);
  const definitions = ownDefinitions({ store, clock, places, git, problem });
  const tasks = openTasks(options, { store, threads, briefs, problem });
  const clones = ownClones(options, {
    store,
    git,
    problem,
    inHand: (jobId) => threads.threadPool?.hasInHand(jobId) === true,
  });
  const table = definitions.around({
    ...jobs,
    ...ownProjectRequests({
      store,
      definitions,
      agents: briefs.agents,
      connections: briefs.connections,
      ready: briefs.ready,
    }),
    ...tasks.requests,
    cleanClones: async ({ maxBytes }) => clones.clean(maxBytes),
    importRecord: async ({ path }) => (await import('../workspace/record.ts')).importFrom(places, store, path),
  });
  const unsubscribe = store.subscribe((event) => {
    if (event.type === 'tried_now') for (const name of connectionsTried(store.state, event)) gateway.tryNow(name);
    for (const listener of listeners) listener.event?.(event);
    listening.publish('event', event);
  });
  threads.begin(table);
  tasks.begin(table);
  open((name, input) => handleRequest(table, name, input));
  return {
    owner: true,
    atWork: () => {
      const { threadPool, turns, awake } = threads;
      return { works: options.work, jobs: threadPool?.jobs ?? [], turns, ...(awake === undefined ? {} : { awake }) };
    },
    state: store.state,
    get problems() {
      return problems.texts;
    },
    request: (name, input) => handleRequest(table, name, input),
    follow: (listener) => {
      listeners.add(listener);
      problems.sayTo(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {
      await definitions.close();
      await tasks.close();
      await threads.close();
      await gateway.close();
      await manifests.close();
      await clones.close();
      unsubscribe();
      // While the state is claimed, this process answers for it.
      try {
        await store.close();
      } finally {
        await listening.close();
      }
    },
  };
}
