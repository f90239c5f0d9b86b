/**
 * Chooses the provider of a session's calls: the Messages API with the owner's key, or the scenario of its job or
 * project.
 */
import { anthropicProvider } from '../../../adapters/gateway/wire/messagesWire.ts';
import { simulatedProvider } from '../../../adapters/simulated/provider.ts';
import { keptChecks } from '../../../adapters/userData/modelChecks.ts';
import { isOwnConnection, splitModel } from '../../../core/model/modelName.ts';
import { connectionsUsed } from '../../../core/money/price/connectionsUsed.ts';
import { termsOf } from '../../../core/money/price/terms.ts';
import { need } from '../../../core/state/rows.ts';
import type { TermsPorts } from '../../../engine/job/requests/terms.ts';
import type { KeptChecks, Provider, ProviderOf, TermsNow } from '../../../engine/session/gatewayPorts.ts';
import type { Clock } from '../../../shared/clock.ts';
import { failure } from '../../../shared/errors.ts';
import type { JobOptions } from '../../../shared/job/rows.ts';
import type { Auth } from '../../../shared/model/connections.ts';
import { type ConnectionName, PROVIDERS, type ProviderName } from '../../../shared/model/models.ts';
import type { SessionRow } from '../../../shared/session.ts';
import type { Waiter } from '../../../shared/waiting.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { loadScenario } from '../../assets/scenarios.ts';
import { type ConnectionBook, notConnected } from './connections.ts';

export interface Credentials {
  /** From SecretStorage or the environment of the user, never from a file of the repository. */
  readonly key: () => string | null;
  readonly baseUrl: string | null;
  /** Sends through the proxy of the environment. Absent or null for the global `fetch`. */
  readonly proxy?: typeof fetch | null;
  /** How Anthropic's key is sent. Defaults to `x-api-key`. */
  readonly auth?: Auth;
  /** Headers of every request to Anthropic's API. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The user's connections to other model servers. Absent if there are none. */
  readonly connections?: ConnectionBook;
}

/** Providers that only some surfaces have, e.g. the editor's language models. */
export type InjectedProviders = Readonly<Partial<Record<ProviderName, Provider>>>;

const ANTHROPIC = 'https://api.anthropic.com';

/** Returns what answers for a connection, or null for the simulated provider, which has a model per scenario. */
export type Doors = (connection: ConnectionName) => Provider | null;

/** If `clock` is null, `check` validates only the key and opens no connection. */
export function doorsOf(credentials: Credentials, clock: Clock | null, injected: InjectedProviders = {}): Doors {
  const anthropic = anthropicProvider({
    baseUrl: credentials.baseUrl ?? ANTHROPIC,
    key: async () => credentials.key() ?? undefined,
    proxy: credentials.proxy ?? null,
    ...(credentials.auth === undefined ? {} : { auth: credentials.auth }),
    ...(credentials.headers === undefined ? {} : { headers: credentials.headers }),
    ...(clock === null ? {} : { clock }),
  });
  const { connections } = credentials;
  return (name) => {
    const provider = PROVIDERS.find((one) => one === name);
    if (provider === undefined) {
      if (connections === undefined) return notConnected(name);
      return clock === null ? connections.withoutNetwork(name) : connections.provider(name);
    }
    const other = injected[provider];
    if (other !== undefined) return other;
    if (provider === 'vscode-lm') return ELSEWHERE;
    return provider === 'simulated' ? null : anthropic;
  };
}

export function providersFor(
  state: () => State,
  credentials: Credentials,
  clock: Clock,
  delayMs: number | null,
  injected: InjectedProviders = {},
): ProviderOf {
  const doors = doorsOf(credentials, clock, injected);
  const simulated = new Map<string, Provider>();
  return (session, model) => {
    const chosen = chosenFor(state(), session);
    const door = doors(splitModel(model, chosen.provider).connection);
    if (door !== null) return door;
    const name = chosen.scenario ?? 'generic';
    const known = simulated.get(name);
    if (known !== undefined) return known;
    const provider = lazyScenario(name, clock, delayMs);
    simulated.set(name, provider);
    return provider;
  };
}

