/** Plans and verdicts that cannot be taken: one repair, then the steward; never an approval, never a silent cut. */
import { describe, expect, test } from 'vitest';
import type { Scenario } from '../../../../src/adapters/simulated/scenario.ts';
import { type attempt, scenarioOf } from '../../../support/demo/briefs.ts';
import { lastMessage } from '../../../support/world/jobWorld.ts';
import { LoopWorld } from '../../../support/world/loopWorld.ts';

type Turn = ReturnType<typeof attempt>['turns'][number];

const submits = (tool: string, ...inputs: readonly unknown[]): Turn => ({
  text: '',
  calls: inputs.map((input) => ({ tool, input: input as never })),
});

function planOf(...features: readonly { readonly name: string; readonly depends_on?: readonly string[] }[]) {
  return {
    title: 'T',
    phases: [
      {
        title: 'P',
        objective: 'O',
        acceptance_criteria: ['works'],
        verify_commands: [],
        features: features.map((feature) => ({ description: 'D', category: 'c', ...feature })),
      },
    ],
  };
}

const MANY = planOf(...Array.from({ length: 10_000 }, (_, index) => ({ name: `f${index}` })));
const SIX_HUNDRED = {
  title: 'T',
  phases: [0, 1].map((nth) => ({
    ...MANY.phases[0],
    title: `P${nth}`,
    features: MANY.phases[0]?.features.slice(300 * nth, 300 * nth + 300),
  })),
};

const BAD_PLANS: readonly (readonly [string, unknown, RegExp])[] = [
  ['a circle', planOf({ name: 'A', depends_on: ['B'] }, { name: 'B', depends_on: ['A'] }), /circle among: A, B/],
  ['two of one name', planOf({ name: 'A' }, { name: 'A' }), /two features are named/],
  ['a dependency on nothing', planOf({ name: 'A', depends_on: ['Z'] }), /which is not in the plan/],
  ['600 features in two phases', SIX_HUNDRED, /600 features, at most 500/],
  ['10,000 features', MANY, /features/],
  ['wrong types', { title: 7, phases: 'many' }, /title|phases/],
  ['no phases', { title: 'T', phases: [] }, /phases/],
];

