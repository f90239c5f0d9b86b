/** `npm run proof -- soak`: the program at work for a while, looked at all the time, and judged at the end. */

import { buildWith } from '../support/suite/plantedBug.ts';
import { figure, SEED } from '../support/suite/proof.ts';
import { chartOf } from './soakChart.ts';
import { soakFindings } from './soakFindings.ts';
import type { Compared } from './soakFresh.ts';
import { growthOf, HEAP_BY_JOBS, type Judged, judge, type Series, seriesOf } from './soakJudgement.ts';
import { LANES } from './soakWork.ts';
import { type SoakPlan, SoakWorld } from './soakWorld.ts';

/** A shorter run is a warm-up in great part, with code of 5 MB a thread that V8 lets go later: its promises count, what rises in it is only shown. */
const LONG_SECONDS = 1_200;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

function planOf(seconds: number): SoakPlan {
  return {
    seconds,
    jobs: Number.POSITIVE_INFINITY,
    lanes: LANES,
    seed: SEED,
    faults: 25,
    thinkMs: 200,
    sampleMs: Math.min(10_000, (seconds * 1_000) / 30),
    // The terminal tells a thousand messages at once; these and those of the tasks are fewer.
    messageMs: Math.max(30_000, (seconds * 1_000) / 100),
    inside: true,
    kills: 2,
    lastJobs: LANES.length,
  };
}

interface Verdicts {
  readonly judged: readonly Judged[];
  readonly compared: readonly Compared[];
  readonly broken: Readonly<Record<string, readonly string[]>>;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** What the value of a judgement is. */
function measureOf({ name, rule }: Series): string {
  switch (rule.rule) {
    case 'flat':
      return `${name}: sure rise after the warm-up`;
    case 'even':
      return `${name}: surely faster growth in the second half`;
    case 'under':
      return `${name}, at most`;
    case 'shown':
      return `${name}, at the end`;
  }
}

function tell(world: SoakWorld, { judged, compared, broken }: Verdicts): void {
  const count = (what: string, value: number, aim: { atMost: number } | null = null, unit = ''): void =>
    figure({ method: 'T17', what, value, unit, aim });
  const { done } = world.mischief;
  const finished = world.samples.at(-1)?.finishedJobs ?? 0;
  count(
    `minutes of ${LANES.length} jobs at work in ${LANES.length} projects, with a conversation and tasks`,
    world.minutes,
  );
  count('jobs that ended', finished);
  count('calls of the model', world.server.bill.length);
  count('kills of the owner', world.kills);
  count('kills of a command, pauses and cancels', done.command + done.pause + done.cancel);
  for (const { name, value, unit, limit } of compared)
    count(name, rounded(value), limit === null ? null : { atMost: limit }, unit);
  for (const { series, value, unit, limit } of judged) {
    if (series.name === HEAP_BY_JOBS)
      count('heap of the owner for each finished job', rounded(growthOf(series)), null, 'kB');
    count(measureOf(series), rounded(value), limit === null ? null : { atMost: limit }, unit);
  }
  count('broken promises of T1 over the whole, and things left behind', Object.values(broken).flat().length, {
    atMost: 0,
  });
}

const seconds = Number(process.argv[2]);
if (!(seconds > 0)) throw new Error('say for how many seconds');
using programs = await buildWith(null, ['src/cli.ts', 'src/worker.ts']);
await using world = await SoakWorld.open(programs, planOf(seconds));
await world.run(say);
const series = seriesOf(world.samples, world.threadSamples(), world.ceilingBytes);
const judged = series.map(judge).filter((one) => one !== null);
const { compared } = world;
const broken = await soakFindings(world);
say(judged.map(chartOf).join('\n'));
for (const { name } of series.filter((one) => judged.every((other) => other.series !== one)))
  say(`${name}: too short to tell`);
for (const [what, all] of Object.entries(broken)) say(`${what}: ${all.slice(0, 10).join('\n  ')}`);
for (const { name, value, unit, limit } of compared)
  say(`${name}: ${rounded(value)}${unit}${limit === null ? '' : `, at most ${limit}${unit}`}`);
tell(world, { judged, compared, broken });
const rises = judged.length < series.length || [...judged, ...compared].some((one) => one.broken);
const bad = (seconds >= LONG_SECONDS && rises) || Object.keys(broken).length > 0;
say(`${bad ? 'FAILED' : 'passed'} (seed ${SEED})`);
process.exitCode = bad ? 1 : 0;
