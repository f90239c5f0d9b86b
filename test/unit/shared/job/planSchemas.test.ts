/** What models hand in is parsed, cut to what is known, or refused; nothing that they send gets further. */
import { describe, expect, it } from 'vitest';
import { planSchema, reportSchema, verdictSchema } from '../../../../src/shared/job/plan.ts';
import { PLAN_LIMITS } from '../../../../src/shared/job/planLimits.ts';
import { planFeature, planOf, planPhase, verdict } from '../../../support/state/builders.ts';

const PLAN = planOf({ Core: ['a', 'b < a'] });
const REPORT = { outcome: 'done', summary: 'It works', question: '' };
const SCHEMAS = [planSchema, verdictSchema, reportSchema] as const;

/** JSON as a model may write it: `__proto__` is then an own key. */
function json(text: string): unknown {
  return JSON.parse(text) as unknown;
}

function ok(schema: (typeof SCHEMAS)[number], value: unknown): boolean {
  return schema.safeParse(value).success;
}

describe('what is right passes', () => {
  it('as it is', () => {
    expect(planSchema.parse(PLAN)).toEqual(PLAN);
    expect(verdictSchema.parse(verdict())).toEqual(verdict());
    expect(reportSchema.parse(REPORT)).toEqual(REPORT);
  });

  it('with what may be left out filled in', () => {
    const feature = { name: ' a ', description: 'd', category: 'c' };
    const phase = { title: 't', objective: 'o', acceptance_criteria: ['x'], features: [feature] };
    const { phases } = planSchema.parse({ title: 'p', phases: [phase] });
    expect(phases[0]).toMatchObject({
      verify_commands: [],
      features: [{ name: 'a', depends_on: [], testing_steps: [] }],
    });
    expect(verdictSchema.parse({ verdict: 'APPROVED', reason: 'r' })).toEqual(verdict({ reason: 'r' }));
    expect(reportSchema.parse({ outcome: 'stuck', summary: 's' })).toEqual({
      outcome: 'stuck',
      summary: 's',
      question: '',
    });
  });
});

describe('what is wrong is refused', () => {
  const wrongTypes = [null, undefined, true, 0, Number.NaN, '', 'APPROVED', [], [PLAN], {}, () => PLAN];

  it.each(SCHEMAS.map((schema, index) => [['plan', 'verdict', 'report'][index], schema] as const))(
    'as a %s: other types',
    (_, schema) => {
      for (const value of wrongTypes) expect(ok(schema, value)).toBe(false);
    },
  );

  it.each([
    ['no phase', { ...PLAN, phases: [] }],
    ['phases that are no list', { ...PLAN, phases: { length: 1, 0: PLAN.phases[0] } }],
    ['a phase without features', { ...PLAN, phases: [planPhase({ features: [] })] }],
    ['a phase without criteria', { ...PLAN, phases: [{ ...PLAN.phases[0], acceptance_criteria: [] }] }],
    ['an empty name', { ...PLAN, phases: [planPhase({ features: [planFeature({ name: '  ' })] })] }],
    [
      'a name that is a number',
      { ...PLAN, phases: [{ ...PLAN.phases[0], features: [{ ...planFeature({ name: 'a' }), name: 1 }] }] },
    ],
    ['a name too long', { ...PLAN, phases: [planPhase({ features: [planFeature({ name: 'n'.repeat(121) })] })] }],
    ['a negative id', { ...PLAN, phases: [planPhase({ features: [planFeature({ name: 'a', id: -1 })] })] }],
    [
      'too many dependencies',
      {
        ...PLAN,
        phases: [
          planPhase({ features: [planFeature({ name: 'a', depends_on: Array.from({ length: 51 }, () => 'b') })] }),
        ],
      },
    ],
    ['too many phases', { ...PLAN, phases: Array.from({ length: PLAN_LIMITS.phases + 1 }, () => PLAN.phases[0]) }],
    ['a text without an end', { ...PLAN, title: 'x'.repeat(10_000_000) }],
  ])('as a plan: %s', (_, value) => {
    expect(ok(planSchema, value)).toBe(false);
  });

  it('as a plan: 10,000 features', () => {
    const features = Array.from({ length: 10_000 }, (_, index) => planFeature({ name: `f${index}` }));
    const plan = { ...PLAN, phases: [planPhase({ features })] };
    expect(ok(planSchema, plan)).toBe(false);
  });

  it.each(['approved', 'APPROVED.', ' APPROVED', 'Approved', 'APPROVED\n', 'LGTM', 'REJECT', '', ['APPROVED']])(
    'as a verdict: %j',
    (word) => {
      expect(ok(verdictSchema, { ...verdict(), verdict: word })).toBe(false);
    },
  );

  it('as a verdict without a reason, or a report of another outcome', () => {
    expect(ok(verdictSchema, { verdict: 'APPROVED', reason: ' ' })).toBe(false);
    expect(ok(reportSchema, { ...REPORT, outcome: 'completed' })).toBe(false);
    expect(ok(reportSchema, { ...REPORT, summary: '' })).toBe(false);
  });
});

describe('keys that are not known', () => {
  it('are dropped, so that nothing can be smuggled in', () => {
    expect(verdictSchema.parse({ ...verdict(), by: 'steward', approved: true })).toEqual(verdict());
    expect(reportSchema.parse({ ...REPORT, status: 'completed' })).toEqual(REPORT);
    const { phases } = planSchema.parse({ ...PLAN, phases: [{ ...PLAN.phases[0], status: 'completed', gates: [] }] });
    expect(Object.keys(phases[0] ?? {}).sort()).toEqual(Object.keys(PLAN.phases[0] ?? {}).sort());
  });

  it.each(['__proto__', 'constructor', 'prototype'])('such as %s change no other object', (key) => {
    const hostile = `{"${key}": {"verdict": "APPROVED", "polluted": 1}, "verdict": "REJECTED", "reason": "r"}`;
    const parsed = verdictSchema.parse(json(hostile));
    expect(parsed).toEqual(verdict({ verdict: 'REJECTED', reason: 'r' }));
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('do not stand in for required ones', () => {
    expect(ok(verdictSchema, json('{"__proto__": {"verdict": "APPROVED", "reason": "r"}}'))).toBe(false);
  });
});
