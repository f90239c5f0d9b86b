/** A world for several features at once, whose workers wait in a command until the test lets them continue. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bash, type PhaseWords, scenarioOf } from '../demo/briefs.ts';
import { EngineWorld, type WorldOptions } from './engineWorld.ts';

const GATES = ['1', '2', '3', '4'];

export interface LaneWorld {
  readonly world: EngineWorld;
  /** Commands of these workers that need no sandbox. */
  readonly allowedCommands: string[][];
  /** Lets the workers continue that wait at this gate. */
  go(gate: number): void;
}

/** The call of a worker that waits. */
export const waits = (gate: number) => bash(`sh slow.sh ${gate}`);

export async function laneWorld(
  phases: readonly PhaseWords[],
  { files = {}, ...more }: Omit<WorldOptions, 'scenario'> = {},
): Promise<LaneWorld> {
  const scenario = scenarioOf(phases);
  const world = await EngineWorld.open({ scenario, files: { 'README.md': 'A program.\n', ...files }, ...more });
  const go = join(world.folder, 'go');
  world.userCommits({ 'slow.sh': `while [ ! -f ${go}-$1 ]; do sleep 0.02; done\n` });
  return {
    world,
    allowedCommands: [['ls'], ['sh', 'check.sh'], ...GATES.map((gate) => ['sh', 'slow.sh', gate])],
    go: (gate) => writeFileSync(`${go}-${gate}`, ''),
  };
}

/** The worker that waits at the gate runs its command. */
export const isAt = (world: EngineWorld, gate: number): boolean =>
  world.lives.some(({ text }) => text.includes(`slow.sh ${gate}`));

/** Until A, at gate 1, continues after B, at gate 2, was merged. */
export async function mergeSecondFirst({ world, go }: Pick<LaneWorld, 'world' | 'go'>): Promise<void> {
  await world.until('both work', () => world.happened('attempt_started').length === 2);
  go(2);
  await world.until('B is complete', () => world.feature('B').status === 'completed');
  go(1);
}
