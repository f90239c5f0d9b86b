/** Briefs that a project's conversation files, in its own project alone. */
import { need, projectJobs } from '../core/rows.ts';
import { briefLimits } from '../core/unpriced.ts';
import { WISHES } from '../engine/api.ts';
import type { Store } from '../engine/store.ts';
import type { Wishes } from '../engine/wishes/ports.ts';
import { failure } from '../shared/errors.ts';

export type GrantBrief = Pick<Wishes, 'submitBrief'>;

/**
 * A round of tools that was interrupted runs again: the same text from the same session is the same job, however often it is
 * asked for. The project's provider and scenario answer the job too. Throws NOT_PERMITTED for another project's session.
 */
export function conversationBriefs(store: Store, wishes: GrantBrief) {
  /** One after the other: two askings of one brief must not both find no job. */
  let last: Promise<unknown> = Promise.resolve();

  async function submit(projectId: string, sessionId: number, brief: string): Promise<{ readonly jobId: string }> {
    const { state } = store;
    const session = state.sessions.get(sessionId);
    if (session?.project_id !== projectId || session.job_id !== null) {
      throw failure('NOT_PERMITTED', 'a brief is filed by the conversation of its own project');
    }
    const known = projectJobs(state, projectId).find(
      (job) => job.brief === brief && job.created_at >= session.started_at,
    );
    if (known !== undefined) return { jobId: known.id };
    const definition = need(state, 'projects', projectId);
    const { provider, scenario } = definition;
    const unpricedLimits = briefLimits(definition);
    return wishes.submitBrief(
      WISHES.submitBrief.parse({ brief, project: projectId, provider, scenario, unpricedLimits }),
    );
  }

  return (projectId: string, sessionId: number, brief: string): Promise<{ readonly jobId: string }> => {
    const answer = last.then(() => submit(projectId, sessionId, brief));
    last = answer.catch(() => undefined);
    return answer;
  };
}
