/**
 * Admits turns of an agent that pays with its own account: limited by the usage that it reports, and counted at the upper bound if it reports none.
 */

import { failure } from '../../shared/errors.ts';
import { OWN_ACCOUNT } from '../../shared/model/models.ts';
import type { Usage } from '../../shared/money.ts';
import type { SessionRow } from '../../shared/session.ts';
import type { State } from '../../shared/workspace/state.ts';
import { need } from '../state/rows.ts';
import { admit } from './budget.ts';
import { limitReached } from './limitReached.ts';
import { admitUnpriced, unpricedLeft } from './price/unpriced.ts';
import { admitCounted } from './usageLimits.ts';

const provider = OWN_ACCOUNT;

/**
 * Upper bound of the tokens of its next turn. Throws LIMIT_REACHED if a limit of its job, its project or the workspace refuses the turn; limits of
 * money only count if earlier turns reported a cost, and the most expensive one is assumed. Throws MODEL_UNPRICED if there is no limit at all.
 */
export function admitOwnTurn(
  state: State,
  session: SessionRow,
  { day, attemptTokens }: { readonly day: string; readonly attemptTokens: number },
): number {
  const { project_id, attempt_id } = session;
  const job = need(state, 'jobs', session.job_id ?? '');
  const limits = job.options.unpricedLimits;
  if (limits === undefined) {
    throw failure('MODEL_UNPRICED', `${session.executor} pays with its own account, and the job has no limits`, {
      hint: 'File the brief with limits of calls and tokens, or choose another executor.',
    });
  }
  const tokens = Math.max(1, Math.min(attemptTokens, unpricedLeft(state, job.id, provider, limits)));
  const microUsd = dearestTurn(state, job.id);
  const call = { provider, project_id, job_id: job.id, attempt_id, task_id: null, day, microUsd } as const;
  const own = state.projects.get(project_id)?.limits;
  const judged = [
    admitUnpriced(state, { provider, job_id: job.id, tokens }, limits),
    ...(microUsd === 0 ? [] : [admit(state, call, state.meta.limits)]),
    // The number of tool calls is unknown, so one remaining call is enough to start.
    ...(own === undefined ? [] : [admitCounted(state, { provider, project_id, tokens: 1 }, own)]),
  ];
  const refusal = judged.find((one) => !one.ok);
  if (refusal !== undefined && !refusal.ok) throw limitReached(refusal);
  return tokens;
}

/** Limits of one turn: a thousand dollars, a billion tokens. A report above them is a mistake and would exhaust every limit of the workspace. */
const MOST = { microUsd: 1_000_000_000, tokens: 1_000_000_000 };

/** Whether a turn can have used and cost that. */
export function saysWhatCanBe({
  usage,
  costMicroUsd,
}: {
  readonly usage: Usage | null;
  readonly costMicroUsd: number | null;
}): boolean {
  const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= MOST.tokens;
  const cost = costMicroUsd ?? 0;
  return cost >= 0 && cost <= MOST.microUsd && (usage === null || Object.values(usage).every(isCount));
}

/** Open turns of a session whose thread ended: a session has one turn at a time. */
export function leftOpen(state: State, sessionId: number): readonly number[] {
  return [...state.spends.values()]
    .filter((row) => row.session_id === sessionId && row.provider === provider && row.status === 'reserved')
    .map(({ id }) => id);
}

function dearestTurn(state: State, jobId: string): number {
  let mostExpensive = 0;
  for (const row of state.spends.values()) {
    if (row.job_id === jobId && row.provider === provider)
      mostExpensive = Math.max(mostExpensive, row.settled_micro_usd);
  }
  return mostExpensive;
}
