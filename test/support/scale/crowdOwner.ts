/**
 * An owner's state with few features and one with many, in one process: what an event costs with each, and how long the event
 * loop waits while the larger one is worked on and looked at. Its argument is a folder, and how much; it writes one line of JSON.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../src/adapters/clock.ts';
import { followManifests } from '../../../src/adapters/files/manifestFiles.ts';
import { ownState } from '../../../src/app/open/store.ts';
import { panelMaker } from '../../../src/core/workspace/panel.ts';
import type { Store } from '../../../src/engine/state/store.ts';
import type { EventDraft } from '../../../src/shared/workspace/events.ts';
import { NO_LOOK } from '../../../src/shared/workspace/panel.ts';
import { snapshotPacker } from '../../../src/shared/workspace/snapshot.ts';
import { snapshotFeed } from '../../../src/vscode/page/snapshotFeed.ts';
import { JOB_ID, noteRow, planFeature, planPhase } from '../state/builders.ts';
import { acceptedJob, attemptBegun, attemptEnded, phaseStarted, sessionEnd } from '../state/fold.ts';

export interface ScaleAmount {
  readonly few: number;
  readonly many: number;
  readonly rounds: number;
  readonly seconds: number;
}

export interface Scale {
  /** Of an event that was told to be durable, in milliseconds: median of the rounds. */
  readonly few: { readonly wall: number; readonly cpu: number };
  readonly many: { readonly wall: number; readonly cpu: number };
  /** In milliseconds: by the clock, by the clock when nothing is done, and of processor time of the thread between two of its turns. */
  readonly longest: { readonly wall: number; readonly idle: number; readonly own: number };
  readonly snapshots: number;
}

const PER_PHASE = 20;
const CALLS = 2;
const EVENTS = 20;
const EVERY_MS = 25;
const DAY = '2026-11-21';
const USAGE = { input: 120, output: 340, cacheRead: 4_000, cacheWrite5m: 200, cacheWrite1h: 0 };
const clock = systemClock();

async function opened(root: string): Promise<Store> {
  const places = {
    projectDir: root,
    stateDir: join(root, '.autonomous'),
    jobsDir: join(root, 'jobs'),
    configDir: join(root, 'config'),
    runtimeDir: root,
  };
  const wasmFile = fileURLToPath(new URL('./sql-wasm.wasm', import.meta.url));
  return ownState({ places, clock, wasmFile, version: 'test', isShipped: async () => false });
}

/** A job whose features are done but for those of the last phase, each with an attempt and its calls. */
async function filled(root: string, features: number): Promise<Store> {
  const store = await opened(root);
  const phases = Array.from({ length: features / PER_PHASE }, (_, phase) =>
    planPhase({
      title: `Phase ${phase}`,
      features: Array.from({ length: PER_PHASE }, (__, at) => planFeature({ name: `Feature ${phase}-${at}` })),
    }),
  );
  for (const { seq: _, epoch: __, at: ___, ...draft } of acceptedJob({ title: 'Large', phases }).events) {
    await store.commit(draft);
  }
  let call = 0;
  for (let phase = 1; phase < phases.length; phase++) {
    await store.commit(phaseStarted(phase));
    const drafts = Array.from({ length: PER_PHASE }, (_, at) => (phase - 1) * PER_PHASE + at + 1).flatMap((id) => [
      ...attemptBegun(id, id, phase),
      ...Array.from({ length: CALLS }, () => ++call).flatMap((n) => callOf(n, id)),
      attemptEnded({ id, status: 'succeeded', commit: 'c', session: sessionEnd(id) }),
    ]);
    await Promise.all(drafts.map((draft) => store.commit(draft)));
  }
  const last = phases.length * PER_PHASE;
  await store.commit(phaseStarted(phases.length));
  for (const draft of attemptBegun(last, last, phases.length)) await store.commit(draft);
  return store;
}

