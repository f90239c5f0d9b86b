/** Detects the demo's sample repository, and gives its brief. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandsOf } from '../../adapters/simulated/scenario.ts';
import type { RequestInput } from '../../engine/state/api.ts';
import { BUILT_IN } from '../../shared/agent/executors.ts';
import { errnoOf } from '../../shared/errors.ts';
import { demoBrief, demoSampleFiles, loadScenario } from '../assets/scenarios.ts';

/** Returns null for any other folder. */
export async function demoBriefFor(folder: string): Promise<RequestInput<'submitBrief'> | null> {
  if (!(await isSample(folder))) return null;
  return {
    brief: await demoBrief(),
    provider: 'simulated',
    scenario: 'demo',
    // Whatever the settings are: the scenario has replies only for the built-in agent.
    executors: { planner: BUILT_IN, worker: BUILT_IN, reviewer: BUILT_IN },
    allowedCommands: commandsOf(await loadScenario('demo')).map((argv) => [...argv]),
  };
}

async function isSample(folder: string): Promise<boolean> {
  const sample = await demoSampleFiles();
  const expected = JSON.parse(sample['package.json'] ?? '{}') as { readonly description?: string };
  try {
    const found = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as typeof expected;
    return found.description === expected.description;
  } catch (thrown) {
    // No such file, or not the JSON of the sample.
    if (thrown instanceof SyntaxError || errnoOf(thrown) !== undefined) return false;
    throw thrown;
  }
}
