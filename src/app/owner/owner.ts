/**
 * Assembles the owner of a workspace: the store, the gateway, the steward's requests, the worker threads, and the
 * socket for clients.
 */
import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import { keptAttempts } from '../../adapters/files/keptWork.ts';
import { followManifests } from '../../adapters/files/manifestFiles.ts';
import { createGateway } from '../../adapters/gateway/door/gateway.ts';
import { createGit } from '../../adapters/git/gitPort.ts';
import { SCRATCH_PREFIX } from '../../adapters/git/user/scratchRepository.ts';
import { listen } from '../../adapters/ipc/server.ts';
import { makeRuntimeDir } from '../../adapters/paths.ts';
import { removeLeft } from '../../adapters/shell/sandbox/leftFolders.ts';
import { secretValues } from '../../core/guard/knownSecrets.ts';
import { dataWithoutSecrets, type WithoutSecrets, withoutSecrets } from '../../core/guard/secrets.ts';
import { DEFAULT_OPTIONS } from '../../core/job/defaults.ts';
import { PRICES } from '../../core/money/prices.ts';
import { plainDefinition } from '../../core/project/reduceProjects.ts';
import { filingCheck } from '../../engine/job/filing.ts';
import type { RequestPorts } from '../../engine/job/requests/ports.ts';
import { CLONES_BYTES, keepClonesUnder } from '../../engine/job/tree/clones.ts';
import { recoverInterruptedMerges } from '../../engine/job/tree/recoverInterruptedMerges.ts';
import { checkProjectName } from '../../engine/project/names.ts';
import { projectRequests } from '../../engine/project/requests.ts';
import type { KeptAnswers } from '../../engine/session/gatewayPorts.ts';
import {
  AT_WORK,
  COMMITTED,
  type Engine,
  type EngineListener,
  REQUESTS,
  type RequestName,
} from '../../engine/state/api.ts';
import { Problems } from '../../engine/state/problems.ts';
import type { Store } from '../../engine/state/store.ts';
import { handleRequest, requestTable } from '../../engine/workspace/requests.ts';
import { asFailure, failure, type PlainFailure } from '../../shared/errors.ts';
import type { LiveLine } from '../../shared/live.ts';
import { type AtWork, NOTHING_AT_WORK } from '../../shared/workspace/atWork.ts';
import { loadScenario } from '../assets/scenarios.ts';
import { agentEntries } from '../open/agents.ts';
import { guardClaims } from '../open/claims.ts';
import { doorsOf, providersFor, providerTried } from '../open/models.ts';
import { filesOfEpoch } from '../open/stateFiles.ts';
import { ownState } from '../open/store.ts';
import { jobFolders } from './clones.ts';
import { ownAnswers } from './ownAnswers.ts';
import { ownDefinitions } from './ownDefinitions.ts';
import type { OwnerOptions } from './ownerOptions.ts';
import { openTasks } from './tasks.ts';
import { openThreads } from './threads.ts';

export interface Owner extends Engine {
  readonly owner: true;
  atWork(): AtWork;
  /** Problems so far, one sentence each. */
  readonly problems: readonly string[];
}

/**
 * Throws OWNER_BUSY if another process owns the workspace and answers, or may still be at work on it; NOT_PERMITTED if
 * that process cannot be ended.
 */
