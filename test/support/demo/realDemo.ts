/** Real agents at the built-in demo: the workers of a whole brief are theirs, its money and its gates are ours. */
import { readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { checkScenario, type Scenario } from '../../../src/adapters/simulated/scenario.ts';
import { demoSampleFiles, loadScenario } from '../../../src/app/assets/scenarios.ts';
import { jobFeatures } from '../../../src/core/state/rows.ts';
import { processesOf } from '../process/processes.ts';
import { EngineWorld } from '../world/engineWorld.ts';
import { carryOutDemo, demoPassesItsTests } from './demoRun.ts';

const KEY = 'sk-secret-of-the-user';
/** Says its environment, and every file of its home and every process it sees that holds the key; the pattern itself is not the key. */
const LOOK = `env; echo looked; grep -rlsF ${KEY.replace('of', "o''f")} "$HOME" /proc/[0-9]*/environ`;

/** The demo, whose first worker also looks for the key. */
async function lookingScenario(): Promise<Scenario> {
  const demo = structuredClone(await loadScenario('demo'));
  demo.features['Tokens']?.attempts[0]?.turns[0]?.calls.push({ tool: 'bash', input: { command: LOOK } });
  return checkScenario(demo, 'looking');
}

/** The suite of one agent, `overMcp`: whether it takes servers of ours; each has a file of its own, since two that wait for their programs fill two cores better than one. */
export function demoBy(executor: string, overMcp: boolean): void {
  describe(`the demo, carried out by ${executor}`, () => {
    let world: EngineWorld;

    beforeAll(async () => {
      const PATH = [inject('agentsBin'), process.env['PATH'] ?? ''].join(delimiter);
      world = await EngineWorld.open({
        scenario: await lookingScenario(),
        files: await demoSampleFiles(),
        owner: { env: { ...process.env, PATH } },
      });
      await carryOutDemo(world, { worker: executor });
    });
    afterAll(() => world[Symbol.asyncDispose]());

    test('was its work, feature by feature', () => {
      const workers = [...world.state.sessions.values()].filter(({ role }) => role === 'worker');
      expect(workers.length).toBeGreaterThan(3);
      expect(new Set(workers.map((row) => row.executor))).toEqual(new Set([executor]));
      const features = jobFeatures(world.state, world.jobId);
      expect(features.map(({ status }) => status)).toEqual(features.map(() => 'completed'));
      const failed = [...world.state.attempts.values()].filter((row) => row.status === 'failed');
      expect(failed).toHaveLength(1);
      const offers = world.server.requests.filter(({ body }) => body.includes('"name":"mcp__autonomous__report"'));
      expect(offers.length > 0).toBe(overMcp);
    });

    test('built a program that passes its own tests', () => demoPassesItsTests(world));

    test('cost to the micro-USD what the server billed', () => {
      const spends = [...world.state.spends.values()];
      expect(new Set(spends.map((row) => row.status))).toEqual(new Set(['settled']));
      expect(spends.map((row) => row.settled_micro_usd)).toEqual(world.server.bill.map((call) => call.microUsd));
      expect(world.server.bill.filter(({ cut }) => cut)).toEqual([]);
      expect(spends.filter((row) => row.role === 'worker').length).toBeGreaterThan(30);
    });

    test('never saw the key', () => {
      const said = world.server.requests.map(({ body }) => body).filter((body) => body.includes('looked'));
      expect(said.length).toBeGreaterThan(0);
      expect(said.some((body) => body.includes('HOME='))).toBe(true);
      expect(world.server.requests.filter(({ body }) => body.includes(KEY))).toEqual([]);
      expect(said.filter((body) => /looked(\\+n)+\/(proc|\S*home)/.test(body))).toEqual([]);
      const files = readdirSync(world.folder, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      );
      const paths = files.map((entry) => join(entry.parentPath, entry.name));
      expect(paths.filter((path) => readFileSync(path).includes(KEY))).toEqual([]);
    });

    test('left no process behind', () => {
      expect(processesOf(world.folder)).toEqual([]);
    });
  });
}
