import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { loadScenario } from '../../../../src/adapters/simulated/loadScenario.ts';
import { fill } from '../../../../src/adapters/simulated/placeholders.ts';
import { checkScenario, parseScenario, stewardAnswer } from '../../../../src/adapters/simulated/scenario.ts';

const PLAN = `
plan:
  title: T
  phases:
    - title: P
      objective: O
      acceptance_criteria: [works]
      features: [{name: F, description: D, category: c}]
`;

describe('a scenario file', () => {
  test('is YAML, with defaults filled in', () => {
    const scenario = parseScenario(`version: 1\ntitle: Small\n${PLAN}`, 'small.yaml');
    expect(scenario).toMatchObject({ title: 'Small', delayMs: 0, features: {}, steward: [] });
    expect(scenario.planning).toEqual([{ turns: [], submit: true }]);
    expect(scenario.plan.phases[0]?.features[0]?.depends_on).toEqual([]);
  });

  test('or JSON, to the same effect', () => {
    const scenario = parseScenario(`version: 1\ntitle: Small\n${PLAN}`, 'small.yaml');
    expect(parseScenario(JSON.stringify(scenario), 'small.json')).toEqual(scenario);
  });

  test.each([
    [
      'a turn that says nothing',
      'features: {F: {attempts: [{turns: [{text: ok}, {}]}]}}',
      'features.F.attempts[0].turns[1]: a turn needs text or calls',
    ],
    ['a misspelt key', 'features: {F: {atempts: []}}', 'features.F.attempts:'],
    [
      'an input that is no object',
      'features: {F: {attempts: [{turns: [{calls: [{tool: read, input: x}]}]}]}}',
      'features.F.attempts[0].turns[0].calls[0].input:',
    ],
    [
      'an unknown verdict',
      'phases: {P: {summaries: [s], reviews: [{verdict: {verdict: MAYBE, reason: r}}]}}',
      'phases.P.reviews[0].verdict.verdict:',
    ],
    ['an unknown question', 'steward: [{kind: lunch, decision: approved}]', 'steward[0].kind:'],
    ['a negative delay', 'delayMs: -1', 'delayMs:'],
  ])('%s is named with its path', (_, yaml, fault) => {
    const parse = () => parseScenario(`version: 1\ntitle: Bad\n${PLAN}\n${yaml}`, 'bad.yaml');
    expect(parse).toThrow(expect.objectContaining({ code: 'SCENARIO_INVALID' }));
    expect(parse).toThrow(`bad.yaml: ${fault}`);
  });

  test('text that is no YAML, another version and no mapping at all are refused', () => {
    for (const text of ['{', 'version: 2', '', '- 1']) {
      expect(() => parseScenario(text, 'bad.yaml')).toThrow(expect.objectContaining({ code: 'SCENARIO_INVALID' }));
    }
  });
});

describe('which scenario', () => {
  test('none is the generic one; the demo goes by its name', async () => {
    expect((await loadScenario(null)).title).toMatch(/^Generic/);
    expect((await loadScenario('demo')).title).toMatch(/^Demo/);
  });

  test('an unknown name and a missing file are NOT_FOUND', async () => {
    await expect(loadScenario('demmo')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(loadScenario('/nowhere/scenario.yaml')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

test('the nth question of a kind gets its nth answer, later ones the last', () => {
  const scenario = checkScenario(
    {
      ...parseScenario(`version: 1\ntitle: Small\n${PLAN}`, 'small.yaml'),
      steward: [
        { kind: 'plan', decision: 'approved' },
        { kind: 'stuck', decision: 'rejected', feedback: 'first' },
        { kind: 'stuck', decision: 'approved', feedback: 'second' },
      ],
    },
    'steward',
  );
  expect(stewardAnswer(scenario, 'stuck', 1)?.feedback).toBe('first');
  expect(stewardAnswer(scenario, 'stuck', 3)?.feedback).toBe('second');
  expect(stewardAnswer(scenario, 'merge', 1)).toBeNull();
});

describe('placeholders', () => {
  const facts = { feature: 'Parser', featureId: 7 };

  test('are filled wherever a string stands', () => {
    expect(fill({ a: ['{{feature}} #{{featureId}}'], b: { c: true } }, facts)).toEqual({
      a: ['Parser #7'],
      b: { c: true },
    });
  });

  test('alone in a string keep their type', () => {
    expect(fill({ feature_id: '{{featureId}}' }, facts)).toEqual({ feature_id: 7 });
  });

  test('stay when the name is unknown, and are filled once only', () => {
    expect(fill('{{user.name}} {{other}} {{toString}}', facts)).toBe('{{user.name}} {{other}} {{toString}}');
    expect(fill('{{feature}}', { feature: '{{featureId}}', featureId: 7 })).toBe('{{featureId}}');
  });
});

test('the example of docs/scenario-format.md is a scenario', async () => {
  const page = await readFile(new URL('../../../../docs/scenario-format.md', import.meta.url), 'utf8');
  const example = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  expect(parseScenario(example, 'the example').features['Hello file']?.attempts).toHaveLength(2);
});