type Asker = Pick<SessionRow, 'job_id' | 'project_id' | 'task_id'>;

/** The connections whose back-off **Try now** ends: those that answer the job, the project's conversation, or the task. */
export function connectionsTried(
  state: State,
  { of, id }: { readonly of: Waiter; readonly id: string },
): readonly ConnectionName[] {
  const project_id = of === 'task' ? need(state, 'tasks', id).project_id : id;
  return connectionsUsed(state, { project_id, job_id: of === 'job' ? id : null, task_id: of === 'task' ? id : null });
}

/** The brief chooses for its job. A task can choose for its steps. The project's definition chooses for everything else. */
function chosenFor(state: State, { job_id, project_id, task_id }: Asker): Pick<JobOptions, 'provider' | 'scenario'> {
  const task = task_id === null ? undefined : state.tasks.get(task_id);
  if (task !== undefined && task.provider !== null) return { provider: task.provider, scenario: task.scenario };
  const chosen = job_id === null ? state.projects.get(project_id) : state.jobs.get(job_id)?.options;
  if (chosen === undefined) throw new Error(`no provider is set for project ${project_id}, job ${job_id}`);
  return { provider: chosen.provider, scenario: task?.scenario ?? chosen.scenario };
}

const notHere = () =>
  failure('KEY_MISSING', 'the language models of VS Code can be reached only from a window of VS Code', {
    hint: 'Open the folder in VS Code and start there, or choose another provider: --provider anthropic.',
    details: { sent: false },
  });

/** For an owner outside the editor. No other model replaces it. */
const ELSEWHERE: Provider = {
  name: 'vscode-lm',
  check: async () => [notHere()],
  send: async () => {
    throw notHere();
  },
};

/** Reads the scenario at the first call. */
function lazyScenario(name: string, clock: Clock, delayMs: number | null): Provider {
  let loaded: Promise<Provider> | null = null;
  const load = async (): Promise<Provider> => {
    const scenario = await loadScenario(name);
    return simulatedProvider({ scenario, clock, ...(delayMs === null ? {} : { delayMs }) });
  };
  return {
    name: 'simulated',
    countsTokens: true,
    send: async (request, signal) => {
      loaded ??= load();
      return (await loaded).send(request, signal);
    },
  };
}

/** What the gateway needs of the user's connections: present terms for sessions without a job, and which models passed their check. */
export function ofConnections(
  { connections }: Credentials,
  configDir: string,
  clock: Pick<Clock, 'now'>,
): { readonly termsNow?: TermsNow; readonly checks?: KeptChecks } {
  if (connections === undefined) return {};
  const termsNow: TermsNow = async (name) => {
    const { connection: of, model } = splitModel(name, 'anthropic');
    const connection = isOwnConnection(of) ? connections.known().connections[of] : undefined;
    if (connection === undefined) return undefined;
    const { CATALOGUE } = await import('../../../core/money/price/catalogue.ts');
    return { [name]: termsOf(connection, model, CATALOGUE) };
  };
  return { termsNow, checks: keptChecks(configDir, clock) };
}

const CONTEXT_MS = 5_000;

/** Reads what a server on this machine has loaded; if it does not state it, what the last check of the model found. */
export function loadedContexts(
  { connections }: Credentials,
  configDir: string,
  clock: Clock,
): TermsPorts['loadedContext'] {
  const kept = keptChecks(configDir, clock);
  return async (name) => {
    const { connection, model } = splitModel(name, 'anthropic');
    const checks = connections?.withoutNetwork(connection).checks;
    if (checks?.isLocal !== true) return null;
    const limit = new AbortController();
    const cancel = clock.timer(CONTEXT_MS, () => limit.abort());
    try {
      const { tokens } = await checks.context(model, limit.signal);
      return tokens ?? (await kept.find(checks.key(model)))?.context ?? null;
    } finally {
      cancel();
    }
  };
}
