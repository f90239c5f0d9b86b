import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fill } from '../../../../src/adapters/simulated/placeholders.ts';
import { checkScenario, scenarioValue, stewardAnswer } from '../../../../src/adapters/simulated/scenario.ts';
import { loadScenario } from '../../../../src/app/assets/scenarios.ts';

const parseScenario = (text: string, source: string) => checkScenario(scenarioValue(text, source), source);

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

describe('a scenario in a folder', () => {
  const GREET =
    'features: {F: {attempts: [{turns: [{calls: [{tool: write, input: {file_path: a.txt}, files: {content: NAME}}]}]}]}}';
  let folder: string;

  beforeEach(async () => {
    const root = await mkdtemp(join(tmpdir(), 'scenario-'));
    folder = join(root, 'mine');
    await mkdir(join(folder, 'texts'), { recursive: true });
    await writeFile(join(folder, 'texts', 'a.txt'), '# {{feature}}\n');
    await writeFile(join(root, 'secret.txt'), 'secret');
    await symlink(join(root, 'secret.txt'), join(folder, 'link.txt'));
  });
  afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

  async function read(text: string) {
    await writeFile(join(folder, 'mine.yaml'), `version: 1\ntitle: Small\n${text}`);
    return loadScenario(join(folder, 'mine.yaml'));
  }

  test('takes inputs of calls from files beside it', async () => {
    const { features } = await read(`${PLAN}\n${GREET.replace('NAME', 'texts/a.txt')}`);
    const call = { tool: 'write', input: { file_path: 'a.txt', content: '# {{feature}}\n' } };
    expect(features['F']?.attempts[0]?.turns[0]?.calls).toEqual([call]);
  });

  test.each([
    ['../secret.txt', 'SCENARIO_INVALID'],
    ['link.txt', 'SCENARIO_INVALID'],
    [tmpdir(), 'SCENARIO_INVALID'],
    ['texts/none.txt', 'NOT_FOUND'],
  ])('takes no input from %s', async (name, code) => {
    await expect(read(`${PLAN}\n${GREET.replace('NAME', name)}`)).rejects.toMatchObject({ code });
  });

  test('that extends the generic one has the fields of it that it lacks', async () => {
    const { version: _, title, steward, ...generic } = await loadScenario(null);
    const scenario = await read('extends: generic\nsteward: []\n');
    expect(scenario).toMatchObject({ ...generic, title: 'Small', steward: [] });
    expect(title).not.toBe('Small');
    expect(steward).not.toEqual([]);
    await expect(read('extends: demo')).rejects.toThrow('only "generic" can be extended');
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
