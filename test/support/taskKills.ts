/** Kills the owner of tasks again and again, each time for real, and reads from its files what became of every step. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openArtifacts } from '../../src/adapters/artifacts.ts';
import { nodeFiles } from '../../src/adapters/files.ts';
import { openEventLog } from '../../src/adapters/log/eventLog.ts';
import { lineSeal } from '../../src/adapters/log/seal.ts';
import { reduce } from '../../src/core/reduce.ts';
import { taskSteps } from '../../src/core/rows.ts';
import type { Event } from '../../src/shared/events.ts';
import { applyChanges, emptyState, type State } from '../../src/shared/state.ts';
import type { TaskRow, TaskStepRow } from '../../src/shared/tasks.ts';
import { resultOf } from '../../src/tasks/results.ts';
import { dice, live, program, WAYS } from './lives.ts';
import { answerTo, type TaskLife } from './taskOwner.ts';

export interface TaskKillsOutcome {
  readonly kills: number;
  readonly tasks: number;
  /** Steps that were completed in all. */
  readonly steps: number;
  /** Of these: begun or completed again after their end was on the disk; notices that were said again. */
  readonly twice: readonly string[];
  /** Whose result is not what it must be, and tasks that did not come to their end. */
  readonly lost: readonly string[];
  /** Begun again since their end was not on the disk. */
  readonly again: number;
}

/** Changes of files that a task makes, about. */
const CHANGES = 20;

export async function killTasks(root: string, kills: number, seed: number): Promise<TaskKillsOutcome> {
  const stateDir = join(root, '.autonomous');
  mkdirSync(stateDir, { recursive: true });
  const key = randomBytes(32);
  const script = await program('taskOwner.ts', join(root, 'program'));
  const next = dice(seed);
  const one = { stateDir, key: key.toString('hex'), begun: join(root, 'begun.jsonl') };
  const quiet = (): void => undefined;
  let died = 0;
  while (died < kills) {
    const life: TaskLife = { ...one, killAt: 1 + next(CHANGES), how: WAYS[next(WAYS.length)] ?? 'before' };
    if ((await live(script, life, quiet)) === 'killed') died++;
  }
  await live(script, { ...one, killAt: 0, how: 'before' }, quiet);
  return { kills: died, ...(await readOutcome(stateDir, key, one.begun)) };
}

interface Begun {
  readonly epoch: number;
  readonly step: number;
}

async function readOutcome(
  stateDir: string,
  key: Uint8Array,
  begunFile: string,
): Promise<Omit<TaskKillsOutcome, 'kills'>> {
  const log = await openEventLog({ stateDir, ops: nodeFiles, seal: lineSeal(key, 'events') });
  const { events } = await log.read(null);
  await log.close();
  const state = emptyState();
  for (const event of events) applyChanges(state, reduce(state, event));
  const begun = readFileSync(begunFile, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Begun);
  const lost: string[] = [];
  for (const task of state.tasks.values()) lost.push(...(await lostOf(stateDir, state, task)));
  return {
    tasks: state.tasks.size,
    steps: [...state.task_steps.values()].filter(({ status }) => status === 'COMPLETED').length,
    twice: [...twiceIn(events, begun), ...saidTwice(state)],
    lost,
    again: begun.length - new Set(begun.map(({ step }) => step)).size,
  };
}

function twiceIn(events: readonly Event[], begun: readonly Begun[]): string[] {
  const twice: string[] = [];
  const endedIn = new Map<number, number>();
  for (const event of events) {
    if (event.type !== 'task_stepped') continue;
    for (const { step_id, outcome } of event.ended) {
      if (outcome !== 'completed') continue;
      if (endedIn.has(step_id)) twice.push(`step ${step_id} completed twice`);
      endedIn.set(step_id, event.epoch);
    }
  }
  const seen = new Set<string>();
  for (const { epoch, step } of begun) {
    if (epoch > (endedIn.get(step) ?? Number.POSITIVE_INFINITY)) twice.push(`step ${step} begun after its end`);
    if (seen.has(`${epoch} ${step}`)) twice.push(`step ${step} begun twice in one life`);
    seen.add(`${epoch} ${step}`);
  }
  return twice;
}

/** Of each task: what its notify says, its checkpoint, its end. */
function saidTwice(state: State): string[] {
  const said = [...state.messages.values()].map(({ task_id, text }) => `${task_id}: ${text.slice(0, 40)}`);
  return said.filter((text, at) => said.indexOf(text) !== at);
}

async function lostOf(stateDir: string, state: State, task: TaskRow): Promise<string[]> {
  if (task.status !== 'COMPLETED') return [`${task.id} is ${task.status}: ${task.reason}`];
  const files = openArtifacts(stateDir, nodeFiles);
  const results = new Map<string, unknown>();
  for (const step of taskSteps(state, task)) results.set(step.name, await resultOf(files, step));
  const seed = answerTo('Short');
  const left = answerTo(`Short left of ${seed}`);
  const right = answerTo(`Long right of ${seed}`);
  const both = `${left}\n\n${right}`;
  const wanted: Readonly<Record<TaskStepRow['name'], unknown>> = {
    Seed: seed,
    Left: left,
    Right: right,
    Both: both,
    If: true,
    Tell: `Told\n\n${left}`,
    Not: null,
    Wait: null,
    End: answerTo(`Short end of ${both}`),
  };
  const said = [...state.messages.values()].filter(({ task_id }) => task_id === task.id).length;
  return [
    ...Object.entries(wanted).flatMap(([name, result]) =>
      results.get(name) === result ? [] : [`${task.id}: ${name}`],
    ),
    // The checkpoint, the notify and the end.
    ...(said === 3 ? [] : [`${task.id} said ${said} things`]),
  ];
}
