/** A project's limits: what is asked when one is reached, and what becomes of the answer. */

import { describe, expect, it } from 'vitest';
import { limitAskedAbout, subjectOf } from '../../../../../src/core/approval/about.ts';
import { plainDefinition } from '../../../../../src/core/project/reduceProjects.ts';
import { limitQuestion } from '../../../../../src/engine/approval/questions.ts';
import { limitRaised } from '../../../../../src/engine/job/actions/limits.ts';
import type { RequestPorts } from '../../../../../src/engine/job/requests/ports.ts';
import { stewardRequests } from '../../../../../src/engine/job/requests/steward.ts';
import type { ProjectLimits } from '../../../../../src/shared/project/projects.ts';
import { newApproval } from '../../../../support/state/builders.ts';
import { briefSubmitted, type Fold, startFold } from '../../../../support/state/fold.ts';

const LIMITS: ProjectLimits = { dayMicroUsd: 1_000_000, totalMicroUsd: 5_000_000, tokens: 20_000, toolCalls: 30 };
const p = 'default';

/** A project with these limits, a job, and a question about a limit: of the job (id 1) and of the conversation (id 2). */
function asked(limit: string, raiseTo: number | null): Fold {
  const fold = startFold();
  const definition = { ...plainDefinition(), body: 'Goal.', limits: LIMITS };
  fold.commit(
    { type: 'project_created', project: { id: p, model: null, workdir: null, definition } },
    briefSubmitted(),
  );
  for (const id of [1, 2]) {
    const of = id === 1 ? { phase_id: null } : { job_id: null, project_id: p, phase_id: null };
    const { about, question, choices } = limitQuestion(limit, id, raiseTo);
    const approval = newApproval({
      ...of,
      id,
      kind: 'limit',
      feature_id: null,
      subject: subjectOf(about),
      question,
      choices,
    });
    fold.commit({ type: 'approval_requested', approval });
  }
  fold.commit({ type: 'job_awaiting', job_id: 'job-1', reason: 'limit' });
  return fold;
}

const limitsOf = ({ state }: Fold) => state.projects.get(p)?.limits;
const statuses = ({ state }: Fold) => [1, 2].map((id) => state.approvals.get(id)?.status);

function raise(fold: Fold, id: number): void {
  const approval = fold.state.approvals.get(id);
  if (approval === undefined) throw new Error('nothing was asked');
  fold.commit(limitRaised(fold.state, approval));
}

describe('the question', () => {
  it.each([
    ['project_day', 2_500_000, "The project's daily limit is reached. Raise it to $2.50 and continue?"],
    ['project_total', 12_000_000, "The project's limit is reached. Raise it to $12.00 and continue?"],
    ['project_tokens', 40_000, "The project's token limit is reached. Raise it to 40,000 tokens and continue?"],
    ['project_tool_calls', 60, "The project's tool call limit is reached. Raise it to 60 tool calls and continue?"],
    ['day', 2_500_000, 'The day limit is reached. Raise it to $2.50 and continue?'],
    ['calls', 4, 'The calls limit is reached. Raise it to 4 calls and continue?'],
  ])('about %s names it, and the amount', (limit, raiseTo, words) => {
    const { question, about, choices } = limitQuestion(limit, 7, raiseTo);
    expect([question, choices]).toEqual([words, ['raise']]);
    expect(limitAskedAbout(subjectOf(about))).toMatchObject({ limit, raiseTo });
  });

  it('without an amount is to double it', () => {
    const { question, about } = limitQuestion('project_tokens', 7, null);
    expect(question).toBe("The project's token limit is reached. Double it and continue?");
    expect(limitAskedAbout(subjectOf(about))).toMatchObject({ limit: 'project_tokens', raiseTo: null });
  });
});

