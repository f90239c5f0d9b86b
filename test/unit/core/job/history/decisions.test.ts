import { describe, expect, it } from 'vitest';
import { subjectOf } from '../../../../../src/core/approval/about.ts';
import { decisionsOf } from '../../../../../src/core/job/history/decisions.ts';
import { aboutPlan } from '../../../../../src/core/job/plan/planSetup.ts';
import { planId } from '../../../../../src/core/state/planId.ts';
import type { ApprovalRow } from '../../../../../src/shared/approval.ts';
import {
  approvalRow,
  featureRow,
  JOB_ID,
  jobRow,
  phaseRow,
  planOf,
  stateOf,
} from '../../../../support/state/builders.ts';

const at = (minute: number): string => new Date(Date.UTC(2030, 0, 1, 0, minute)).toISOString();

/** Answered in the minute of its id, unless said otherwise. */
function answered(patch: Partial<ApprovalRow> & Pick<ApprovalRow, 'id' | 'kind'>): ApprovalRow {
  const { id } = patch;
  return approvalRow({
    subject: `${patch.kind}:${id}`,
    question: `Question ${id}?`,
    status: 'approved',
    decided_by: 'steward',
    requested_at: at(0),
    decided_at: at(id),
    ...patch,
  });
}

const shown = (...approvals: ApprovalRow[]) => decisionsOf(stateOf({ approvals }), JOB_ID).shown;
const idsOf = (...approvals: ApprovalRow[]): number[] => shown(...approvals).map(({ id }) => id);

describe('the decisions of a job', () => {
  it('are questions with their answers, who gave them and when', () => {
    const features = [featureRow({ id: 4, name: 'Parser' })];
    const phases = [phaseRow({ id: 2, title: 'Core' })];
    const approvals = [
      answered({ id: 1, kind: 'plan', status: 'rejected', feedback: ' Smaller features. ' }),
      answered({ id: 2, kind: 'stuck', feature_id: 4, phase_id: 2, question: 'Tabs?', feedback: 'Tabs.' }),
      answered({ id: 3, kind: 'pick', feature_id: 4, choice: '7' }),
      answered({ id: 5, kind: 'escalate', phase_id: 2, feedback: 'It is wanted.' }),
    ];
    expect(decisionsOf(stateOf({ features, phases, approvals }), JOB_ID)).toMatchObject({
      leftOut: 0,
      shown: [
        { id: 1, about: null, outcome: 'rejected', answer: 'Smaller features.', by: 'steward', at: at(1) },
        { id: 2, about: 'feature "Parser"', question: 'Tabs?', outcome: 'answered', answer: 'Tabs.', choice: null },
        { id: 3, about: 'feature "Parser"', outcome: 'approved', answer: null, choice: '7' },
        { id: 5, about: 'phase "Core"', outcome: 'answered', answer: 'It is wanted.' },
      ],
    });
  });

  it('come in the order of the answers, not of the questions', () => {
    const later = answered({ id: 1, kind: 'stuck', feedback: 'One.', decided_at: at(9) });
    expect(idsOf(later, answered({ id: 2, kind: 'stuck', feedback: 'Two.' }))).toEqual([2, 1]);
  });

  it('leave out what is open, void, about money, a plain yes, and another job', () => {
    const rows = [
      answered({ id: 1, kind: 'stuck', status: 'pending', decided_at: null }),
      answered({ id: 2, kind: 'merge', status: 'void', feedback: 'the head moved' }),
      answered({ id: 3, kind: 'limit', status: 'rejected', feedback: 'Enough.' }),
      answered({ id: 4, kind: 'provider', feedback: 'The key is there now.' }),
      answered({ id: 5, kind: 'plan' }),
      answered({ id: 6, kind: 'merge', choice: 'merge' }),
      answered({ id: 7, kind: 'stuck', subject: 'same_error:1' }),
      answered({ id: 8, kind: 'stuck', feedback: 'Yes.', job_id: 'another' }),
    ];
    expect(idsOf(...rows)).toEqual([]);
  });

  it('name the command that was refused, and an answer of an old log that has no words', () => {
    const [command, old] = shown(
      answered({ id: 1, kind: 'command', detail: 'curl x', status: 'rejected', feedback: 'No.' }),
      answered({ id: 2, kind: 'stuck' }),
    );
    expect(command?.question).toBe('Question 1?\ncurl x');
    expect(old).toMatchObject({ outcome: 'approved', answer: null });
  });

  it('hold the questions of a plan with the answer, whichever version asked them', () => {
    const plan = { ...planOf({ Core: ['a'] }), questions: ['Tabs?', 'Which port?'] };
    const plans = [{ id: planId(JOB_ID, 1), job_id: JOB_ID, version: 1, plan, by: 'planner' as const, at: '' }];
    const approvals = [
      answered({ id: 1, kind: 'plan', subject: subjectOf(aboutPlan(1, plan)), feedback: '1: yes. 2: 80.' }),
    ];
    expect(decisionsOf(stateOf({ plans, approvals }), JOB_ID).shown).toMatchObject([
      { question: 'Question 1?\n1. Tabs?\n2. Which port?', outcome: 'answered', answer: '1: yes. 2: 80.' },
    ]);
  });

  it('name the plan that was rejected as an earlier one only after another was accepted', () => {
    const plan = planOf({ Core: ['a'] });
    const plans = [{ id: planId(JOB_ID, 1), job_id: JOB_ID, version: 1, plan, by: 'planner' as const, at: '' }];
    const rejected = { status: 'rejected', feedback: 'Two phases.', subject: subjectOf(aboutPlan(1, plan)) } as const;
    const approvals = [answered({ id: 1, kind: 'plan', ...rejected })];
    const told = (plan_version: number, plan_accepted: boolean) =>
      decisionsOf(stateOf({ jobs: [jobRow({ plan_version, plan_accepted })], plans, approvals }), JOB_ID).shown[0];
    expect(told(1, false)?.about).toBeNull();
    expect(told(2, false)?.about).toBeNull();
    expect(told(2, true)).toMatchObject({
      about: 'version 1 of the plan; a later version was accepted',
      answer: 'Two phases.',
    });
  });

  it('are bounded: long texts are cut, and the newest stay', () => {
    const rows = Array.from({ length: 9 }, (_, id) => answered({ id, kind: 'stuck', feedback: 'x'.repeat(5_000) }));
    const { shown: kept, leftOut } = decisionsOf(stateOf({ approvals: rows }), JOB_ID);
    expect(kept.map(({ id }) => id)).toEqual([7, 8]);
    expect(leftOut).toBe(7);
    expect(kept[0]?.answer).toContain('2000 characters left out');
  });
});
