/** The tasks in the snapshots of the page: many of them, and one with many steps that is looked at. */
import { panelMaker } from '../src/core/workspace/panel.ts';
import type { StepInput } from '../src/shared/task/tasks.ts';
import { NO_LOOK, type PanelLook } from '../src/shared/workspace/panel.ts';
import { snapshotPacker } from '../src/shared/workspace/snapshot.ts';
import { type PlayedTask, playedTask } from '../test/support/state/taskRows.ts';
import { median, round, show } from './table.ts';

const TASKS = 1_000;
const STEPS = 10;
const LONG = 1_000;
const ROUNDS = 200;
const TODAY = '2026-11-02';
const NOW = Date.UTC(2026, 10, 2, 12);
const FRAME = { banner: null, mode: 'owner' } as const;
const TARGET_MS = 50;

const stepsOf = (amount: number): StepInput[] =>
  Array.from({ length: amount }, (_, at) => ({
    name: `Part ${at + 1}`,
    action: 'llm_generate',
    params: { prompt: at === 0 ? 'Begin' : `Go on after {{Part ${at}}}` },
  }));

/** All of them run, and one has many steps, half of which are over. */
function world(): PlayedTask {
  const long = playedTask(stepsOf(LONG), {}, undefined, 'long');
  long.start();
  for (let at = 1; at <= LONG / 2; at++) {
    long.begin(`Part ${at}`);
    long.complete(`Part ${at}`, `what became of part ${at}`);
  }
  for (let at = 0; at < TASKS; at++) playedTask(stepsOf(STEPS), { name: `Task ${at}` }, long, `task-${at}`).start();
  return long;
}

function measured(task: PlayedTask, look: PanelLook, from: number): readonly (string | number)[][] {
  const [panel, packer] = [panelMaker(), snapshotPacker()];
  const snapshot = () => {
    const start = performance.now();
    let bytes = 0;
    for (const message of packer.pack(1, panel.view(task.state, TODAY, FRAME, look, NOW))) {
      bytes += (message.kind === 'part' ? message.rows : message.head).byteLength;
    }
    return { ms: performance.now() - start, bytes };
  };
  const first = snapshot();
  const rounds = Array.from({ length: ROUNDS }, (_, at) => {
    const name = `Part ${from + Math.floor(at / 2)}`;
    if (at % 2 === 0) task.begin(name);
    else task.complete(name, 'done');
    return snapshot();
  });
  const ms = rounds.map((one) => one.ms).toSorted((a, b) => a - b);
  const slow = ms[Math.floor(ms.length * 0.95)] ?? Number.NaN;
  const verdict = slow <= TARGET_MS ? 'met' : 'MISSED';
  const kB = (bytes: number): number => Math.round(bytes / 1024);
  const what = look.task === null ? 'the list' : `one of ${LONG} steps`;
  const changed = kB(median(rounds.map(({ bytes }) => bytes)));
  return [
    [what, round(first.ms), kB(first.bytes), round(median(ms)), round(slow), `<= ${TARGET_MS}`, verdict, changed],
  ];
}

const task = world();
const half = LONG / 2 + 1;
show(
  `A snapshot with ${TASKS} tasks that run`,
  ['looked at', 'first ms', 'kB', 'after an event ms', 'p95', 'target', '', 'kB'],
  [
    ...measured(task, NO_LOOK, half),
    ...measured(task, { ...NO_LOOK, task: 'long', step: task.ids[0] ?? null }, half + ROUNDS / 2),
  ],
);
