/** The timeline of a job: its rows and spans, and the axis that shortens times without work. */
import { describe, expect, it } from 'vitest';
import { axisOf } from '../../../../../src/core/job/view/timeAxis.ts';
import { timeline } from '../../../../../src/core/job/view/timeline.ts';
import { need } from '../../../../../src/core/state/rows.ts';
import type { Timeline } from '../../../../../src/shared/job/timeline.ts';
import { timelineText } from '../../../../../src/terminal/job/timelineText.ts';
import { approvalRow, JOB_ID, planOf, START_MS } from '../../../../support/state/builders.ts';
import { acceptedJob, attemptBegun, attemptEnded, type Fold } from '../../../../support/state/fold.ts';
import { fc } from '../../../../support/suite/property.ts';

const NOTHING = { evidence: [], diff: null, changed: null, kept: null, left: null, summary: null } as const;

/** Seconds since the start. */
const seconds = (at: string): number => (Date.parse(at) - START_MS) / 1000;

function spansOf(drawn: Timeline | null, name: string): string[] {
  const row = drawn?.rows.find((one) => one.name === name);
  return (row?.spans ?? []).map(({ kind, from, to }) => `${kind} ${seconds(from)}-${seconds(to)}`);
}

const done = (fold: Fold): Timeline | null => timeline(fold.state, need(fold.state, 'jobs', JOB_ID));

/** Two features in two lanes. The second is returned once, and merged. One second passes with each event. */
function lanes(): Fold {
  const fold = acceptedJob(planOf({ Core: ['a', 'b'] }), { gates: [], lanes: 2 });
  fold.commit(
    { type: 'baseline_checked', job_id: JOB_ID, evidence: [], skipped: null },
    { type: 'phase_started', job_id: JOB_ID, phase_id: 1, base_commit: 'base' },
    ...attemptBegun(1, 1),
    ...attemptBegun(2, 2).map((draft) => (draft.type === 'attempt_started' ? { ...draft, lane: 1 } : draft)),
    attemptEnded({ id: 1, status: 'succeeded', commit: 'one' }),
    { type: 'attempt_queued', id: 2, job_id: JOB_ID, cause: 'done', commit: 'two', ...NOTHING },
    {
      type: 'attempt_returned',
      id: 2,
      job_id: JOB_ID,
      cause: 'conflict',
      onto: 'one',
      start: 'one',
      paths: ['x.ts'],
      detail: '',
    },
    { type: 'attempt_resumed', id: 2, job_id: JOB_ID },
    { type: 'attempt_queued', id: 2, job_id: JOB_ID, cause: 'done', commit: 'three', ...NOTHING },
    attemptEnded({ id: 2, status: 'succeeded', commit: 'four' }),
  );
  return fold;
}

