/**
 * R14, stop means stop: whoever stops a job (a cancel, a pause, the owner's end), and whatever runs then, the answer is durable
 * within a second, the whole tree of processes is gone within five, and no call and no tool begins after it. The tree holds a
 * shell that hears no TERM, a daemon of a session of its own, and one that dropped its environment too.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scriptedAgent } from '../support/agent/scriptedAgent.ts';
import { attempt, bash, report, scenarioOf, write } from '../support/demo/briefs.ts';
import { eventually, processesWith } from '../support/shell/shell.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith } from '../support/suite/plantedBug.ts';
import { figure, LONG, PLANTED } from '../support/suite/proof.ts';
import { EngineWorld } from '../support/world/engineWorld.ts';

const GONE_MS = 5_000;
/** What is never ended stays until it is let go: a busy machine may take its time. */
const PATIENCE_MS = PLANTED ? GONE_MS : 120_000;
const DURABLE_MS = 1_000;

type At = 'agent command' | 'three lanes' | 'verify' | 'setup' | 'external agent';
type By = 'cancel' | 'pause' | 'close';
type In = 'sandbox' | 'no sandbox';

interface Stopped {
  readonly ackMs: number;
  readonly goneMs: number;
  /** Still there when the time was over. */
  readonly left: number;
  readonly callsAfter: number;
  /** The command that was to come next, and attempts. */
  readonly toolsAfter: number;
}

const COMMAND = 'sh tree.sh';
/** What comes next of the agent, of the checks and of the setup. */
const NEXT = 'touch next';
let trees = 0;

/** Each of its processes names `mark`; it ends by itself once `go` is there, so that nothing outlives even a lost proof. */
function treeScript(mark: string, go: string): string {
  const loop = `: ${mark}; while [ ! -f ${go} ]; do sleep 0.2; done`;
  return `trap '' TERM INT HUP
setsid sh -c '${loop}' </dev/null >/dev/null 2>&1 &
(setsid env -i PATH="$PATH" sh -c '${loop}; : again' </dev/null >/dev/null 2>&1 &)
sh -c "trap '' TERM; ${loop}; : third" &
echo here > began
${loop}
`;
}

async function stopped(at: At, by: By, place: In, workerScript?: URL): Promise<Stopped> {
  const mark = `tree-of-stop-${process.pid}-${++trees}`;
  const runs = at === 'agent command' || at === 'three lanes' ? [bash(COMMAND), bash(NEXT)] : [];
  const names = at === 'three lanes' ? ['A', 'B', 'C'] : ['A'];
  const features = names.map((name) => ({
    name,
    attempts: [attempt(write(`${name}.txt`, name), ...runs, report('done'))],
  }));
  const entry = scriptedAgent({
    turns: [
      [
        { do: 'run', command: COMMAND },
        { do: 'run', command: NEXT },
      ],
    ],
  });
  await using world = await EngineWorld.open({
    scenario: scenarioOf([{ verify: at === 'verify' ? [COMMAND, NEXT] : ['ls'], features }]),
    sandbox: place === 'sandbox',
    allowed: [COMMAND.split(' '), NEXT.split(' '), entry.argv],
    owner: {
      ...(place === 'sandbox' ? {} : { env: process.env, confine: false }),
      ...(workerScript === undefined ? {} : { workerScript }),
    },
  });
  const go = join(world.folder, 'go');
  try {
    mkdirSync(world.places.configDir, { recursive: true });
    writeFileSync(join(world.places.configDir, 'agents.yaml'), JSON.stringify({ scripted: entry }), { mode: 0o600 });
    // Its folder lies where the sandbox lets nobody look: then it goes on until it is killed.
    world.userCommits({ 'tree.sh': treeScript(mark, go) });
    await world.submit({
      ...(at === 'setup' ? { setup: [COMMAND, NEXT] } : {}),
      ...(at === 'external agent' ? { executors: { worker: 'scripted' } } : {}),
      lanes: names.length,
    });
    await world.until('the tree stands', () => existsSync(join(world.job.clone_dir ?? '', 'began')));
    await world.until('all of it', () => processesWith(mark).length >= 3 * names.length);
    return await measured(world, by, mark);
  } finally {
    writeFileSync(go, '');
    await eventually(() => processesWith(mark).length === 0, 10_000);
  }
}

async function measured(world: EngineWorld, by: By, mark: string): Promise<Stopped> {
  const began = performance.now();
  const closing = by === 'close' ? world.close() : null;
  if (by === 'pause') await world.owner.request('pauseJob', { jobId: world.jobId });
  if (by === 'cancel') await world.owner.request('cancelJob', { jobId: world.jobId });
  const ackMs = performance.now() - began;
  const calls = world.server.requests.length;
  const attempts = world.happened('attempt_started').length;
  const gone = await eventually(() => processesWith(mark).length === 0, PATIENCE_MS);
  const goneMs = performance.now() - began;
  const left = gone ? 0 : processesWith(mark).length;
  if (left === 0) await closing;
  // Whatever would begin after it begins at once.
  const next = join(world.job.clone_dir ?? '', 'next');
  await eventually(() => world.server.requests.length > calls || existsSync(next), 200);
  return {
    ackMs,
    goneMs,
    left,
    callsAfter: world.server.requests.length - calls,
    toolsAfter: Number(existsSync(next)) + world.happened('attempt_started').length - attempts,
  };
}

const CASES: readonly (readonly [At, By, In])[] = LONG
  ? (['agent command', 'three lanes', 'verify', 'setup', 'external agent'] as const).flatMap((at) =>
      (['cancel', 'pause', 'close'] as const).flatMap((by) =>
        (['sandbox', 'no sandbox'] as const).map((place) => [at, by, place] as const),
      ),
    )
  : [
      ['three lanes', 'cancel', 'sandbox'],
      ['verify', 'pause', 'no sandbox'],
      ['external agent', 'close', 'sandbox'],
    ];

test.each(CASES)('%s, stopped by a %s, in %s: all of it is gone', async (at, by, place) => {
  const told = await stopped(at, by, place);
  figure({
    method: 'stop',
    what: `${at}, ${by}, ${place}: until its tree had ended`,
    value: Math.round(told.goneMs),
    unit: 'ms',
    aim: { atMost: GONE_MS },
  });
  if (by !== 'close')
    figure({
      method: 'stop',
      what: `${at}, ${by}, ${place}: until it was durable`,
      value: Math.round(told.ackMs),
      unit: 'ms',
      aim: { atMost: DURABLE_MS },
    });
  expect(told).toMatchObject({ left: 0, callsAfter: 0, toolsAfter: 0 });
  if (LONG) expect(told.ackMs).toBeLessThan(DURABLE_MS);
});

planted('a stop that does not reach commands', async () => {
  const bug = {
    file: 'src/engine/job/work/commands.ts',
    find: 'signal: options.signal,',
    put: 'signal: new AbortController().signal,',
  };
  using built = await buildWith(bug, ['src/worker.ts']);
  expect((await stopped('verify', 'cancel', 'no sandbox', built.program('worker'))).left).toBeGreaterThan(0);
});
