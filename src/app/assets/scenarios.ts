/** The scenarios that can be named, and what the demo starts from. */
import { readdir, readFile } from 'node:fs/promises';
import { readScenario } from '../../adapters/simulated/loadScenario.ts';
import type { Scenario } from '../../adapters/simulated/scenario.ts';
import { assetPath } from './assetPath.ts';

/** A built-in scenario, or the absolute path of a file; null is the generic one. Throws SCENARIO_INVALID or NOT_FOUND. */
export function loadScenario(name: string | null): Promise<Scenario> {
  return readScenario(name, assetPath());
}

export function demoBrief(): Promise<string> {
  return readFile(assetPath('demo', 'brief.md'), 'utf8');
}

/** The sample repository's first commit, by path. */
export async function demoSampleFiles(): Promise<Readonly<Record<string, string>>> {
  const names = await readdir(assetPath('demo', 'sample'));
  const texts = names.map(async (name) => {
    const text = await readFile(assetPath('demo', 'sample', name), 'utf8');
    // npm packs no file of the other name.
    return [name === 'gitignore' ? '.gitignore' : name, text] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}
