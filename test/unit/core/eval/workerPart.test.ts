/** What a run shows about its worker: the first attempts at its features, or nothing. */
import { expect, test } from 'vitest';
import { workerPart } from '../../../../src/core/eval/workerPart.ts';
import type { AttemptRow, FeatureRow } from '../../../../src/shared/job/rows.ts';
import type { SpendRow } from '../../../../src/shared/money.ts';
import type { SessionRow } from '../../../../src/shared/session.ts';
import {
  attemptRow,
  featureRow,
  jobRow,
  phaseRow,
  sessionRow,
  spendRow,
  stateOf,
} from '../../../support/state/builders.ts';

interface Tried {
  readonly feature: number;
  readonly attempt?: Partial<AttemptRow>;
  readonly session?: Partial<SessionRow>;
  /** Null: no call is booked. */
  readonly spend?: Partial<SpendRow> | null;
}

/** Each attempt has a session with one call of $0.01. */
function part(attempts: readonly Tried[], features: readonly Partial<FeatureRow>[] = [{ id: 1 }, { id: 2 }]) {
  const ids = attempts.map((one, at) => ({ ...one, id: at + 1 }));
  const job = jobRow();
  const calls = ids.flatMap(({ id, spend = {} }) => (spend === null ? [] : [{ id, spend }]));
  const state = stateOf({
    jobs: [job],
    phases: [phaseRow()],
    features: features.map((row) => featureRow({ status: 'completed', ...row })),
    sessions: [
      ...ids.map(({ id, session }) => sessionRow({ id, role: 'worker', model: 'sonnet', phase_id: 1, ...session })),
      sessionRow({ id: 50, role: 'reviewer', model: 'opus', phase_id: 1 }),
    ],
    attempts: [
      ...ids.map(({ id, feature, attempt }) =>
        attemptRow({ id, number: id, session_id: id, feature_id: feature, status: 'succeeded', ...attempt }),
      ),
      attemptRow({ id: 50, number: 1, session_id: 50, feature_id: null, status: 'succeeded' }),
    ],
    spends: [
      ...calls.map(({ id, spend }) =>
        spendRow({ id, session_id: id, attempt_id: id, status: 'settled', settled_micro_usd: 10_000, ...spend }),
      ),
      spendRow({ id: 50, session_id: 50, attempt_id: 50, status: 'settled', settled_micro_usd: 900_000 }),
    ],
  });
  return workerPart(state, job);
}

test('counts the first attempt at each feature, and not the review', () => {
  expect(part([{ feature: 1 }, { feature: 2 }])).toEqual({
    category: 'core',
    features: 2,
    passed: 2,
    microUsd: 20_000,
  });
  const retried = [{ feature: 1, attempt: { status: 'failed' } } as const, { feature: 1 }, { feature: 2 }];
  expect(part(retried)).toMatchObject({ features: 2, passed: 1, microUsd: 20_000 });
});

test('counts a call whose answer was lost at its upper bound', () => {
  const spend = { status: 'unsettled', reserved_micro_usd: 90_000 } as const;
  expect(part([{ feature: 1, spend }])).toMatchObject({ microUsd: 90_000 });
});

test('names no category if the features have several', () => {
  const features = [{ id: 1 }, { id: 2, category: 'docs' }];
  expect(part([{ feature: 1 }, { feature: 2 }], features)).toMatchObject({ category: null, features: 2 });
});

test.each<[string, readonly Tried[]]>([
  ['no attempt was made', []],
  ['no attempt was judged', [{ feature: 1, attempt: { status: 'stuck' } }]],
  ['another agent worked on a feature', [{ feature: 1 }, { feature: 2, session: { executor: 'cline' } }]],
  ['another model worked on a feature', [{ feature: 1 }, { feature: 2, session: { model: 'opus' } }]],
  [
    'another model took a feature over',
    [
      { feature: 1, attempt: { status: 'failed' } },
      { feature: 1, session: { model: 'opus' } },
    ],
  ],
  ['an attempt has no booked call', [{ feature: 1 }, { feature: 2, spend: null }]],
  ['an attempt has no price', [{ feature: 1 }, { feature: 2, spend: { provider: 'own-account' } }]],
])('nothing if %s', (_, attempts) => {
  expect(part(attempts)).toBeNull();
});
