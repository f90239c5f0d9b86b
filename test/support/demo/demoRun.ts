/** The built-in demo, carried out with a person who approves, and what it must come to. */
import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import { commandsOf } from '../../../src/adapters/simulated/scenario.ts';
import { demoBrief, loadScenario } from '../../../src/app/assets/scenarios.ts';
import type { RequestInput } from '../../../src/engine/state/api.ts';
import type { EngineWorld } from '../world/engineWorld.ts';

const FORMATS = 'A table aligned for people by default. Keep CSV behind --format csv, and add Markdown.';

export async function carryOutDemo(
  world: EngineWorld,
  executors: RequestInput<'submitBrief'>['executors'] = {},
): Promise<void> {
  await world.submit({
    brief: await demoBrief(),
    executors,
    gates: ['plan', 'merge'],
    allowedCommands: commandsOf(await loadScenario('demo')).map((argv) => [...argv]),
  });
  await world.approve('plan');
  await world.approve('stuck', { feedback: FORMATS });
  await world.approve('merge');
  await world.is('completed');
}

export function demoPassesItsTests({ repo }: EngineWorld): void {
  const env = { PATH: process.env['PATH'] ?? '' };
  const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: repo, env, encoding: 'utf8' });
  expect(run('--test')).toMatch(/# fail 0|ℹ fail 0/);
  expect(run('bin/sheet.js', 'examples/budget.csv')).toContain('Total');
}
