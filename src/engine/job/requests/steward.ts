/** Answers to questions, and the money. */

import { limitAskedAbout } from '../../../core/approval/about.ts';
import { sameCause } from '../../../core/approval/sameCause.ts';
import { jobAsked, needsAnswer } from '../../../core/approval/stewardship.ts';
import { approvedPlan, nextAction } from '../../../core/job/nextAction.ts';
import { bookingDay, dayEnd } from '../../../core/money/budget.ts';
import { ruleOffers } from '../../../core/rule/offers.ts';
import { need } from '../../../core/state/rows.ts';
import type { ApprovalRow } from '../../../shared/approval.ts';
import { failure, findFailure } from '../../../shared/errors.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { acceptPlan } from '../actions/acceptPlan.ts';
import { limitRaised } from '../actions/limits.ts';
import type { EngineRequests, Input, RequestPorts } from './ports.ts';

export function stewardRequests(ports: RequestPorts) {
  const { store } = ports;
  return {
    decide: async ({ approvalId, also = [], ...decision }) => {
      const approval = need(store.state, 'approvals', approvalId);
      checkDecision(ports, approval, decision);
      const others = sameCauseOnly(store.state, approval, also);
      for (const row of [approval, ...others]) {
        // Another answer may have come while the former one was written.
        if (row !== approval && store.state.approvals.get(row.id)?.status !== 'pending') continue;
        await settle(ports, row, decision);
      }
      return null;
    },
    setLimits: async (input) => {
      const limits = {
        ...store.state.meta.limits,
        ...Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)),
      };
      await store.commit({ type: 'limits_set', limits, by: 'steward' });
      for (const row of [...store.state.approvals.values()].filter(
        (one) => one.kind === 'limit' && one.status === 'pending' && one.feature_id === null,
      )) {
        await store.commit({ type: 'approval_voided', id: row.id, reason: 'the limits were set' });
        if (row.job_id !== null) ports.work(row.job_id);
      }
      await wakeThoseOfTheDay(ports);
      return null;
    },
    createRule: async ({ offer: id, text }) => {
      const offer = ruleOffers(store.state).find((one) => one.id === id);
      if (offer?.text !== text) {
        throw failure('NOT_PERMITTED', `the rule ${JSON.stringify(id)} is not offered in this form`, {
          hint: 'List the rules that are offered now: autonomous rules',
        });
      }
      const [ruleId = 0] = store.nextIds('rules', 1);
      await store.commit({ type: 'rule_created', rule: { ...offer, id: ruleId }, by: 'steward' });
      return { ruleId };
    },
    revokeRule: async ({ ruleId }) => {
      await store.commit({ type: 'rule_revoked', id: ruleId, by: 'steward' });
      return null;
    },
    adjustCall: async ({ callId, microUsd }) => {
      await store.commit({ type: 'call_adjusted', id: callId, micro_usd: microUsd, by: 'steward' });
      return null;
    },
  } satisfies Partial<EngineRequests>;
}

/** Throws INVALID_INPUT for a question that has another cause. Questions that are settled already are left out. */
function sameCauseOnly(state: State, approval: ApprovalRow, ids: readonly number[]): readonly ApprovalRow[] {
  const same = sameCause(state, approval);
  const pending = ids.map((id) => need(state, 'approvals', id)).filter((row) => row.status === 'pending');
  const foreign = pending.find((row) => !same.includes(row));
  if (foreign === undefined) return pending;
  throw failure('INVALID_INPUT', `question ${foreign.id} has another cause than question ${approval.id}`, {
    hint: 'Answer each question separately.',
  });
}

type Decision = Omit<Input<'decide'>, 'approvalId' | 'also'>;

async function settle(ports: RequestPorts, approval: ApprovalRow, { decision, choice, feedback, by }: Decision) {
  const { store } = ports;
  const answer = decision === 'approved' ? choice : null;
  await store.commit({ type: 'approval_decided', id: approval.id, decision, choice: answer, feedback, by });
  if (approval.job_id !== null) {
    await (decision === 'rejected' ? actOnNo : actOnYes)(ports, approval.job_id);
    ports.work(approval.job_id);
  } else if (approval.kind === 'limit' && decision === 'approved' && !isBudgetOfTask(approval)) {
    await store.commit(limitRaised(store.state, approval));
  }
}

