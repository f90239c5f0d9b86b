/** Kills agents in mid-session, and owners over them, each time for real; then reads what became of every attempt and process. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../../../src/adapters/clock.ts';
import { lookAtState } from '../../../src/app/open/store.ts';
import type { WorkspacePaths } from '../../../src/engine/state/workspacePaths.ts';
import type { State } from '../../../src/shared/workspace/state.ts';
import { scriptedAgent } from '../agent/scriptedAgent.ts';
import { scenarioOf } from '../demo/briefs.ts';
import { plainGit, writeFiles } from '../git/gitFixture.ts';
import type { AgentLife } from '../process/agentOwner.ts';
import { processesOf } from '../process/processes.ts';
import { startMessagesServer } from '../provider/messagesServer.ts';
import { dice, live } from './lives.ts';

export interface AgentKillsOutcome {
  readonly kills: number;
  /** By their status. */
  readonly attempts: Readonly<Record<string, number>>;
  readonly interruptions: number;
  readonly job: string;
  /** Command lines of what was still there a while after a kill. */
  readonly left: readonly string[];
  /** Reservations without an end. */
  readonly open: number;
}

export interface Programs {
  /** `agentOwner.js`, `agentWorker.js` and the database's program. */
  readonly folder: string;
  readonly wasm: string;
}

/** A session takes about so long when nobody disturbs it. */
const SESSION_MS = 700;
/** What was left by a process that was killed may need so long to notice. */
const GONE_MS = 20_000;

const AGENT = scriptedAgent({
  turns: [
    [
      { do: 'background', name: 'left-by-an-agent' },
      { do: 'write', path: 'A.txt', content: 'half' },
      { do: 'model', text: 'What now?' },
      { do: 'run', command: 'sleep 0.5' },
      { do: 'write', path: 'A.txt', content: 'A\n' },
      { do: 'script', words: ['report', 'done', 'Written.'] },
    ],
  ],
});

interface World {
  readonly life: AgentLife;
  readonly places: WorkspacePaths;
  close(): Promise<void>;
}

async function makeWorld(root: string, { folder, wasm }: Programs): Promise<World> {
  const home = mkdtempSync(join(root, 'w-'));
  const projectDir = join(home, 'repo');
  const places: WorkspacePaths = {
    projectDir,
    stateDir: join(projectDir, '.autonomous'),
    jobsDir: join(home, 'jobs'),
    configDir: join(home, 'config'),
    runtimeDir: join(home, 'run'),
  };
  for (const path of [projectDir, places.configDir]) mkdirSync(path);
  plainGit(projectDir, ['init', '-q', '-b', 'main']);
  writeFiles(projectDir, { 'README.md': 'Files\n' });
  plainGit(projectDir, ['add', '-A']);
  plainGit(projectDir, ['commit', '-q', '-m', 'Begin']);
  // JSON is YAML too.
  writeFileSync(join(places.configDir, 'agents.yaml'), JSON.stringify({ scripted: AGENT }), { mode: 0o600 });
  const server = await startMessagesServer({ scenario: scenarioOf([{ features: [{ name: 'A' }] }]) });
  const worker = pathToFileURL(join(folder, 'agentWorker.js')).href;
  const model = { url: server.url, key: server.apiKey };
  const life = { places, model, worker, wasm: pathToFileURL(wasm).href, agent: 'scriptedAgent.ts' };
  return { life, places, close: () => server.close() };
}

async function leftIn(folder: string): Promise<string[]> {
  for (let waited = 0; ; waited += 100) {
    const found = processesOf(folder);
    if (found.length === 0 || waited >= GONE_MS) return found;
    await wait(100);
  }
}

async function outcome({ places }: World, wasm: string, kills: number, left: string[]): Promise<AgentKillsOutcome> {
  const store = await lookAtState({ places, clock: systemClock(), wasmFile: wasm });
  const { state } = store;
  await store.close();
  return { kills, left, ...attemptsOf(state) };
}

function attemptsOf(state: State): Omit<AgentKillsOutcome, 'kills' | 'left'> {
  const attempts: Record<string, number> = {};
  let interruptions = 0;
  for (const row of state.attempts.values()) {
    attempts[row.status] = (attempts[row.status] ?? 0) + 1;
    interruptions += row.interruptions;
  }
  const open = [...state.spends.values()].filter(({ status }) => status === 'reserved').length;
  return { attempts, interruptions, job: [...state.jobs.values()].map(({ status }) => status).join(), open };
}

/** What is to be killed how often, at times that the seed decides. */
type Killing = readonly [root: string, programs: Programs, kills: number, seed: number];

interface Scene {
  readonly script: string;
  readonly world: World;
  next(most: number): number;
}

/** `act` returns how often it killed, and what was left. */
async function killed(
  [root, programs, , seed]: Killing,
  act: (scene: Scene) => Promise<readonly [kills: number, left: string[]]>,
): Promise<AgentKillsOutcome> {
  const world = await makeWorld(root, programs);
  try {
    const script = join(programs.folder, 'agentOwner.js');
    const [kills, left] = await act({ script, world, next: dice(seed) });
    return await outcome(world, programs.wasm, kills, left);
  } finally {
    await world.close();
  }
}

/** One owner, whose agent is killed again and again. */
export function killAgents(...killing: Killing): Promise<AgentKillsOutcome> {
  return killed(killing, async ({ script, world, next }) => {
    let count = 0;
    const killAfter = Array.from({ length: killing[2] }, () => next(SESSION_MS));
    await live(script, { ...world.life, killAfter }, (line) => void (line === 'killed' && count++));
    return [count, await leftIn(world.places.jobsDir)];
  });
}

/** Owners that kill themselves while their agent works, one after the other; the last one comes to the end. */
export function killOwners(...killing: Killing): Promise<AgentKillsOutcome> {
  return killed(killing, async ({ script, world, next }) => {
    const left: string[] = [];
    let count = 0;
    for (let tried = 0; tried < killing[2]; tried++) {
      const dieAfter = next(SESSION_MS);
      if ((await live(script, { ...world.life, dieAfter }, () => undefined)) === 'killed') count++;
      left.push(...(await leftIn(world.places.jobsDir)));
    }
    await live(script, world.life, () => undefined);
    left.push(...(await leftIn(world.places.jobsDir)));
    return [count, left];
  });
}
