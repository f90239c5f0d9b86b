import { describe, expect, test } from 'vitest';
import { correctedPlan } from '../../../../../src/core/job/plan/planCorrections.ts';
import type { PlanCorrection } from '../../../../../src/shared/job/planCorrection.ts';

const feature = (name: string, ...depends_on: string[]) => ({ name, description: 'D', category: 'c', depends_on });
const planOf = (...features: readonly object[]) => ({
  title: 'T',
  phases: [{ title: 'Core/1', objective: 'O', acceptance_criteria: ['a', 'b'], features }],
});
const LAST = planOf(feature('parser'), feature('lexer', 'parsr'));

const corrected = (...corrections: PlanCorrection[]) => correctedPlan(LAST, corrections);

describe('a correction of a plan', () => {
  test('finds a phase and a feature by name or by index, and keeps the rest', () => {
    const fixed = { plan: planOf(feature('parser'), feature('lexer', 'parser')) };
    const before = structuredClone(LAST);
    expect(corrected({ path: ['phases', 'Core/1', 'features', 'lexer', 'depends_on'], value: ['parser'] })).toEqual(
      fixed,
    );
    expect(corrected({ path: ['phases', 0, 'features', 1, 'depends_on', 0], value: 'parser' })).toEqual(fixed);
    expect(corrected({ path: ['phases', '0', 'features', '1', 'depends_on', '0'], value: 'parser' })).toEqual(fixed);
    expect(LAST).toEqual(before);
  });

  test('without a value removes an item or a field; one behind the last item adds it', () => {
    const features = ['phases', 0, 'features'];
    expect(corrected({ path: [...features, 'lexer'] })).toEqual({ plan: planOf(feature('parser')) });
    expect(corrected({ path: [...features, 'lexer', 'depends_on'] })).toEqual({
      plan: planOf(feature('parser'), { name: 'lexer', description: 'D', category: 'c' }),
    });
    expect(corrected({ path: [...features, 2], value: feature('new') })).toEqual({
      plan: planOf(feature('parser'), feature('lexer', 'parsr'), feature('new')),
    });
  });

  test('applies in order: a renamed feature is found by its new name', () => {
    const path = ['phases', 0, 'features'];
    expect(
      corrected(
        { path: [...path, 'parser', 'name'], value: 'reader' },
        { path: [...path, 'reader', 'category'], value: 'x' },
      ),
    ).toEqual({ plan: planOf({ ...feature('reader'), category: 'x' }, feature('lexer', 'parsr')) });
  });

  test.each([
    [['phases', 0, 'features', 'lexr', 'name'], /has no item "lexr": use an index or a name; it has 2, counted from 0/],
    [['phases', 7], /\["phases"\] has no item 7: use an index or a title; it has 1/],
    [['phases', 0, 'features', 5], /has no item 5/],
    [['phases', 0, 'features', 2, 'name'], /holds nothing that "name" could name/],
    [['phases', 0, 'features', 'lexer', 'dependsOn'], /has no field "dependsOn"; its fields: name, .*depends_on/],
    [['features', 0], /the plan has no field "features"; its fields: title, phases/],
    [['phases', 0, '__proto__', 'x'], /has no field "__proto__"/],
    [['phases', 0, 'id'], /has no field "id"/],
    [['title', 'x'], /\["title"\] holds nothing/],
    [['phases', 0, 'acceptance_criteria', 1.5], /use an index; it has 2/],
  ])('that names nothing is refused: %j', (path, fault) => {
    const good = { path: ['title'], value: 'Other' };
    const given = corrected(good, { path, value: 'v' });
    expect(given).toEqual({ fault: expect.stringMatching(fault) as unknown });
    expect(given).toEqual({ fault: expect.stringMatching(/^corrections\[1\]: /) as unknown });
  });

  test('of a name that two features have asks for an index', () => {
    const twice = planOf(feature('a'), feature('a'));
    const path = ['phases', 0, 'features', 'a', 'name'];
    expect(correctedPlan(twice, [{ path, value: 'b' }])).toEqual({
      fault: expect.stringMatching(/2 items named "a": use an index/) as unknown,
    });
    expect(correctedPlan(twice, [{ path: ['phases', 0, 'features', 1, 'name'], value: 'b' }])).toEqual({
      plan: planOf(feature('a'), feature('b')),
    });
  });
});
