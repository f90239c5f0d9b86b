/** Gathers what `core/workspace/filing.ts` decides on, before anything is filed. Free of charge: no model is called. */

import { splitModel } from '../../core/model/modelName.ts';
import { executorOfRole, modelsOfJob } from '../../core/money/price/jobModels.ts';
import type { PriceTable } from '../../core/money/price/pricing.ts';
import { type FiledModel, type FilingFacts, filingProblems } from '../../core/workspace/filing.ts';
import { type FilingProblem, filingFailure } from '../../core/workspace/notReady.ts';
import type { AgentEntries } from '../../shared/agent/executorSchemas.ts';
import { type PlainFailure, toPlain } from '../../shared/errors.ts';
import type { JobOptions } from '../../shared/job/rows.ts';
import type { ConnectionName } from '../../shared/model/models.ts';
import type { Provider } from '../session/gatewayPorts.ts';
import type { GitPort } from './gitPorts.ts';

export interface FilingWanted {
  /** The subject of the error, e.g. `the job cannot start`. */
  readonly what: string;
  /** Null if the work calls no model, or asks the steward when it cannot. */
  readonly model: FiledModel | null;
  /** Folder of the repository that the work needs; null if it needs none. */
  readonly folder: string | null;
}

export interface FilingPorts {
  readonly git: Pick<GitPort, 'inspect'>;
  /** What answers for a connection; null if this process makes no calls to a model. */
  readonly door: ((connection: ConnectionName) => Pick<Provider, 'check'> | null) | null;
  readonly prices: PriceTable;
}

/** Throws NOT_READY with all problems. Reports warnings and resolves otherwise. */
export type FilingCheck = (wanted: FilingWanted) => Promise<void>;

export function filingCheck(ports: FilingPorts, warn: (text: string) => void): FilingCheck {
  return async (wanted) => {
    const problems = await lookBeforeFiling(ports, wanted);
    const blockers = problems.filter(({ blocks }) => blocks);
    if (blockers.length > 0) throw filingFailure(wanted.what, blockers);
    for (const { message, hint } of problems) warn(hint === '' ? message : `${message}. ${hint}`);
  };
}

/** All problems and warnings. Does not throw for missing requirements. */
export async function lookBeforeFiling(
  { git, door, prices }: FilingPorts,
  wanted: Omit<FilingWanted, 'what'>,
): Promise<readonly FilingProblem[]> {
  const { folder } = wanted;
  const model = door === null ? null : wanted.model;
  const [repository, reported] = await Promise.all([
    folder === null ? null : failureOf(git.inspect(folder)),
    model === null || door === null ? [] : reportsOf(door, model),
  ]);
  return filingProblems({ model, prices, repository, door: reported });
}

/** What each connection of the models reports about itself. */
async function reportsOf(
  door: NonNullable<FilingPorts['door']>,
  { provider, models }: FiledModel,
): Promise<FilingFacts['door']> {
  const named = models.map((name) => splitModel(name, provider));
  const byConnection = Map.groupBy(named, ({ connection }) => connection);
  // A job whose agents all bring their own account still has a provider, which its other roles would use.
  if (byConnection.size === 0) byConnection.set(provider, []);
  const reports = [...byConnection].map(async ([connection, of]) => {
    const failures = (await door(connection)?.check?.(of.map(({ model }) => model))) ?? [];
    return failures.map((failed) => ({ connection, failed: toPlain(failed) }));
  });
  return (await Promise.all(reports)).flat();
}

async function failureOf(work: Promise<unknown>): Promise<PlainFailure | null> {
  try {
    await work;
    return null;
  } catch (thrown) {
    return toPlain(thrown);
  }
}

/** Models of the roles whose calls the gateway prices. An agent with a separate account has its own model. */
export const modelsAsked = (agents: AgentEntries, options: JobOptions): readonly string[] =>
  modelsOfJob(options, (role) => agents[executorOfRole(options, role)]?.models !== 'own');
