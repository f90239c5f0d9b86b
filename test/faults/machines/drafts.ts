/** Requests of any kind about anything: each event of the golden log, with other rows, other words and other numbers in it. */
import { readFileSync } from 'node:fs';
import { FEATURE_STATUSES } from '../../../src/shared/job/rows.ts';
import type { Event, EventDraft, EventType } from '../../../src/shared/workspace/events.ts';
import type { State, TableName } from '../../../src/shared/workspace/state.ts';

export type Dice = (below: number) => number;

const LOG = new URL('../../fixtures/golden/0.1.0/events/1-1.jsonl', import.meta.url);

/** The whole golden log: every type of event is in it. */
export const GOLDEN: readonly Event[] = readFileSync(LOG, 'utf8')
  .split('\n')
  .filter((line) => line.includes('"type"'))
  .map((line) => {
    const { prev: _prev, mac: _mac, ...event } = JSON.parse(line) as Event & { prev: string; mac: string };
    return event as Event;
  });

const TEMPLATES = [...new Map(GOLDEN.map((event) => [event.type, event])).values()];
export const TYPES: readonly EventType[] = TEMPLATES.map(({ type }) => type);

/** Fields that name a row, wherever they stand. */
const NAMED: Readonly<Record<string, TableName>> = {
  project_id: 'projects',
  job_id: 'jobs',
  phase_id: 'phases',
  feature_id: 'features',
  fix_feature_id: 'features',
  attempt_id: 'attempts',
  session_id: 'sessions',
  parent_id: 'sessions',
  task_id: 'tasks',
  step_id: 'task_steps',
  supersedes: 'notes',
  up_to: 'messages',
  approval_id: 'approvals',
};
/** Whose `id` it is: of the event, by how its type begins, or of an object in it, by its name. */
const OWNERS: readonly (readonly [RegExp, TableName])[] = [
  [/^(project)/, 'projects'],
  [/^(job|brief)/, 'jobs'],
  [/^(phase|phases)/, 'phases'],
  [/^(feature|candidate)/, 'features'],
  [/^attempt/, 'attempts'],
  [/^session/, 'sessions'],
  [/^note/, 'notes'],
  [/^approval/, 'approvals'],
  [/^call/, 'spends'],
  [/^message/, 'messages'],
  [/^schedule/, 'schedules'],
  [/^steps/, 'task_steps'],
  [/^task/, 'tasks'],
];
const WORDS: Readonly<Record<string, readonly unknown[]>> = {
  decision: ['approved', 'rejected'],
  cause: ['crash', 'pause', 'unavailable'],
  by: ['steward', 'engine', 'reviewer', 'yes_flag', 'schedule'],
  verdict: [
    null,
    { verdict: 'APPROVED', reason: '', feedback: '', reopen: [] },
    { verdict: 'REJECTED', reason: '', feedback: 'f', reopen: [] },
  ],
  role: ['planner', 'worker', 'reviewer', 'summarizer', 'project', 'task'],
  retryAt: [null, '2026-11-02T13:00:00.000Z'],
  approval: [null],
  session: [null],
};
/** Never null. */
const NEEDED = [
  'approval_requested approval',
  'task_step_asked approval',
  'rule_used approval',
  'session_ended session',
];
const ATTEMPT_ENDS = ['succeeded', 'failed', 'stuck', 'blocked', 'abandoned'];

export function draftOf(state: State, nth: number, dice: Dice): EventDraft {
  const template = TEMPLATES[nth % TEMPLATES.length] as Event;
  const { seq: _seq, epoch: _epoch, at: _at, ...body } = structuredClone(template);
  return changed(state, body, body.type, body.type, dice) as EventDraft;
}

/** `of`: the name under which it stands. */
function changed(state: State, value: unknown, of: string, type: EventType, dice: Dice): unknown {
  if (Array.isArray(value)) return value.map((part) => changed(state, part, of, type, dice));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, fieldOf(state, { name, part, of, type }, dice)]),
  );
}

interface Field {
  readonly name: string;
  readonly part: unknown;
  readonly of: string;
  readonly type: EventType;
}

function fieldOf(state: State, { name, part, of, type }: Field, dice: Dice): unknown {
  if (name === 'rows' || name === 'type') return part;
  const table = name === 'id' ? OWNERS.find(([begins]) => begins.test(of))?.[1] : NAMED[name];
  if (table !== undefined && (typeof part === 'number' || typeof part === 'string'))
    return idOf(state, table, part, dice);
  if (name === 'status') return statusOf(type, of, part, dice);
  const words = NEEDED.includes(`${type} ${name}`) ? undefined : WORDS[name];
  if (words !== undefined && dice(3) === 0) return words[dice(words.length)];
  if (name === 'ids' || name === 'features' || name === 'reopen' || name === 'skipped' || name === 'notes')
    return listOf(state, name, part, dice);
  if (typeof part === 'number') return dice(6) === 0 ? [0, 1, 3, 1e9][dice(4)] : part;
  return changed(state, part, name, type, dice);
}

function statusOf(type: EventType, of: string, part: unknown, dice: Dice): unknown {
  if (of === 'session') return ['completed', 'failed'][dice(2)];
  if (type === 'attempt_ended') return ATTEMPT_ENDS[dice(ATTEMPT_ENDS.length)];
  if (type === 'feature_set') return FEATURE_STATUSES[dice(FEATURE_STATUSES.length)];
  return part;
}

/** Ids in lists: of rows that are there, mostly. */
function listOf(state: State, name: string, part: unknown, dice: Dice): unknown {
  const table = name === 'skipped' ? 'task_steps' : name === 'notes' ? 'notes' : 'features';
  if (!Array.isArray(part) || part.some((one) => typeof one !== 'number')) return part;
  return part.map((one: number) => idOf(state, table, one, dice));
}

/** One that is there, a new one, one that nobody has, or the one of the template. */
function idOf(state: State, table: TableName, known: number | string, dice: Dice): number | string {
  const ids = [...(state[table] as ReadonlyMap<number | string, unknown>).keys()];
  const chance = dice(16);
  if (chance < 9 && ids.length > 0) return ids[dice(ids.length)] as number | string;
  if (chance === 9) return typeof known === 'number' ? 999_999 : 'nobody';
  if (chance < 13) return typeof known === 'number' ? 1 + Math.max(0, ...ids.map(Number)) : `new-${ids.length}`;
  return known;
}