describe('an approved question', () => {
  it.each([
    ['project_day', 'dayMicroUsd', 2_500_000],
    ['project_total', 'totalMicroUsd', 12_000_000],
    ['project_tokens', 'tokens', 50_000],
    ['project_tool_calls', 'toolCalls', 60],
  ] as const)(
    "raises the project's %s to what was asked, whoever asked, and nothing else of it",
    (limit, name, raiseTo) => {
      for (const id of [1, 2]) {
        const fold = asked(limit, raiseTo);
        raise(fold, id);
        expect(limitsOf(fold)).toEqual({ ...LIMITS, [name]: raiseTo });
        expect(fold.state.projects.get(p)?.body).toBe('Goal.');
      }
    },
  );

  it('doubles where no amount was named, and never lowers', () => {
    const doubled = asked('project_tokens', null);
    raise(doubled, 2);
    expect(limitsOf(doubled)?.tokens).toBe(40_000);
    const lower = asked('project_tokens', 10);
    raise(lower, 2);
    expect(limitsOf(lower)?.tokens).toBe(20_000);
  });

  it('of a conversation about a limit of all raises that one', () => {
    const fold = asked('total', 9_000_000);
    fold.commit({ type: 'limits_set', limits: { ...fold.state.meta.limits, totalMicroUsd: 1 }, by: 'steward' });
    raise(fold, 2);
    expect(fold.state.meta.limits.totalMicroUsd).toBe(9_000_000);
    expect(limitsOf(fold)).toEqual(LIMITS);
  });

  it('of a conversation about a limit that only jobs have raises nothing', () => {
    const fold = asked('job', 1);
    expect(() => raise(fold, 2)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });

  it.each([
    ['approved', { ...LIMITS, tokens: 50_000 }],
    ['rejected', LIMITS],
  ] as const)('of a conversation counts by being answered: %s', async (decision, limits) => {
    const fold = asked('project_tokens', 50_000);
    const store = { state: fold.state, commit: async (draft: Parameters<Fold['commit']>[0]) => fold.commit(draft) };
    const requests = stewardRequests({ store, work: () => undefined } as unknown as RequestPorts);
    const choice = decision === 'approved' ? 'raise' : null;
    await requests.decide({ approvalId: 2, decision, choice, feedback: 'no', by: 'steward' });
    expect(limitsOf(fold)).toEqual(limits);
    expect(fold.state.approvals.get(2)?.status).toBe(decision);
    await expect(requests.decide({ approvalId: 2, decision, choice, feedback: 'no', by: 'steward' })).rejects.toThrow();
    expect(limitsOf(fold)).toEqual(limits);
  });

  it('names what it grants: a bare yes over the socket raises nothing', async () => {
    const fold = asked('project_tokens', 50_000);
    const store = { state: fold.state, commit: async (draft: Parameters<Fold['commit']>[0]) => fold.commit(draft) };
    const requests = stewardRequests({ store, work: () => undefined } as unknown as RequestPorts);
    const bare = requests.decide({ approvalId: 2, decision: 'approved', choice: null, feedback: null, by: 'steward' });
    await expect(bare).rejects.toMatchObject({ code: 'INVALID_INPUT', hint: 'Choose one of: raise.' });
    expect(limitsOf(fold)).toEqual(LIMITS);
    expect(fold.state.approvals.get(2)?.status).toBe('pending');
  });
});

describe('a limit that is raised otherwise', () => {
  const define = (fold: Fold, limits: Partial<ProjectLimits>): void => {
    const definition = { ...plainDefinition(), limits: { ...LIMITS, ...limits } };
    fold.commit({ type: 'project_defined', project_id: p, definition, by: 'steward' });
  };

  it.each([[{ tokens: 30_000 }], [{ tokens: null }]])(
    'settles what asked about it, and the job goes on: %j',
    (limits) => {
      const fold = asked('project_tokens', 50_000);
      define(fold, limits);
      expect(statuses(fold)).toEqual(['void', 'void']);
      expect(fold.state.jobs.get('job-1')?.status).toBe('planning');
    },
  );

  it.each([[{ tokens: 20_000 }], [{ tokens: 10_000 }], [{ toolCalls: 500 }]])(
    "leaves the job's question where there is no more of what it is about: %j",
    (limits) => {
      const fold = asked('project_tokens', 50_000);
      define(fold, limits);
      expect(statuses(fold)[0]).toBe('pending');
      expect(fold.state.jobs.get('job-1')?.status).toBe('awaiting_steward');
    },
  );

  it('wakes what waits for the next day, where there is more of this one', () => {
    const waiting = (limits: Partial<ProjectLimits>): Fold => {
      const fold = asked('job', 1);
      fold.commit({ type: 'approval_voided', id: 1, reason: 'test' });
      fold.commit({ type: 'job_waiting', job_id: 'job-1', reason: 'day', wake_at: '2026-11-03T00:00:00.000Z' });
      define(fold, limits);
      return fold;
    };
    const job = ({ state }: Fold) => state.jobs.get('job-1');
    expect(job(waiting({ dayMicroUsd: 2_000_000 }))).toMatchObject({ status: 'planning', wake_at: null });
    expect(job(waiting({ dayMicroUsd: null }))?.status).toBe('planning');
    expect(job(waiting({ dayMicroUsd: 500_000, tokens: null }))?.status).toBe('waiting');
  });

  it('leaves questions about the job’s own budget', () => {
    const fold = asked('job', 50_000);
    define(fold, { tokens: null, toolCalls: null, dayMicroUsd: null, totalMicroUsd: null });
    expect(statuses(fold)[0]).toBe('pending');
  });
});
