/** The log as state: events folded in their order. */
import { messageOf } from '../../shared/errors.ts';
import type { Event } from '../../shared/workspace/events.ts';
import { applyChanges, type Change, type State, type TableName } from '../../shared/workspace/state.ts';
import type { LogContent, Problem } from './storePorts.ts';

export interface ReplayOptions {
  readonly reduce: Reduce;
  /** Event types that `reduce` knows. A log with another type is from a newer version. */
  readonly eventTypes: readonly string[];
}

export interface Opened {
  readonly state: State;
  readonly sequences: Map<TableName, number>;
  readonly content: LogContent;
  readonly problems: Problem[];
  /** `source` of every import so far, as far as replayed. */
  readonly imports: ReadonlySet<string>;
}

export type Reduce = (state: State, event: Event) => readonly Change[];

export function noteIds(sequences: Map<TableName, number>, changes: readonly Change[]): void {
  for (const change of changes) {
    if (change.table === 'meta' || !('put' in change) || typeof change.put.id !== 'number') continue;
    if (change.put.id > (sequences.get(change.table) ?? 0)) sequences.set(change.table, change.put.id);
  }
}

/** Omits what the reducer rejects, for example after a gap, and reports it as a problem. */
export function fold(base: Pick<Opened, 'state' | 'sequences'>, content: LogContent, options: ReplayOptions): Opened {
  const { state, sequences } = base;
  const problems = [...content.problems];
  const imports = new Set<string>();
  const known = new Set(options.eventTypes);
  let origin = content.origin;
  for (const event of content.events) {
    const where = { file: `epoch ${event.epoch}, event ${event.seq} (${event.type})`, line: null };
    if (!known.has(event.type)) {
      if (origin === 'own') origin = 'newer';
      problems.push({ ...where, what: 'an event of a newer version' });
      continue;
    }
    try {
      const changes = options.reduce(state, event);
      applyChanges(state, changes);
      noteIds(sequences, changes);
      if (event.type === 'imported') imports.add(event.source);
    } catch (thrown) {
      // Hostile or damaged history may hold anything, and activation must succeed (R12).
      problems.push({ ...where, what: `left out: ${messageOf(thrown)}` });
    }
  }
  if (content.end !== null) state.meta = { ...state.meta, last_seq: content.end.seq, epoch: content.end.epoch };
  return { state, sequences, content: { ...content, origin }, problems, imports };
}
