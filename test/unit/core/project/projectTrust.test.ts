/** A workdir is worked on when the steward trusts exactly that one: no way of life of a project goes around it. */
import { expect, it } from 'vitest';
import { subjectOf } from '../../../../src/core/approval/about.ts';
import { waitsForTrust } from '../../../../src/core/project/projectTrust.ts';
import { plainDefinition } from '../../../../src/core/project/reduceProjects.ts';
import type { ProjectRow } from '../../../../src/shared/project/projects.ts';
import { newApproval } from '../../../support/state/builders.ts';
import { type Fold, startFold } from '../../../support/state/fold.ts';

const id = 'api';
const by = 'steward';
const A = '/code/a';
const B = '/code/b';

function created(workdir: string | null): Fold {
  const fold = startFold();
  const definition = plainDefinition(null, workdir);
  fold.commit({ type: 'project_created', project: { id, model: null, workdir, definition }, by });
  return fold;
}

function row({ state }: Fold): ProjectRow {
  const found = state.projects.get(id);
  if (found === undefined) throw new Error('there is no project');
  return found;
}

const defined = (fold: Fold, workdir: string | null): void =>
  fold.commit({ type: 'project_defined', project_id: id, definition: plainDefinition(null, workdir), by });

function asked(fold: Fold, path: string, approvalId = 1): void {
  const approval = newApproval({
    id: approvalId,
    job_id: null,
    project_id: id,
    kind: 'workdir',
    subject: subjectOf({ of: 'workdir', path }),
  });
  fold.commit({ type: 'approval_requested', approval });
}

const answered = (fold: Fold, decision: 'approved' | 'rejected', approvalId = 1): void =>
  fold.commit({ type: 'approval_decided', id: approvalId, decision, choice: null, feedback: 'no', by });

it('a project with another repository is parked from its first moment', () => {
  expect(row(created(A)).parked).toBe(waitsForTrust(A));
  expect(row(created(null)).parked).toBeNull();
});

it('runs once the steward trusts it', () => {
  const fold = created(A);
  asked(fold, A);
  answered(fold, 'approved');
  expect(row(fold)).toMatchObject({ parked: null, trusted_workdir: A });
});

it('stays parked when the steward does not', () => {
  const fold = created(A);
  asked(fold, A);
  answered(fold, 'rejected');
  expect(row(fold)).toMatchObject({ parked: waitsForTrust(A), trusted_workdir: null });
});

it('is not unparked, resumed or redefined around its trust', () => {
  const fold = created(A);
  fold.commit({ type: 'project_unparked', project_id: id });
  expect(row(fold).parked).toBe(waitsForTrust(A));
  fold.commit({ type: 'project_suspended', project_id: id, reason: '', by });
  expect(row(fold).parked).toBeNull();
  defined(fold, B);
  fold.commit({ type: 'project_resumed', project_id: id, by });
  expect(row(fold).parked).toBe(waitsForTrust(B));
});

it('an answer about one path is none about another', () => {
  const fold = created(A);
  asked(fold, A);
  defined(fold, B);
  expect(fold.state.approvals.get(1)?.status).toBe('void');
  asked(fold, A, 2);
  answered(fold, 'approved', 2);
  expect(row(fold)).toMatchObject({ parked: waitsForTrust(B), trusted_workdir: null });
});

it('a trusted one may be left for another, which is asked about', () => {
  const fold = created(A);
  asked(fold, A);
  answered(fold, 'approved');
  defined(fold, B);
  expect(row(fold)).toMatchObject({ parked: waitsForTrust(B), trusted_workdir: A });
});

it('a trusted one needs no second answer, and none at all goes without', () => {
  const fold = created(A);
  asked(fold, A);
  answered(fold, 'approved');
  defined(fold, null);
  expect(row(fold).parked).toBeNull();
  defined(fold, A);
  expect(row(fold).parked).toBeNull();
});

it('another reason for being parked stands', () => {
  const fold = created(A);
  asked(fold, A);
  fold.commit({ type: 'project_parked', project_id: id, reason: 'its thread dies', approval: null });
  answered(fold, 'approved');
  expect(row(fold).parked).toBe('its thread dies');
});
