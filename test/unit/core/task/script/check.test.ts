/** What a start refuses: each of the hostile inputs by a sentence, and nothing that is right. */
import { describe, expect, it } from 'vitest';
import { type CheckContext, problemSentences } from '../../../../../src/core/task/script/check.ts';
import { type StepInput, stepSchema, TASK_LIMITS, taskSchema } from '../../../../../src/shared/task/tasks.ts';
import { START_MS } from '../../../../support/state/builders.ts';

const context: CheckContext = { nowMs: START_MS, actions: ['acme.tools/translate'] };

function problems(...steps: readonly StepInput[]): readonly string[] {
  return problemSentences(
    steps.map((step) => stepSchema.parse(step)),
    context,
  );
}

const say = (name: string, prompt = 'Say it', more: Partial<StepInput> = {}): StepInput => ({
  name,
  action: 'llm_generate',
  params: { prompt },
  ...more,
});
const of = (action: string, params: StepInput['params'], more: Partial<StepInput> = {}): StepInput => ({
  name: 'It',
  action,
  params,
  ...more,
});
const decide = (condition: string, more: object = {}): StepInput =>
  of('conditional', { condition, ...more }, { name: 'Decide' });

describe('steps that are right', () => {
  it.each<readonly [string, readonly StepInput[]]>([
    ['the example of seed 004', [say('Identify Competitors'), say('Gather Details', 'For each: {{step_1_result}}…')]],
    ['a name with dots and a path', [say('v1.2 notes'), say('Then', '{{v1.2 notes.items[0].title}}')]],
    ['braces that are meant as such', [say('One', 'Write \\{{ mustache }}')]],
    ['a number that is a result', [say('One'), of('wait', { minutes: '{{One.minutes}}' })]],
    ['a later step that is needed', [say('One', '{{Two}}', { needs: [] }), say('Two', 'x', { needs: [] })]],
    ['both branches', [say('One'), decide('{{One}} == "yes"', { ifTrue: 'A', ifFalse: ['B'] }), say('A'), say('B')]],
    ['a condition over the names', [say('One'), decide('results["One"].total > 2 && has(step_1_result.x)')]],
    ['an action of another extension', [of('acme.tools/translate', { anything: [1] })]],
    ['a result in a command', [say('One'), of('command', { command: "grep {{One}} 'a file'" })]],
    ['an output', [say('One', 'x', { output: { type: 'array', items: { type: 'string' } } })]],
  ])('%s', (_, steps) => {
    expect(problems(...steps)).toEqual([]);
  });
});