/** Ends or pauses a job at once if the no does so, even if no process carries the job out. */
async function actOnNo({ store, clock }: RequestPorts, jobId: string): Promise<void> {
  const next = nextAction(store.state, jobId, clock.now());
  if (next.do !== 'fail' && next.do !== 'pause') return;
  const { reason } = next;
  await unlessOvertaken(
    next.do === 'fail'
      ? store.commit({ type: 'job_failed', job_id: jobId, reason })
      : store.commit({ type: 'job_paused', job_id: jobId, reason, by: 'steward' }),
  );
}

/** Makes the phases and features of an approved plan at once, so that requests about them work before the job runs. */
async function actOnYes({ store }: RequestPorts, jobId: string): Promise<void> {
  const plan = approvedPlan(store.state, need(store.state, 'jobs', jobId));
  if (plan !== null) await unlessOvertaken(acceptPlan({ store, jobId }, plan.version, plan.by));
}

/** Ignores that the job's own loop was quicker. */
async function unlessOvertaken(committed: Promise<unknown>): Promise<void> {
  try {
    await committed;
  } catch (thrown) {
    if (findFailure(thrown)?.code !== 'ILLEGAL_TRANSITION') throw thrown;
  }
}

/** A task's budget is raised by the event that resumes the task. */
const isBudgetOfTask = ({ task_id, subject }: ApprovalRow): boolean =>
  task_id !== null && limitAskedAbout(subject).limit === 'task';

/** Wakes jobs that wait until the next day for a limit that was just set. A job whose limit is still too low waits again. */
async function wakeThoseOfTheDay({ store, clock, work }: RequestPorts): Promise<void> {
  const tomorrow = dayEnd(bookingDay(store.state.meta.last_day, clock.now()));
  const held = [...store.state.jobs.values()].filter((job) => job.status === 'waiting' && job.wake_at === tomorrow);
  for (const job of held) {
    await unlessOvertaken(store.commit({ type: 'job_woken', job_id: job.id }));
    work(job.id);
  }
}

/** `--yes` and the demo answer the gates that a person may wave through, and no other. */
const WAVED: Readonly<Record<'yes_flag' | 'demo', readonly ApprovalRow['kind'][]>> = {
  yes_flag: ['plan', 'phase', 'merge', 'dirty_tree', 'unmergeable', 'setup'],
  demo: ['plan', 'phase', 'merge', 'dirty_tree', 'unmergeable', 'setup', 'stuck'],
};

/** Throws NOT_PERMITTED or INVALID_INPUT. */
export function checkDecision(
  ports: RequestPorts,
  approval: ApprovalRow,
  input: Omit<Input<'decide'>, 'approvalId' | 'also'>,
): void {
  if (approval.status !== 'pending') {
    throw failure('NOT_PERMITTED', `approval ${approval.id} is ${approval.status} already`, {
      hint: 'See `autonomous approvals`.',
    });
  }
  if (input.by !== 'steward' && !WAVED[input.by].includes(approval.kind)) {
    throw failure('NOT_PERMITTED', `only a person answers a question of kind ${approval.kind}`);
  }
  // An approval of a question with choices must name the choice.
  if (input.decision === 'approved' && input.choice === null && approval.choices.length > 0) {
    throw failure('INVALID_INPUT', `an approval of ${approval.id} names its choice`, {
      hint: `Choose one of: ${approval.choices.join(', ')}.`,
    });
  }
  if (input.choice !== null && !approval.choices.includes(input.choice)) {
    throw failure('INVALID_INPUT', `"${input.choice}" is not an answer to approval ${approval.id}`, {
      hint: approval.choices.length > 0 ? `Choose one of: ${approval.choices.join(', ')}.` : 'It has no choices.',
    });
  }
  if (input.decision === 'rejected' && (input.feedback ?? '').trim() === '') {
    throw failure('INVALID_INPUT', 'a rejection needs feedback', { hint: 'Say what should be different.' });
  }
  if (input.decision === 'approved' && needsAnswer(approval) && (input.feedback ?? '').trim() === '') {
    throw failure('INVALID_INPUT', `question ${approval.id} needs an answer in words`, {
      hint: `Give the answer as text (autonomous approve ${approval.id} --answer "…"), or reject the question.`,
    });
  }
  const job = jobAsked(ports.store.state, approval);
  if (approval.kind === 'merge' && approval.commit !== job?.head) {
    throw failure('NOT_PERMITTED', `approval ${approval.id} is void: the result is another commit by now`);
  }
}
