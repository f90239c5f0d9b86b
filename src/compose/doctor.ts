/** What the machine has and lacks for a run here. */
import { createCommandRunner } from '../adapters/shell/commandRunner.ts';
import { diagnose } from '../adapters/shell/doctor.ts';
import type { Diagnosis } from '../terminal/deps.ts';
import type { Viewer } from './readOnly.ts';

export async function diagnoseAll({ places, clock, env }: Viewer): Promise<readonly Diagnosis[]> {
  const runner = createCommandRunner({ clock });
  try {
    const folders = [places.projectDir, places.jobsDir];
    return await diagnose({ runner, environment: env, folders, runtimeDir: places.runtimeDir });
  } finally {
    await runner.close();
  }
}
