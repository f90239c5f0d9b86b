/** A package with its history in a user's repository, a model's server, and evals of it by the real engine. */
import { evaluate } from '../../../src/app/eval/evaluate.ts';
import type { EvalRequest, Evaluated } from '../../../src/engine/eval/evaluation.ts';
import type { Variant } from '../../../src/engine/eval/ports.ts';
import type { Package } from '../mistakes/packages.ts';
import type { PlayedModel } from '../mistakes/player.ts';
import { EngineWorld, type WorldOptions } from '../world/engineWorld.ts';
import { evalModel } from './evalModel.ts';
import { historyOf } from './packageHistory.ts';

export interface EvalWorld extends AsyncDisposable {
  readonly world: EngineWorld;
  readonly said: readonly string[];
  run(request?: Partial<EvalRequest>, signal?: AbortSignal): Promise<Evaluated>;
}

const NEVER = new AbortController().signal;

/** Its worker has this model. */
export function variant(name: string, worker: string, more: Partial<Variant['request']> = {}): Variant {
  return { name, request: { models: { worker }, budgetMicroUsd: 2_000_000, ...more } };
}

interface EvalWorldOptions extends Pick<WorldOptions, 'faults'> {
  readonly model?: Pick<PlayedModel, 'answer'>;
  /** Replaces files of the package. */
  readonly files?: Readonly<Record<string, string>>;
}

export async function evalWorld(of: Package, options: EvalWorldOptions = {}): Promise<EvalWorld> {
  const { model = evalModel(of), files = {}, ...more } = options;
  const world = await EngineWorld.open({ files: { ...of.files, ...files }, model, sandbox: 'needed', ...more });
  for (const commit of historyOf(of)) world.userCommits(commit.files, commit.message);
  const said: string[] = [];
  return {
    world,
    said,
    run: (request = {}, signal = NEVER) =>
      evaluate(
        world.ownerOptions,
        {
          tasks: { from: 'history', count: 1, at: null },
          variants: [],
          repeat: 1,
          budgetMicroUsd: 50_000_000,
          test: 'node --test',
          setup: [],
          parallel: 1,
          batchPrices: false,
          ...request,
        },
        { say: (text) => said.push(text), signal },
      ),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}
