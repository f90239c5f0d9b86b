/** Briefs that a project's conversation files, in its own project alone. */

import { briefLimits } from '../../core/money/price/unpriced.ts';
import { turnBegan } from '../../core/project/conversations.ts';
import { oneByOne } from '../../core/session/oneByOne.ts';
import { isFinal, JOB } from '../../core/state/machines.ts';
import { need, projectJobs } from '../../core/state/rows.ts';
import { failure } from '../../shared/errors.ts';
import type { AskedBrief } from '../../shared/job/jobTool.ts';
import type { JobRow } from '../../shared/job/rows.ts';
import type { State } from '../../shared/workspace/state.ts';
import type { EngineRequests } from '../job/requests/ports.ts';
import { REQUESTS } from '../state/api.ts';
import type { Store } from '../state/store.ts';

const later = (a: string, b: string): string => (a < b ? b : a);

/** Maximum number of open jobs that a conversation starts without a person, in case it misbehaves. A person may start more. */
const MOST_OPEN = 10;

export type GrantBrief = Pick<EngineRequests, 'submitBrief'>;

/** The request for a brief that an agent files. */
export function filedBrief({ brief, atMostUsd, model }: AskedBrief) {
  return {
    brief,
    by: 'agent',
    ...(atMostUsd === undefined ? {} : { budgetMicroUsd: Math.round(atMostUsd * 1e6) }),
    ...(model === undefined ? {} : { models: { planner: model, worker: model, reviewer: model, summarizer: model } }),
  } as const;
}

/** The open job with this brief, because an interrupted round of tools is repeated: the brief is not filed twice. */
export function openJobOf(state: State, projectId: string, brief: string): JobRow | undefined {
  return projectJobs(state, projectId).find((job) => job.brief === brief && !isFinal(JOB, job.status));
}

/**
 * Files briefs of a conversation. An interrupted round of tools is repeated: the same text from the same session means the same
 * job as long as that is open, and in the same turn. Later it is a new request, for example by a heartbeat. The project's
 * provider and scenario answer the job too. Throws NOT_PERMITTED for another project's session.
 */
export function conversationBriefs(store: Store, requests: GrantBrief) {
  /** Requests run one after the other, because two requests with one brief must not both find no job. */
  const inTurn = oneByOne();

  async function submit(projectId: string, sessionId: number, asked: AskedBrief): Promise<{ readonly jobId: string }> {
    const { brief } = asked;
    const { state } = store;
    const session = state.sessions.get(sessionId);
    if (session?.project_id !== projectId || session.job_id !== null) {
      throw failure('NOT_PERMITTED', 'a conversation can file briefs only in its own project');
    }
    const since = later(session.started_at, turnBegan(state, projectId));
    const known = projectJobs(state, projectId).find(
      (job) =>
        job.brief === brief &&
        job.created_at >= session.started_at &&
        (!isFinal(JOB, job.status) || job.created_at >= since),
    );
    if (known !== undefined) return { jobId: known.id };
    const open = projectJobs(state, projectId).filter((job) => !isFinal(JOB, job.status)).length;
    if (open >= MOST_OPEN) {
      throw failure('NOT_PERMITTED', `${open} jobs of this project are not over: no more are filed until one is`, {
        hint: 'You are notified when one ends; notify reports what is left.',
      });
    }
    const definition = need(state, 'projects', projectId);
    const { provider, scenario } = definition;
    const unpricedLimits = briefLimits(definition);
    return requests.submitBrief(
      REQUESTS.submitBrief.parse({ ...filedBrief(asked), project: projectId, provider, scenario, unpricedLimits }),
    );
  }

  return (projectId: string, sessionId: number, asked: AskedBrief): Promise<{ readonly jobId: string }> =>
    inTurn(() => submit(projectId, sessionId, asked));
}
