/**
 * An owner whose workers are the scripted agent: files a brief or goes on with the job that is there, as a steward who lets
 * everything go on. On the way it kills itself, or the agent again and again; what the plan says is in the environment.
 */
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../src/adapters/clock.ts';
import { becomeOwner } from '../../../src/app/owner/owner.ts';
import { isFinal, JOB } from '../../../src/core/state/machines.ts';
import type { WorkspacePaths } from '../../../src/engine/state/workspacePaths.ts';
import { processesOf } from './processes.ts';

export interface AgentLife {
  readonly places: WorkspacePaths;
  readonly model: { readonly url: string; readonly key: string };
  /** Bundles beside which the database's program lies. */
  readonly worker: string;
  readonly wasm: string;
  /** In the agent's command line, and nowhere else. */
  readonly agent: string;
  /** Milliseconds after an agent was first seen at which this process kills itself. */
  readonly dieAfter?: number;
  /** The same for killing the agent: one for each time. */
  readonly killAfter?: readonly number[];
}

const LOOK_MS = 10;

const life = JSON.parse(process.env['LIFE'] ?? '') as AgentLife;
const waits = [...(life.killAfter ?? [])];

/** The scripted agents of the folder, without the shells and sandboxes around them. */
function agents(): number[] {
  return processesOf(life.places.jobsDir)
    .filter((line) => line.includes(life.agent) && !/\bbwrap\b|\/sh /.test(line))
    .map((line) => Number.parseInt(line, 10));
}

async function watch(): Promise<void> {
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  for (const killed = new Set<number>(); ; ) {
    const found = agents().filter((pid) => !killed.has(pid));
    if (found.length === 0) {
      await wait(LOOK_MS);
      continue;
    }
    if (life.dieAfter !== undefined) {
      await wait(life.dieAfter);
      process.kill(process.pid, 'SIGKILL');
    }
    const after = waits.shift();
    if (after === undefined) return;
    await wait(after);
    for (const pid of found) {
      killed.add(pid);
      try {
        process.kill(pid, 'SIGKILL');
        process.stdout.write('killed\n');
      } catch {
        waits.unshift(after); // it had ended by itself: the next one
      }
    }
  }
}

async function main(): Promise<void> {
  const owner = await becomeOwner({
    places: life.places,
    clock: systemClock(),
    version: 'test',
    credentials: { key: () => life.model.key, baseUrl: life.model.url },
    workerScript: new URL(life.worker),
    wasmFile: fileURLToPath(life.wasm),
    work: true,
    delayMs: 0,
    env: process.env,
  });
  const over = Promise.withResolvers<void>();
  const asked = new Set<number>();
  const look = (): void => {
    for (const { id, status, choices } of owner.state.approvals.values()) {
      if (status !== 'pending' || asked.has(id)) continue;
      asked.add(id);
      const choice = choices[0] ?? null;
      owner.request('decide', { approvalId: id, decision: 'approved', choice, feedback: null }).catch(over.reject);
    }
    const jobs = [...owner.state.jobs.values()];
    if (jobs.length > 0 && jobs.every(({ status }) => isFinal(JOB, status))) over.resolve();
  };
  owner.follow({
    event: look,
    failed: (_, { code, message }) => over.reject(new Error(`${code}: ${message}`)),
  });
  const [job] = owner.state.jobs.values();
  if (job === undefined) {
    const allowedCommands = [['ls']];
    await owner.request('submitBrief', {
      brief: 'Go on and on.',
      executors: { worker: 'scripted' },
      gates: [],
      setup: [],
      lanes: 1,
      allowedCommands,
    });
  } else await owner.request('resumeJob', { jobId: job.id });
  look();
  void watch().catch(over.reject);
  await over.promise;
  await owner.close();
}

await main();
process.exit(0);
