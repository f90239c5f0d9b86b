/** A state of many features, as after days of work, and what its workers do to it. */
import type { Change, State } from '../src/shared/workspace/state.ts';
import { applyChanges } from '../src/shared/workspace/state.ts';
import {
  approvalRow,
  attemptRow,
  featureRow,
  jobOptions,
  jobRow,
  noteRow,
  phaseRow,
  spendRow,
  stateOf,
} from '../test/support/state/builders.ts';

const PER_PHASE = 20;
const CALLS = 10;
const CALL_MICRO_USD = 10_000;
const WORKERS = 4;
const START_MS = Date.UTC(2026, 10, 2, 12);
const STATUSES = ['completed', 'completed', 'completed', 'failed', 'pending', 'pending'] as const;

export const TODAY = '2026-11-02';

function at(index: number): string {
  return new Date(START_MS + index * 1000).toISOString();
}

/** Ten calls and one attempt a feature, a note at every fifth, a question at every hundredth. Each worker has a lane and names paths. */
export function crowd(features: number, workers = WORKERS): State {
  const phases = Math.ceil(features / PER_PHASE);
  const ids = Array.from({ length: features }, (_, index) => index + 1);
  const phaseOf = (id: number): number => Math.ceil(id / PER_PHASE);
  return stateOf({
    jobs: [jobRow({ options: jobOptions({ lanes: workers }) })],
    phases: Array.from({ length: phases }, (_, index) =>
      phaseRow({ id: index + 1, number: index + 1, title: `Phase ${index + 1} of the plan` }),
    ),
    features: ids.map((id) =>
      featureRow({
        id,
        phase_id: phaseOf(id),
        position: id,
        name: `Reject unknown keys of part ${id} with a message that names the nearest known one`,
        description: 'Behaves the same from a file and from a terminal. '.repeat(4),
        category: `category ${id % 20}`,
        status: id <= workers ? 'in_progress' : (STATUSES[id % STATUSES.length] ?? 'pending'),
        depends_on: id % 3 === 0 ? [id - 1] : [],
        paths: [`src/part${id % 40}`],
      }),
    ),
    attempts: ids.map((id) =>
      attemptRow({
        id,
        feature_id: id,
        phase_id: phaseOf(id),
        session_id: id,
        status: id <= workers ? 'running' : 'succeeded',
        lane: id <= workers ? id - 1 : null,
      }),
    ),
    approvals: ids.filter((id) => id % 100 === 0).map((id) => approvalRow({ id, feature_id: id, kind: 'stuck' })),
    notes: ids.filter((id) => id % 5 === 0).map((id) => noteRow({ id, feature_id: id })),
    spends: Array.from({ length: features * CALLS }, (_, index) => {
      const id = 1 + Math.floor(index / CALLS);
      return spendRow({ id: index + 1, feature_id: id, attempt_id: id, phase_id: phaseOf(id), at: at(index) });
    }),
  });
}

/** One event's worth: a call of one of the workers is settled. Gives the card that it changes, and by how much. */
export function work(state: State, seq: number, workers = WORKERS): { readonly card: number; readonly usd: number } {
  const feature_id = 1 + (seq % workers);
  const changes: readonly Change[] = [
    {
      table: 'spends',
      put: spendRow({
        id: 10_000_000 + seq,
        feature_id,
        attempt_id: feature_id,
        at: at(seq),
        settled_micro_usd: CALL_MICRO_USD,
      }),
    },
    { table: 'meta', put: { ...state.meta, last_seq: seq } },
  ];
  applyChanges(state, changes);
  return { card: feature_id, usd: CALL_MICRO_USD / 1e6 };
}
