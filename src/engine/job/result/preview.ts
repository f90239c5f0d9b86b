/**
 * Computes the request that a job sends next, byte for byte, without sending it. Results of verify commands before a review are
 * omitted. For an external agent it computes the prompt, because the agent makes its own requests.
 */

import { executorFor } from '../../../core/agent/executors.ts';
import type { Action } from '../../../core/job/action.ts';
import { nextAction } from '../../../core/job/nextAction.ts';
import { need, openSession } from '../../../core/state/rows.ts';
import { reduce } from '../../../core/workspace/reduce.ts';
import { failure } from '../../../shared/errors.ts';
import { applyChanges, type State } from '../../../shared/workspace/state.ts';
import type { TranscriptEntry } from '../../session/ports.ts';
import { nextRequest } from '../../session/transcript/nextRequest.ts';
import { plannerAssignment } from '../actions/plan.ts';
import { evidenceAt } from '../actions/review.ts';
import { reviewerAssignment } from '../actions/reviewerAssignment.ts';
import { summarizerAssignment } from '../actions/summarize.ts';
import type { LoopPorts } from '../context.ts';
import { routePlanner, routeReviewer, routeWorker } from '../routes.ts';
import { type EvalResultsPort, routingRecord } from '../routingRecord.ts';
import { jobHead } from '../tree/tree.ts';
import { continuedSession, workerAssignment } from '../work/workerAssignment.ts';
import { type Preview, request } from './previewRequest.ts';
import { silentStep } from './silentStep.ts';

export type PreviewPorts = Pick<LoopPorts, 'git' | 'clock' | 'projectDir' | 'projectBody'> &
  EvalResultsPort & {
    readonly state: State;
    /** The journal of a session. */
    transcript(sessionId: number): Promise<readonly TranscriptEntry[]>;
  };

/** Changes `ports.state`: pass a copy. Takes the decisions that need no person in it, up to the next request. */
export async function previewNext(ports: PreviewPorts, jobId: string): Promise<Preview> {
  let lacks = '';
  for (;;) {
    const action = nextAction(ports.state, jobId, ports.clock.now());
    const drafts = silentStep(ports.state, jobId, action);
    if (drafts === null) return preview(ports, jobId, action, lacks);
    if (action.do === 'check_baseline')
      lacks = ', without the results of the verify commands, which run before any work';
    const { meta } = ports.state;
    const event = {
      ...drafts,
      seq: meta.last_seq + 1,
      epoch: meta.epoch,
      at: new Date(ports.clock.now()).toISOString(),
    };
    applyChanges(ports.state, reduce(ports.state, event));
  }
}

async function preview(ports: PreviewPorts, jobId: string, action: Action, unverified: string): Promise<Preview> {
  const { state } = ports;
  const job = need(state, 'jobs', jobId);
  const begun = roleOf(action);
  if (
    begun !== null &&
    openSession(state, { job_id: jobId, role: begun.role, phaseId: begun.phaseId, reviews: null }) !== undefined
  ) {
    throw nothing(`a ${begun.role} session is in progress: it continues from its transcript`);
  }
  const context = { ...ports, jobId, store: { state } as LoopPorts['store'], memory: { facts: null } };
  switch (action.do) {
    case 'plan':
      return request(
        'planner',
        { ...(await plannerAssignment(context, job, state)), model: routePlanner(job).model },
        executorFor(job, 'planner'),
      );
    case 'attempt': {
      const { phase, feature } = action;
      const given = await workerAssignment(context, job, phase, feature);
      const describes = `worker for feature ${feature.id} "${feature.name}"${unverified}`;
      const record: Pick<LoopPorts, 'routingRecord'> = {
        routingRecord: (provider) => routingRecord(ports, state, provider),
      };
      const { model } = await routeWorker(record, state, job, feature);
      const continued = continuedSession(context, job, feature, model);
      const entries = continued === null ? [] : await ports.transcript(continued);
      const next = nextRequest(entries, given.again);
      if (next !== null) return { describes, body: JSON.stringify(next) };
      return request(describes, { ...given.spec, model }, executorFor(job, 'worker', feature));
    }
    case 'summarize':
      return request(`summarizer for phase ${action.phase.number}`, await summarizerAssignment(context, action.phase));
    case 'review': {
      const evidence = evidenceAt(state, action.phase, jobHead(job));
      const lacks = evidence === null ? ', without the results of the verify commands, which run first' : '';
      return request(
        `reviewer for phase ${action.phase.number}${lacks}`,
        {
          ...(await reviewerAssignment(context, action.phase, evidence)),
          model: routeReviewer(state, job, action.phase).model,
        },
        executorFor(job, 'reviewer'),
      );
    }
    case 'await':
      throw nothing(`the steward is asked first: ${action.approvals[0]?.question ?? ''}`);
    case 'ask':
      throw nothing('the steward is asked first');
    case 'resume':
      throw nothing('an attempt is in progress: it continues from its transcript');
    case 'clone':
      throw nothing('the clone is not made yet');
    case 'stop':
      throw nothing(`job ${jobId} is ${job.status}`);
    default:
      throw nothing(`next is ${action.do.replaceAll('_', ' ')}, which sends nothing`);
  }
}

/** The role of the session that an action starts or resumes. */
function roleOf(
  action: Action,
): { readonly role: 'planner' | 'summarizer' | 'reviewer'; readonly phaseId: number | null } | null {
  if (action.do === 'plan') return { role: 'planner', phaseId: null };
  if (action.do === 'summarize') return { role: 'summarizer', phaseId: action.phase.id };
  return action.do === 'review' ? { role: 'reviewer', phaseId: action.phase.id } : null;
}

function nothing(why: string) {
  return failure('NOT_PERMITTED', `there is no next request to show: ${why}`);
}
