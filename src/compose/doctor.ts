/** What the machine has and lacks for a run here. */
import { createCommandRunner } from '../adapters/shell/commandRunner.ts';
import { diagnose, type KeyFound } from '../adapters/shell/doctor.ts';
import type { Diagnosis } from '../terminal/deps.ts';
import { findingOfAgents } from './listedAgents.ts';
import type { Viewer } from './readOnly.ts';

/** Looks with the environment that a run gets, or it would miss what only that one has. */
export async function diagnoseAll(viewer: Viewer, key: KeyFound): Promise<readonly Diagnosis[]> {
  const { places, clock, env } = viewer;
  const runner = createCommandRunner({ clock, environment: env });
  try {
    const folders = [places.projectDir, places.jobsDir];
    const machine = await diagnose({ runner, environment: env, folders, runtimeDir: places.runtimeDir, key });
    return [...machine, await findingOfAgents(viewer)];
  } finally {
    await runner.close();
  }
}

/** The terminal knows no other key than its environment's. */
export function keyOf(env: Viewer['env']): KeyFound {
  return { source: env['ANTHROPIC_API_KEY'] ? 'environment' : 'none', surface: 'terminal' };
}
