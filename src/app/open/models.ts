/**
 * Chooses the provider of a session's calls: the Messages API with the owner's key, or the scenario of its job or
 * project.
 */
import { anthropicProvider } from '../../adapters/gateway/send/anthropic.ts';
import { simulatedProvider } from '../../adapters/simulated/provider.ts';
import { need } from '../../core/state/rows.ts';
import type { Provider, ProviderOf } from '../../engine/session/gatewayPorts.ts';
import type { Clock } from '../../shared/clock.ts';
import { failure } from '../../shared/errors.ts';
import type { JobOptions } from '../../shared/job/rows.ts';
import type { ProviderName } from '../../shared/model/models.ts';
import type { SessionRow } from '../../shared/session.ts';
import type { Waiter } from '../../shared/waiting.ts';
import type { State } from '../../shared/workspace/state.ts';
import { loadScenario } from '../assets/scenarios.ts';

export interface Credentials {
  /** From SecretStorage or the environment of the user, never from a file of the repository. */
  readonly key: () => string | null;
  readonly baseUrl: string | null;
  /** Sends through the proxy of the environment. Absent or null for the global `fetch`. */
  readonly proxy?: typeof fetch | null;
}

/** Providers that only some surfaces have, e.g. the editor's language models. */
export type InjectedProviders = Readonly<Partial<Record<ProviderName, Provider>>>;

const ANTHROPIC = 'https://api.anthropic.com';

/** Returns the implementation of a provider, or null for the simulated one, which has a model per scenario. */
export type Doors = (provider: ProviderName) => Provider | null;

/** If `clock` is null, `check` validates only the key and opens no connection. */
export function doorsOf(credentials: Credentials, clock: Clock | null, injected: InjectedProviders = {}): Doors {
  const anthropic = anthropicProvider({
    baseUrl: credentials.baseUrl ?? ANTHROPIC,
    key: async () => credentials.key() ?? undefined,
    proxy: credentials.proxy ?? null,
    ...(clock === null ? {} : { clock }),
  });
  return (provider) => {
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
  return (session) => {
    const chosen = chosenFor(state(), session);
    const door = doors(chosen.provider);
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

/** The provider whose back-off **Try now** ends: the one that answers the job, the project's conversation, or the task. */
export function providerTried(state: State, { of, id }: { readonly of: Waiter; readonly id: string }): ProviderName {
  const project_id = of === 'task' ? need(state, 'tasks', id).project_id : id;
  const asker = { project_id, job_id: of === 'job' ? id : null, task_id: of === 'task' ? id : null };
  return chosenFor(state, asker).provider;
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