export async function becomeOwner(options: OwnerOptions): Promise<Owner> {
  const { places, clock } = options;
  makeRuntimeDir(places.runtimeDir);
  const requests: { handle: ((name: RequestName, input: unknown) => Promise<unknown>) | null } = { handle: null };
  let atWork: Owner['atWork'] = () => NOTHING_AT_WORK;
  // The socket comes first, because the owner is the process that answers there. Requests wait until the state is read.
  const ready = Promise.withResolvers<void>();
  let store: Store;
  const asked = Object.fromEntries(
    (Object.keys(REQUESTS) as RequestName[]).map((name) => [
      name,
      async (input: unknown) => {
        await ready.promise;
        return requests.handle?.(name, input);
      },
    ]),
  );
  const functions = {
    ...asked,
    [COMMITTED]: async () => {
      await ready.promise;
      return store.state.meta.last_seq;
    },
    [AT_WORK]: async () => atWork(),
  };
  const guard = await guardClaims({ places, clock, takeOver: options.takeOver === true });
  const listening = await listen({
    runtimeDir: places.runtimeDir,
    stateDir: places.stateDir,
    functions,
    clock,
    replaceSilent: options.takeOver === true,
    former: guard.free,
  });
  const listeners = new Set<EngineListener>();
  const clean = cleanerOf(options);
  const problems = new Problems((text) => {
    for (const listener of listeners) listener.problem?.(text);
    listening.publish('problem', text);
  }, clean);
  const git = createGit({ clock, env: options.env });
  try {
    store = await ownState({
      ...options,
      clean,
      claimant: guard.claimant(listening.mark),
      isShipped: () => git.isCommitted(places.projectDir, basename(places.stateDir)),
      problem: (problem) => problems.add(problem),
    });
  } catch (thrown) {
    await listening.close();
    throw thrown;
  }
  if (store.epoch === 0) {
    await listening.close();
    await store.close();
    if (store.origin === 'newer') {
      throw failure('STATE_NEWER', 'the state in .autonomous was written by a newer version of Autonomous', {
        hint: 'It can be looked at with `autonomous board`. To continue it, update Autonomous.',
      });
    }
    throw failure('STATE_FOREIGN', 'the state in .autonomous was not written by this installation', {
      hint: 'It can be looked at with `autonomous board`. To work here, move the folder .autonomous away.',
    });
  }
  for (const problem of store.problems) problems.add(problem);
  try {
    const answers = await ownAnswers(places, store, (text) => problems.add(text));
    await recoverInterruptedMerges({
      git,
      state: store.state,
      projectDir: places.projectDir,
      problem: (text) => problems.add(text),
    });
    void removeLeft(tmpdir(), SCRATCH_PREFIX, clock).catch((thrown: unknown) =>
      problems.add(asFailure(thrown).message),
    );
    const owner = assemble(options, { store, answers, listening, listeners, problems, clean }, (handle) => {
      requests.handle = handle;
      ready.resolve();
    });
    atWork = owner.atWork;
    return owner;
  } catch (thrown) {
    // A process that cannot work, because of an invalid setting for instance, must not stay the owner.
    await store.close();
    await listening.close();
    throw thrown;
  }
}

interface Parts {
  readonly store: Store;
  readonly answers: KeptAnswers;
  readonly listening: Awaited<ReturnType<typeof listen>>;
  readonly listeners: Set<EngineListener>;
  readonly problems: Problems;
  readonly clean: WithoutSecrets;
}

/** Removes the secrets that this process knows, including the current key. */
function cleanerOf({ credentials, env }: OwnerOptions): WithoutSecrets {
  const ofUser = secretValues(env);
  return withoutSecrets(() => [...ofUser, credentials.key() ?? '']);
}

function assemble(
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
  const door = options.work ? doorsOf(options.credentials, clock, options.providers) : null;
  const ready = filingCheck({ git, door, prices: PRICES }, problem);
  const jobPorts: RequestPorts = {
    ready,
    store,
    git,
    clock,
    projectDir: places.projectDir,
    jobsDir: places.jobsDir,
    defaults: DEFAULT_OPTIONS,
    agents: () => agentEntries(places.configDir),
    resolveScenario: async (name) => {
      await loadScenario(name);
      return name;
    },
    work: (jobId) => threads.threadPool?.work(jobId),
  };
  const jobs = requestTable(jobPorts);
  const definitions = ownDefinitions({ store, clock, places, git, problem });
  const tasks = openTasks(options, { store, threads, briefs: jobPorts, problem });
  const clones = keepClonesUnder(options.clonesBytes ?? CLONES_BYTES, {
    store,
    folders: jobFolders,
    kept: keptAttempts(places.stateDir, filesOfEpoch(places.stateDir, store.epoch)),
    projectDir: places.projectDir,
    jobsDir: places.jobsDir,
    clock,
    git,
    problem,
    inHand: (jobId) => threads.threadPool?.hasInHand(jobId) === true,
  });
  const table = definitions.around({
    ...jobs,
    ...projectRequests({
      ...definitions.requestPorts,
      store,
      defaults: plainDefinition(),
      agents: jobPorts.agents,
      ready,
      conversationModel: DEFAULT_OPTIONS.models.worker,
      checkName: checkProjectName,
    }),
    ...tasks.requests,
    cleanClones: async ({ maxBytes }) => clones.clean(maxBytes),
    importRecord: async ({ path }) => (await import('../workspace/record.ts')).importFrom(places, store, path),
  });
  const unsubscribe = store.subscribe((event) => {
    if (event.type === 'tried_now') gateway.tryNow(providerTried(store.state, event));
    for (const listener of listeners) listener.event?.(event);
    listening.publish('event', event);
  });
  threads.begin(table);
  tasks.begin(table);
  open((name, input) => handleRequest(table, name, input));
  return {
    owner: true,
    atWork: () => ({ works: options.work, jobs: threads.threadPool?.jobs ?? [], turns: threads.turns }),
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