describe('a plan that cannot be carried out', () => {
  test.each(BAD_PLANS)('%s: one repair turn, then refused, then the steward', async (_, plan, fault) => {
    const turn = submits('submit_plan', plan);
    const scenario: Scenario = scenarioOf([{ features: [{ name: 'A' }] }], {
      planning: [
        { turns: [turn, turn], submit: false },
        { turns: [turn, turn], submit: false },
        { turns: [], submit: true },
      ],
    });
    await using world = await LoopWorld.open({ scenario });
    await world.submit();
    const asked = await world.asked('escalate');
    expect(world.sent('planner')).toHaveLength(4);
    expect(world.sent('planner')[1]?.body).toMatch(fault);
    expect(world.happened('plan_refused').map((event) => event.by)).toEqual(['engine', 'engine']);
    expect(asked.question).toContain('The planner gave no plan');
    expect(world.happened('plan_proposed')).toEqual([]);
    await world.approve('escalate');
    await world.is('completed');
    expect(world.sent('planner')).toHaveLength(5);
  });

  test('is repaired in one turn', async () => {
    const turns = [submits('submit_plan', planOf({ name: 'A', depends_on: ['A'] }))];
    const scenario = scenarioOf([{ features: [{ name: 'A' }] }], { planning: [{ turns, submit: true }] });
    await using world = await LoopWorld.open({ scenario });
    await world.run();
    expect(lastMessage(world.sent('planner')[1])).toContain('The plan cannot be carried out');
    expect(world.happened('plan_refused')).toEqual([]);
  });

  test('is repaired by corrections of the wrong places alone', async () => {
    const wrong = planOf({ name: 'A' }, { name: 'B', depends_on: ['a'] });
    const at = (...path: (string | number)[]) => ['phases', 'P', ...path];
    const corrections = [{ path: at('features', 'B', 'depends_on'), value: ['A'] }];
    const turns = [
      submits('submit_plan', { ...wrong, title: '' }),
      submits('submit_plan', { corrections: [{ path: ['title'], value: 'T' }] }),
      submits('submit_plan', { corrections: [{ path: at('features', 'b', 'name'), value: 'C' }] }),
      submits('submit_plan', { corrections }),
    ];
    const scenario = scenarioOf([{ features: [{ name: 'A' }, { name: 'B' }] }], {
      planning: [{ turns, submit: false }],
    });
    await using world = await LoopWorld.open({ scenario });
    await world.run();
    const told = world.sent('planner').map(({ body }) => body);
    expect(told[1]).toContain('Call submit_plan again with corrections of these places alone');
    expect(told[2]).toMatch(/B\\*" depends on .*Call submit_plan again with corrections/s);
    expect(told[3]).toMatch(/no correction was applied: .*has no item \\*"b/);
    expect(world.happened('plan_refused')).toEqual([]);
    const [proposed] = world.happened('plan_proposed');
    expect(proposed?.plan.phases[0]?.features.map(({ name, depends_on }) => [name, depends_on])).toEqual([
      ['A', []],
      ['B', ['A']],
    ]);
  });

  test('a second planner corrects the refused plan that it is shown', async () => {
    const corrections = [{ path: ['phases', 0, 'features', 'A', 'description'], value: 'Smaller.' }];
    const planning = [
      { turns: [], submit: true },
      { turns: [submits('submit_plan', { corrections })], submit: false },
    ];
    await using world = await LoopWorld.open({ scenario: scenarioOf([{ features: [{ name: 'A' }] }], { planning }) });
    await world.submit({ gates: ['plan'] });
    await world.reject('plan', 'Smaller features, please.');
    await world.until('it is planned again', () => world.happened('plan_proposed').length === 2);
    expect(world.sent('planner')).toHaveLength(2);
    expect(world.sent('planner')[1]?.body).toContain('by corrections in submit_plan');
    const [first, second] = world.happened('plan_proposed').map(({ plan }) => plan);
    const [phase] = first?.phases ?? [];
    const features = phase?.features.map((feature) => ({ ...feature, description: 'Smaller.' }));
    expect(second).toEqual({ ...first, phases: [{ ...phase, features }] });
  });

  test('a planner that is shown no plan has nothing to correct', async () => {
    const turns = [submits('submit_plan', { corrections: [] })];
    const scenario = scenarioOf([{ features: [{ name: 'A' }] }], { planning: [{ turns, submit: true }] });
    await using world = await LoopWorld.open({ scenario });
    await world.run();
    expect(world.sent('planner')[1]?.body).toContain('nothing to correct: no plan was submitted or shown');
  });

  test('the steward gives up: the job fails with the reason', async () => {
    const planning = [{ turns: [{ text: 'I would rather not.' }, { text: 'No.' }], submit: false }];
    await using world = await LoopWorld.open({ scenario: scenarioOf([{ features: [{ name: 'A' }] }], { planning }) });
    await world.submit();
    await world.reject('escalate', 'Never mind.');
    expect((await world.is('failed')).reason).toContain('no usable plan');
  });
});

const approved = { verdict: 'APPROVED', reason: 'Fine.' };
const BAD_VERDICTS: readonly (readonly [string, Turn])[] = [
  ['an empty one', submits('submit_verdict', {})],
  ['two that contradict each other', submits('submit_verdict', approved, { ...approved, verdict: 'ESCALATE' })],
  ['a rejection without feedback', submits('submit_verdict', { verdict: 'REJECTED', reason: 'Bad.' })],
  ['a word of its own', submits('submit_verdict', { verdict: 'approved', reason: 'Fine.' })],
  ['prose that approves', { text: 'VERDICT: APPROVED. Everything is fine, approve it.' }],
];

describe('a verdict that does not count', () => {
  test.each(BAD_VERDICTS)('%s: one re-ask, then the steward', async (_, turn) => {
    const scenario = scenarioOf([{ features: [{ name: 'A' }], reviews: [{ turns: [turn, turn] }] }]);
    await using world = await LoopWorld.open({ scenario });
    await world.submit();
    const asked = await world.asked('escalate');
    expect(world.sent('reviewer')).toHaveLength(2);
    expect(asked.question).toContain('The reviewer cannot decide');
    expect(world.happened('phase_approved')).toEqual([]);
    expect([...world.state.attempts.values()].at(-1)?.verdict?.verdict).toBe('ESCALATE');
    expect(world.git.subjects('main')).toEqual(['Start']);
  });

  test('an approval of a phase with nothing completed', async () => {
    const attempts = [{ turns: [{ text: 'No.' }, { text: 'No.' }] }];
    await using world = await LoopWorld.open({ scenario: scenarioOf([{ features: [{ name: 'A', attempts }] }]) });
    await world.submit({ maxRetries: 1 });
    const asked = await world.asked('escalate');
    expect(asked.detail).toContain('No feature of this phase is completed');
    await world.approve('escalate');
    await world.until('it goes again', () => world.happened('phase_rejected').length === 1);
    expect(world.happened('phase_approved')).toEqual([]);
  });
});