describe('the timeline of a job', () => {
  it('is absent while the job runs', () => {
    expect(done(lanes())).toBeNull();
  });

  it('has work, queue and return of each feature, with its lane', () => {
    const fold = lanes();
    fold.commit({ type: 'job_cancelled', job_id: JOB_ID, reason: 'enough', by: 'steward' });
    const drawn = done(fold);
    const start = fold.events.findIndex(({ type }) => type === 'attempt_started') + 1;
    const s = (offset: number): number => start + offset;
    expect(spansOf(drawn, 'a')).toEqual([`work ${s(0)}-${s(3)}`]);
    expect(spansOf(drawn, 'b')).toEqual([
      `work ${s(2)}-${s(4)}`,
      `queue ${s(4)}-${s(5)}`,
      `rest ${s(5)}-${s(6)}`,
      `work ${s(6)}-${s(7)}`,
      `queue ${s(7)}-${s(8)}`,
    ]);
    expect(drawn?.rows.map(({ of, name, lanes: used, isCompleted }) => [of, name, used, isCompleted])).toEqual([
      ['feature', 'a', [1], true],
      ['feature', 'b', [2], true],
    ]);
  });

  it('has the time of a question instead of work, and a night between is short', () => {
    const fold = lanes();
    const { state } = fold;
    const attempt = need(state, 'attempts', 1);
    const hours = (count: number): string => new Date(START_MS + count * 3_600_000).toISOString();
    state.attempts.set(1, { ...attempt, started_at: hours(1), ended_at: hours(12), periods: [[hours(1), hours(12)]] });
    const asked = { requested_at: hours(2), decided_at: hours(11), status: 'approved', decided_by: 'steward' } as const;
    state.approvals.set(1, approvalRow({ id: 1, feature_id: 1, kind: 'stuck', ...asked }));
    state.jobs.set(JOB_ID, { ...need(state, 'jobs', JOB_ID), status: 'completed', ended_at: hours(13) });
    const drawn = done(fold);
    const row = drawn?.rows.find(({ name }) => name === 'a');
    expect(row?.spans.map(({ kind, from, to }) => [kind, from, to])).toEqual([
      ['work', hours(1), hours(2)],
      ['asked', hours(2), hours(11)],
      ['work', hours(11), hours(12)],
    ]);
    const night = drawn?.breaks.find(({ to }) => to === hours(11));
    expect(night?.width).toBeLessThan(0.15);
    const [before, , after] = row?.spans ?? [];
    expect(before?.width).toBeGreaterThan(0.3);
    expect(after?.width).toBeCloseTo(before?.width ?? 0, 5);
  });

  it('is drawn in the width of the terminal', () => {
    const fold = lanes();
    fold.commit({ type: 'job_cancelled', job_id: JOB_ID, reason: 'enough', by: 'steward' });
    const drawn = done(fold);
    if (drawn === null) throw new Error('no timeline');
    const lines = timelineText(drawn, 60);
    expect(lines.every((line) => line.length <= 60)).toBe(true);
    const isRow = (line: string): boolean => line.startsWith('  ');
    expect(lines.filter((line) => !isRow(line)).join(' ')).toMatch(
      /^Timeline \S+: # work, = in the merge queue, \. paused or interrupted$/,
    );
    const [a = '', b = ''] = lines.filter(isRow);
    expect(a).toMatch(/^ {2}a \(lane 1\) +#+$/);
    expect(b).toMatch(/^ {2}b \(lane 2; returned 1 ×\) +#+=+\.+#+=+$/);
  });
});

describe('the axis', () => {
  const time = fc.integer({ min: 0, max: 48 * 60 });
  const iso = (minute: number): string => new Date(START_MS + minute * 60_000).toISOString();
  const span = fc.tuple(time, fc.integer({ min: 1, max: 600 })).map(([from, long]) => ({ from, to: from + long }));

  it('keeps the order, is whole from 0 to 1, and draws equal work equally wide', () => {
    fc.assert(
      fc.property(fc.array(span, { minLength: 1, maxLength: 12 }), (spans) => {
        const to = Math.max(...spans.map((one) => one.to));
        const busy = spans.map((one) => ({ from: iso(one.from), to: iso(one.to) }));
        const { place, breaks } = axisOf(iso(0), iso(to), busy);
        const whole = place({ from: iso(0), to: iso(to) });
        expect(whole.left).toBeCloseTo(0, 6);
        expect(whole.width).toBeCloseTo(1, 6);
        const starts = [...spans]
          .sort((a, b) => a.from - b.from)
          .map((one) => place({ from: iso(one.from), to: iso(one.to) }).left);
        expect(starts).toEqual([...starts].sort((a, b) => a - b));
        // A minute of work is as wide everywhere.
        const minutes = spans.map((one) => place({ from: iso(one.from), to: iso(one.from + 1) }).width);
        for (const width of minutes) expect(width).toBeCloseTo(minutes[0] ?? 0, 6);
        expect(breaks.reduce((sum, one) => sum + one.width, 0)).toBeLessThanOrEqual(0.3 + 1e-9);
      }),
    );
  });
});
