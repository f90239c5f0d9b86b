/** Handles requests to edit a job's plan and to merge or roll back its result. `steward.ts` handles answers to questions. */

import { planFaults } from '../../../core/job/plan/planCheck.ts';
import { isFinal, JOB } from '../../../core/state/machines.ts';
import { jobApprovals, mergeGate, need } from '../../../core/state/rows.ts';
import { reduce } from '../../../core/workspace/reduce.ts';
import { failure } from '../../../shared/errors.ts';
import type { JobRow, MergeMode } from '../../../shared/job/rows.ts';
import type { EventDraft } from '../../../shared/workspace/events.ts';
import { applyChanges, type State, TABLE_NAMES } from '../../../shared/workspace/state.ts';
import { planIds } from '../actions/acceptPlan.ts';
import { mergeRequest } from '../actions/merge.ts';
import { jobTree } from '../tree/tree.ts';
import { type EngineRequests, openJob, type RequestPorts } from './ports.ts';
import { checkDecision } from './steward.ts';

export function resultRequests(ports: RequestPorts) {
  const { store } = ports;
  return {
    editPlan: async ({ jobId, plan }) => {
      const job = openJob(ports, jobId);
      const faults = planFaults(plan);
      if (faults.length > 0)
        throw failure('INVALID_INPUT', `the plan cannot be carried out: ${faults.join('; ')}`, { details: { faults } });
      const version = job.plan_version + 1;
      const proposed = {
        type: 'plan_proposed',
        job_id: job.id,
        plan_version: version,
        plan,
        by: 'steward',
        session: null,
      } as const;
      const next = {
        phase: () => store.nextIds('phases', 1)[0] ?? 0,
        feature: () => store.nextIds('features', 1)[0] ?? 0,
      };
      const ids = job.plan_accepted ? planIds(store.state, job, plan, next) : null;
      const accepted =
        ids === null
          ? []
          : [{ type: 'plan_accepted', job_id: job.id, plan_version: version, ids, by: 'steward' } as const];
      // A plan that omits started work is rejected before any part of it is committed.
      rehearse(store.state, [proposed, ...accepted]);
      const asked = jobApprovals(store.state, job.id).find((row) => row.status === 'pending' && row.kind === 'plan');
      await store.commit(proposed);
      if (asked !== undefined)
        await store.commit({ type: 'approval_voided', id: asked.id, reason: 'the plan was edited' });
      for (const draft of accepted) await store.commit(draft);
      // The job's loop repeats the earlier question about the plan.
      ports.work(job.id);
      return null;
    },
    mergeJob: async ({ jobId, mode, approvalId }) => {
      const over = need(store.state, 'jobs', jobId);
      if (isFinal(JOB, over.status)) return takeResult(ports, over, mode);
      const job = openJob(ports, jobId);
      const gate = mergeGate(store.state, job.id);
      if (gate === undefined) {
        throw failure('NOT_PERMITTED', `job ${job.id} is ${job.status} and does not wait at the merge gate`, {
          hint: 'See `autonomous jobs`.',
        });
      }
      if (gate.id !== approvalId) {
        throw failure('NOT_PERMITTED', `job ${job.id} asks question ${gate.id} by now, which was not looked at`, {
          hint: 'See `autonomous approvals`.',
        });
      }
      const choice = gate.kind === 'conflict' && mode === 'merge' ? 'retry' : mode;
      const answer = { decision: 'approved', choice, feedback: null, by: 'steward' } as const;
      checkDecision(ports, gate, answer);
      await store.commit({ type: 'approval_decided', id: gate.id, ...answer });
      ports.work(job.id);
      return null;
    },
    rollBack: async ({ jobId }) => {
      const job = need(store.state, 'jobs', jobId);
      if (job.merge === null || job.merge.rolledBack) {
        throw failure('NOT_PERMITTED', `job ${jobId} has no merge that could be rolled back`);
      }
      const message = `Revert "${job.title}"\n\nRolls back job ${job.id}.\n`;
      const result = await ports.git.rollBack(jobTree(ports.projectDir, job), job.merge, message);
      if (result.outcome === 'refused')
        throw failure('NOT_PERMITTED', `the merge cannot be rolled back: ${result.reason}`);
      await store.commit({ type: 'job_rolled_back', job_id: job.id, commit: result.commit });
      return { commit: result.commit };
    },
  } satisfies Partial<EngineRequests>;
}

/** Puts the finished work of an ended job where the steward wants it now. */
async function takeResult(ports: RequestPorts, job: JobRow, mode: MergeMode): Promise<null> {
  const refuse = (why: string, hint: string) =>
    failure('NOT_PERMITTED', `job ${job.id} is ${job.status}: ${why}`, { hint });
  if (job.head === null || job.head === job.baseline) throw refuse('it finished nothing', '');
  if (job.merge?.mode === 'merge' && !job.merge.rolledBack) throw refuse('its result is merged', '');
  if (mode === 'merge' && job.status !== 'completed') {
    throw refuse('what it finished was not verified as a whole', 'Take it as a branch or a patch and look at it.');
  }
  const result = await ports.git.integrate(mergeRequest(ports, job, mode, job.head));
  if (result.outcome === 'refused') throw refuse(result.reason, '');
  if (result.outcome === 'moved') {
    throw refuse('the base branch has moved on', `Merge the branch ${job.branch} yourself, or file a new brief.`);
  }
  await ports.store.commit({ type: 'result_merged', job_id: job.id, merge: result.merge });
  return null;
}

/** Throws what the reducer would throw for a series of drafts; changes nothing. */
function rehearse(state: State, drafts: readonly EventDraft[]): void {
  const copy: State = { ...state };
  for (const name of TABLE_NAMES) Object.assign(copy, { [name]: new Map<unknown, unknown>(state[name]) });
  for (const draft of drafts) {
    const { last_seq, epoch } = copy.meta;
    applyChanges(copy, reduce(copy, { ...draft, seq: last_seq + 1, epoch, at: '' }));
  }
}
