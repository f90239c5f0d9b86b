/** What a project's life refuses, and what goes with it. */
import { describe, expect, it } from 'vitest';
import { plainDefinition } from '../../../../src/core/project/reduceProjects.ts';
import { MAIN_PROJECT } from '../../../../src/shared/project/projects.ts';
import { JOB_ID } from '../../../support/state/builders.ts';
import { briefSubmitted, type Fold, startFold } from '../../../support/state/fold.ts';

const id = 'api';
const by = 'steward';
const job_id = JOB_ID;
const of = { project_id: id, by } as const;

const suspended = { type: 'project_suspended', ...of, reason: 'later' } as const;
const resumed = { type: 'project_resumed', ...of } as const;
const completed = { type: 'project_completed', ...of, reason: 'reached' } as const;
const archived = { type: 'project_archived', ...of } as const;

function created(project = id): Fold {
  const fold = startFold();
  fold.commit({ type: 'project_created', project: { id: project, model: null, workdir: null }, by });
  return fold;
}

/** With a job of its own under way. */
function working(): Fold {
  const fold = created();
  const submitted = briefSubmitted();
  if (submitted.type !== 'brief_submitted') throw new Error('no brief');
  fold.commit({ ...submitted, job: { ...submitted.job, project_id: id } });
  return fold;
}

const refused = (message: RegExp) =>
  expect.objectContaining({ code: 'ILLEGAL_TRANSITION', message: expect.stringMatching(message) });

const said = (project_id: string, messageId = 1) =>
  ({
    type: 'message_sent',
    message: {
      id: messageId,
      project_id,
      direction: 'in',
      sender: 'steward',
      text: 'hello',
      concerns: null,
      relayed_from: null,
      session_id: null,
    },
  }) as const;

describe('a project', () => {
  it('called default can be suspended and resumed, but not completed: briefs without a project go there', () => {
    const fold = created('default');
    expect(() => fold.commit({ ...completed, project_id: 'default' })).toThrow(refused(/cannot be completed/));
    fold.commit({ ...suspended, project_id: 'default' });
    expect(fold.state.projects.get('default')?.status).toBe('suspended');
    fold.commit({ type: 'project_resumed', project_id: 'default', by: 'steward' });
    expect(fold.state.projects.get('default')?.status).toBe('active');
  });

  it('is neither suspended nor completed while a job of it is being merged', () => {
    const fold = working();
    fold.commit({ type: 'merge_begun', job_id, commit: 'h', mode: 'merge' });
    for (const step of [suspended, completed]) expect(() => fold.commit(step)).toThrow(refused(/being merged/));
    fold.commit({ type: 'merge_ended', job_id, reason: 'it did not go through' });
    fold.commit(suspended);
  });

  it('is not completed while a job of it is open, paused or not', () => {
    const fold = working();
    expect(() => fold.commit(completed)).toThrow(refused(/has a job that is not over/));
    fold.commit({ type: 'job_paused', job_id, reason: 'a rest', by });
    expect(() => fold.commit(completed)).toThrow(refused(/has a job that is not over/));
    fold.commit({ type: 'job_cancelled', job_id, reason: 'enough', by });
    fold.commit(completed);
  });

  it('takes its jobs with it, and brings back those alone that it took', () => {
    const fold = working();
    fold.commit(suspended);
    expect(fold.state.jobs.get(job_id)?.status).toBe('paused');
    fold.commit(resumed);
    expect(fold.state.jobs.get(job_id)?.status).toBe('planning');
    fold.commit({ type: 'job_paused', job_id, reason: 'a rest', by }, suspended, resumed);
    expect(fold.state.jobs.get(job_id)?.status).toBe('paused');
  });

  it('that is over hears nothing, is not defined anew, and keeps what it was', () => {
    const fold = created();
    fold.commit(said(id), completed);
    const definition = { ...plainDefinition(), body: 'More.' };
    for (const status of ['completed', 'archived']) {
      expect(() => fold.commit(said(id, 2))).toThrow(refused(new RegExp(`is ${status}: nothing reaches it`)));
      expect(() => fold.commit({ type: 'project_defined', ...of, definition })).toThrow(refused(/nothing reaches it/));
      expect(() => fold.commit({ type: 'project_parked', project_id: id, reason: 'x', approval: null })).toThrow(
        refused(/it is not running anyway/),
      );
      if (status === 'completed') fold.commit(archived);
    }
    expect(fold.state.projects.get(id)).toMatchObject({ status: 'archived', reason: 'reached' });
    expect([...fold.state.messages.keys()]).toEqual([1]);
  });

  it('hears what is said while it is suspended, when it is resumed', () => {
    const fold = created();
    fold.commit(suspended, said(id));
    expect(fold.state.messages.get(1)?.read_at).toBeNull();
  });

  it.each([
    [suspended, 'suspended', suspended],
    [suspended, 'suspended', completed],
    [suspended, 'suspended', archived],
    [completed, 'completed', resumed],
    [completed, 'completed', suspended],
  ])('after %o is %s, which refuses %o', (step, status, next) => {
    const fold = created();
    fold.commit(step);
    expect(() => fold.commit(next)).toThrow(refused(new RegExp(status)));
    expect(fold.state.projects.get(id)?.status).toBe(status);
  });

  it('that ends, or rests, ends the sessions of its conversation, and no others', () => {
    const fold = created();
    fold.commit({ type: 'project_created', project: { id: MAIN_PROJECT, model: null, workdir: null }, by });
    const session = { job_id: null, role: 'project', model: 'm', phase_id: null, notes: [] } as const;
    fold.commit({ type: 'session_started', id: 1, project_id: id, ...session });
    fold.commit({ type: 'session_started', id: 2, project_id: MAIN_PROJECT, ...session }, suspended);
    expect([...fold.state.sessions.values()].map(({ status }) => status)).toEqual(['completed', 'running']);
  });
});