function callOf(id: number, session_id: number) {
  const call = { provider: 'anthropic', model: 'claude-sonnet-5-5', price_version: '1', day: DAY } as const;
  return [
    { type: 'call_reserved', id, session_id, ...call, micro_usd: 200_000 },
    { type: 'call_settled', id, usage: USAGE, micro_usd: 4_321 },
  ] as const;
}

/** What goes on all day: a call, a note, a pause. Gives how many events that was. */
async function work(store: Store): Promise<number> {
  const [id = 0] = store.nextIds('spends', 1);
  const [note = 0] = store.nextIds('notes', 1);
  const last = store.state.features.size;
  const drafts: readonly EventDraft[] = [
    ...callOf(id, last),
    { type: 'note_added', note: noteRow({ id: note, feature_id: last }), supersedes: null },
    { type: 'attempt_interrupted', id: last, job_id: JOB_ID, cause: 'pause' },
    { type: 'attempt_resumed', id: last, job_id: JOB_ID },
  ];
  for (const draft of drafts) await store.commit(draft);
  return drafts.length;
}

async function timed(store: Store): Promise<{ wall: number; cpu: number }> {
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  let events = 0;
  while (events < EVENTS) events += await work(store);
  const { user, system } = process.cpuUsage(cpu);
  return { wall: (performance.now() - wall) / events, cpu: (user + system) / 1_000 / events };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Each round both, so that a load of the machine is in both. */
async function cost(few: Store, many: Store, rounds: number): Promise<Pick<Scale, 'few' | 'many'>> {
  const times = { few: [] as { wall: number; cpu: number }[], many: [] as { wall: number; cpu: number }[] };
  for (let round = 0; round < rounds; round++) {
    times.few.push(await timed(few));
    times.many.push(await timed(many));
  }
  const of = (all: readonly { wall: number; cpu: number }[]) => ({
    wall: median(all.map(({ wall }) => wall)),
    cpu: median(all.map(({ cpu }) => cpu)),
  });
  return { few: of(times.few), many: of(times.many) };
}

/** The longest time of the thread's own between two turns of the event loop. */
function ownTurns(): { longest(): number } {
  let before = process.threadCpuUsage();
  let longest = 0;
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    longest = Math.max(longest, (user + system) / 1_000);
  }, 1);
  return {
    longest: () => {
      clearInterval(timer);
      return longest;
    },
  };
}

/** Some hundred events a second, and a board that shows them. */
async function watched(store: Store, root: string, seconds: number): Promise<Pick<Scale, 'longest' | 'snapshots'>> {
  const manifests = followManifests({ store, jobsDir: join(root, 'jobs'), clock });
  const panel = panelMaker();
  let snapshots = 0;
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  const feed = snapshotFeed({
    clock,
    source: Promise.resolve({
      packer: snapshotPacker(),
      catchUp: () => panel.catchUp(store.state),
      view: () =>
        panel.view(store.state, today, { banner: null, mode: 'owner' }, { ...NO_LOOK, featureId: 1 }, clock.now()),
    }),
    shown: () => true,
    send: () => undefined,
    sent: () => {
      snapshots++;
    },
    failed: (thrown) => {
      throw thrown;
    },
  });
  const stop = store.subscribe(() => feed.ask());
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await clock.sleep(1_000);
  const idle = delay.max / 1e6;
  delay.reset();
  const own = ownTurns();
  const end = clock.monotonic() + seconds * 1_000;
  while (clock.monotonic() < end) {
    await work(store);
    await clock.sleep(EVERY_MS);
  }
  delay.disable();
  const longest = { wall: delay.max / 1e6, idle, own: own.longest() };
  stop();
  feed.dispose();
  await manifests.close();
  return { longest, snapshots };
}

const [root = '', amount = ''] = process.argv.slice(2);
const { few, many, rounds, seconds } = JSON.parse(amount) as ScaleAmount;
const small = await filled(join(root, 'few'), few);
const large = await filled(join(root, 'many'), many);
const scale: Scale = { ...(await cost(small, large, rounds)), ...(await watched(large, join(root, 'many'), seconds)) };
await small.close();
await large.close();
writeSync(1, `${JSON.stringify(scale)}\n`);
