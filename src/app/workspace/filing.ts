/** Checks the requirements of filing without an owner: before a first brief, and for `doctor`. */
import { existsSync } from 'node:fs';
import { createGit } from '../../adapters/git/gitPort.ts';
import { bad, good } from '../../adapters/shell/diagnostic.ts';
import { DEFAULT_OPTIONS } from '../../core/job/defaults.ts';
import { PRICES } from '../../core/money/price/prices.ts';
import type { FilingCheckName, FilingProblem } from '../../core/workspace/notReady.ts';
import { type FilingPorts, filingCheck, lookBeforeFiling, modelsAsked } from '../../engine/job/filing.ts';
import { jobOptions } from '../../engine/job/requests/brief.ts';
import { REQUESTS, type RequestInput } from '../../engine/state/api.ts';
import type { Diagnostic } from '../../shared/diagnostic.ts';
import { modelWithEffort } from '../../shared/model/effort.ts';
import type { ProviderName } from '../../shared/model/models.ts';
import { agentEntries } from '../open/agents.ts';
import { type Credentials, type Doors, doorsOf, type InjectedProviders } from '../open/model/models.ts';
import type { ReadOnlyWorkspace } from '../open/readOnlyWorkspace.ts';

function portsOf({ clock, env }: ReadOnlyWorkspace, door: Doors): FilingPorts {
  return { git: createGit({ clock, env }), door, prices: PRICES };
}

/**
 * Throws NOT_READY before anything is written for a first brief. If there is a state, its owner checks. Opens no
 * connection: the owner checks the model server when the brief is filed, and shows the warnings. So the time limit of a
 * silent server passes only once.
 */
export async function checkFirstBrief(
  readOnly: ReadOnlyWorkspace,
  credentials: Credentials,
  input: RequestInput<'submitBrief'>,
): Promise<void> {
  const { stateDir, configDir, projectDir } = readOnly.places;
  const parsed = REQUESTS.submitBrief.safeParse(input);
  if (existsSync(stateDir) || !parsed.success) return;
  const options = jobOptions(parsed.data, DEFAULT_OPTIONS, null);
  const models = modelsAsked(await agentEntries(configDir), options);
  const check = filingCheck(portsOf(readOnly, doorsOf(credentials, null)), () => undefined);
  await check({ what: 'the job cannot start', model: { provider: options.provider, models }, folder: projectDir });
}

/** The settings for new jobs that `doctor` checks. */
export interface FiledAs {
  readonly provider: ProviderName;
  /** Models by role that differ from the engine's defaults; an effort may follow the name. */
  readonly models?: Readonly<Record<string, string>>;
  readonly credentials: Credentials;
  readonly injected?: InjectedProviders;
}

export async function diagnosticsOfFiling(readOnly: ReadOnlyWorkspace, filed: FiledAs): Promise<readonly Diagnostic[]> {
  const { provider, credentials, injected } = filed;
  const { projectDir } = readOnly.places;
  const texts = Object.values({ ...DEFAULT_OPTIONS.models, ...filed.models });
  const models = [...new Set(texts.map((text) => modelWithEffort(text).model))];
  const wanted = { model: { provider, models }, folder: projectDir };
  const problems = await lookBeforeFiling(portsOf(readOnly, doorsOf(credentials, readOnly.clock, injected)), wanted);
  const of = (check: FilingCheckName, fine: string): Diagnostic => diagnosticOf(problems, check, fine);
  const repository = problems.some(({ check }) => check === 'git') ? [] : [of('repository', projectDir)];
  if (provider !== 'anthropic') return repository;
  const price = of('price', 'the models of all roles have a price');
  if (problems.some(({ check }) => check === 'key')) return [...repository, price];
  return [...repository, price, of('endpoint', 'the model server answers')];
}

function diagnosticOf(problems: readonly FilingProblem[], check: FilingCheckName, fine: string): Diagnostic {
  const found = problems.find((problem) => problem.check === check);
  return found === undefined ? good(check, fine) : bad(check, found.message, found.hint);
}