describe('steps that cannot be started', () => {
  it.each<readonly [string, RegExp, readonly StepInput[]]>([
    ['none', /no steps/, []],
    ['two of a name', /step 2 "A": name: step 1 has this name/, [say('A'), say('A')]],
    ['a reserved name', /neither look like step_1_result/, [say('step_7_result')]],
    ['an unknown reference', /params.prompt: \{\{Nobody\}\} refers to nothing/, [say('A', '{{Nobody}}')]],
    ['a number that is not there', /refers to step 9, and there are 1 steps/, [say('A', '{{step_9_result}}')]],
    ['a path that is none', /the path of .* cannot be read/, [say('A'), say('B', '{{A.[}}')]],
    ['a blank of a template', /is a blank of a template/, [say('A', '{{params.topic}}')]],
    ['a need that is not there', /needs\[0\]: there is no step "Z"/, [say('A', 'x', { needs: ['Z'] })]],
    ['itself', /depends on itself/, [say('A', '{{A}}')]],
    ['a reference to what comes later', /"A" needs "B" needs "A"/, [say('A', '{{B}}'), say('B')]],
    [
      'a circle',
      /wait for each other/,
      ['A', 'B', 'C'].map((name, at) => say(name, 'x', { needs: ['BCA'.charAt(at)] })),
    ],
    ['no prompt', /params: "prompt" is missing/, [of('llm_generate', {})]],
    ['an unknown param', /params: there is no "promt" here/, [of('llm_generate', { prompt: 'x', promt: 'y' })]],
    ['a negative number', /params.maxTokens: Too small/, [of('llm_generate', { prompt: 'x', maxTokens: -1 })]],
    ['a wait of nothing', /say either minutes or until/, [of('wait', {})]],
    ['a negative wait', /params.minutes: Too small/, [of('wait', { minutes: -5 })]],
    ['a wait of a million years', /params.minutes: Too big/, [of('wait', { minutes: 5.26e11 })]],
    ['a wait until then', /more than a year/, [of('wait', { until: '9999-01-01T00:00:00Z' })]],
    ['an action of nobody', /no extension has registered/, [of('acme.tools/other', {})]],
    ['quotes around a result', /remove the quotes around it/, [say('A'), of('command', { command: 'echo "{{A}}"' })]],
    ['a file as an address', /params.url/, [of('http_get', { url: 'file:///etc/passwd' })]],
    ['a branch that is not there', /ifTrue: there is no step "Z"/, [decide('true', { ifTrue: 'Z' })]],
    ['both branches at once', /in the other branch too/, [decide('true', { ifTrue: 'A', ifFalse: 'A' }), say('A')]],
    [
      'a step of two conditionals',
      /is a branch of step 1 already/,
      [decide('true', { ifTrue: 'A' }), of('conditional', { condition: 'true', ifTrue: 'A' }), say('A')],
    ],
    ['a schema with an address', /may not use \$ref/, [say('A', 'x', { output: { $ref: 'http://x/y' } })]],
    [
      'a schema with a pattern',
      /pattern is not a word/,
      [say('A', 'x', { output: { type: 'string', pattern: '(a+)+$' } })],
    ],
    [
      'a schema that would pass anything',
      /required in a schema needs type/,
      [say('A', 'x', { output: { required: ['a'] } })],
    ],
  ])('%s', (_, said, steps) => {
    expect(problems(...steps).join('\n')).toMatch(said);
  });

  it('are as many as a form allows', () => {
    const steps = Array.from({ length: 10_000 }, (_, at) => say(`Step ${at}`));
    expect(taskSchema.safeParse({ name: 'Many', steps }).success).toBe(false);
    expect(problemSentences(steps as never, context)).toEqual([`the task has 10000 steps, and 1000 is the most`]);
    const most = Array.from({ length: TASK_LIMITS.steps }, (_, at) => say(`Step ${at}`, '{{Nobody}}'));
    const told = problems(...most);
    expect(told).toHaveLength(101);
    expect(told.at(-1)).toBe('and 900 more');
  });
});

describe('conditions that are refused', () => {
  it.each([
    ['a loop', 'results["One"].all(x, x > 1)', /all\(\) is not known here/],
    ['a bound name', 'cel.bind(x, "a", x + x)', /bind\(\) is not known here/],
    ['a regular expression', 'step_1_result.matches("(a+)+$")', /matches\(\) is not known here/],
    ['a search in a heap of text', '({{One}} + {{One}}).contains("x")', /not into several put together/],
    ['a search for a heap of text', '{{One}}.contains({{One}} + {{One}})', /looks for a quoted text/],
    ['an unknown name', 'nobody > 3', /nothing is called nobody/],
    ['an unknown step', 'results["Nobody"] == 1', /results takes the name of a step/],
    ['all results at once', 'results == {}', /nothing is called results/],
    ['a step that is not there', 'step_5_result == 1', /refers to step 5/],
    ['what is no expression', '{{One}} &&', /cannot be read/],
    ['text around a reference', '"is {{One}}" == "is x"', /outside of the quotes/],
    ['too deep a nest', `${'('.repeat(90)}true${')'.repeat(90)}`, /cannot be read/],
    ['too many parts', Array.from({ length: 300 }, () => 'true').join('||'), /cannot be read/],
    ['too long a text', `"${'x'.repeat(3_000)}" == ""`, /./],
  ])('%s', (_, condition, said) => {
    expect(problems(say('One'), decide(condition)).join('\n')).toMatch(said);
  });
});
