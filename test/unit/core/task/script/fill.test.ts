/** What stands in the place of references, and what is made of several results. */

import { describe, expect, it, vi } from 'vitest';
import { aggregate } from '../../../../../src/core/task/script/aggregate.ts';
import { decide, readCondition } from '../../../../../src/core/task/script/conditions.ts';
import { fillParams } from '../../../../../src/core/task/script/fill.ts';
import { meetSchema } from '../../../../../src/core/task/script/output.ts';
import { readParams } from '../../../../../src/core/task/script/params.ts';
import { pieces, stepNames } from '../../../../../src/core/task/script/references.ts';
import type { Json, JsonObject } from '../../../../../src/shared/task/tasks.ts';
import { START_MS } from '../../../../support/state/builders.ts';
import { fc } from '../../../../support/suite/property.ts';

const results: Readonly<Record<string, Json>> = {
  Text: 'hello',
  Data: { total: 3, share: 2.5, items: [{ title: 'first' }], none: null, answer: 'false' },
  Fenced: '```json\n{"n": 7}\n```',
  Nothing: null,
  Sly: '{{Data}} \\{{Text}} $(rm -rf /) \'"',
};
const names = stepNames(Object.keys(results).map((name) => ({ name })));
const resultOf = (position: number): Json => Object.values(results)[position] ?? null;
const fill = (params: JsonObject, action = 'llm_generate') => fillParams({ action, params }, names, resultOf);
const filled = (text: string, action?: string, key = 'prompt'): Json | undefined => {
  const done = fill({ [key]: text }, action);
  return done.ok ? done.params[key] : done.error;
};

describe('filling in', () => {
  it.each<readonly [string, Json]>([
    ['a {{step_1_result}} b', 'a hello b'],
    ['{{Text}}{{ Data.items[0].title }}', 'hellofirst'],
    ['{{Data.total}}', 3],
    ['is {{Data.total}}', 'is 3'],
    ['{{Data["total"]}}', 3],
    ['{{Fenced.n}}', 7],
    ['{{Data.items}}', [{ title: 'first' }]],
    ['x{{Data.items}}', 'x[{"title":"first"}]'],
    ['{{Nothing}}', ''],
    ['<{{Nothing.at.any[3].path}}>', '<>'],
    ['\\{{Text}}', '{{Text}}'],
    ['{{Data.total', '{{Data.total'],
    ['{{Sly}}!', `${results['Sly']}!`],
    ['{{Data.other}}', '{{Data.other}}: the result of step 2 has no such part'],
    ['{{Data.constructor}}', '{{Data.constructor}}: the result of step 2 has no such part'],
  ])('%s', (text, value) => {
    expect(filled(text)).toEqual(value);
  });

  it('reaches texts at any depth, and no expression', () => {
    expect(fill({ a: [{ b: '{{Text}}' }], c: 4 })).toEqual({ ok: true, params: { a: [{ b: 'hello' }], c: 4 } });
    expect(filled('{{Text}} == 1', 'conditional', 'condition')).toBe('{{Text}} == 1');
  });

  it('puts one word into a command, whatever it holds', () => {
    expect(filled('echo {{Sly}}', 'command', 'command')).toBe(`echo '{{Data}} \\{{Text}} $(rm -rf /) '\\''"'`);
  });

  it('stops before a long result is there a thousand times', () => {
    const long = 'x'.repeat(4_000_000);
    const bomb = fillParams(
      { action: 'notify', params: { message: '{{A}}'.repeat(1_000) } },
      stepNames([{ name: 'A' }]),
      () => long,
    );
    expect(bomb).toMatchObject({ ok: false, error: expect.stringMatching(/more than 1,048,576 characters/) });
  });

  it('leaves any text without references as it is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/\{\{[^{}]*\}\}/.test(text));
        expect(filled(text)).toBe(text);
      }),
    );
  });

  it('puts any text in whole, and looks for no references in it', () => {
    const text = fc.array(fc.constantFrom('{{A}}', '{{', '}}', '\\', '$&', 'x', '"')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (value) => {
        const done = fillParams(
          { action: 'notify', params: { m: '<{{A}}>' } },
          stepNames([{ name: 'A' }]),
          () => value,
        );
        expect(done).toEqual({ ok: true, params: { m: `<${value}>` } });
      }),
    );
  });

  it('takes long texts of braces apart in no time', () => {
    expect(pieces('{{'.repeat(30_000))).toHaveLength(1);
    expect(pieces('{{x}}'.repeat(10_000))).toHaveLength(10_000);
  });

  it('is checked again where a result stands for a number', () => {
    expect(readParams('wait', { minutes: 5 }, START_MS)).toMatchObject({ ok: true, params: { minutes: 5 } });
    expect(readParams('wait', { minutes: 'soon' }, START_MS)).toMatchObject({ ok: false });
    expect(readParams('wait', { minutes: -1 }, START_MS)).toMatchObject({ ok: false });
  });
});

describe('conditions', () => {
  const decided = (condition: string) => {
    const read = readCondition(condition, names);
    return 'problem' in read ? read.problem : decide(read, resultOf);
  };

  it.each<readonly [string, boolean]>([
    ['{{Data.total}} > 2', true],
    ['{{Data.total}} + 1 == 4 && {{Data.total}} % 2 == 1', true],
    ['{{Data.share}} * 2 == 5.0', true],
    ['step_2_result.items[0].title == "first"', true],
    ['results["Data"].total in [1, 2]', false],
    ['size(step_2_result.items) == 1', true],
    ['"{{Text}}" == "hello"', true],
    ["{{Text}}.contains('ell')", true],
    ['{{Nothing}} == null', true],
    ['{{Data.answer}}', false],
    ['"false"', false],
    ['has(step_2_result.missing) || true', true],
    ['{{Sly}} == "x"', false],
  ])('%s', (condition, value) => {
    expect(decided(condition)).toEqual({ ok: true, value });
  });

  it.each([
    ['{{Data.total}}', /neither true nor false/],
    ['{{Text}}', /neither true nor false/],
    ['step_2_result.missing == 1', /No such key/],
    ['{{Data.missing}} == 1', /has no missing/],
    ['1 / 0 == 1', /division by zero/],
  ])('%s cannot be decided', (condition, said) => {
    expect(decided(condition)).toEqual({ ok: false, error: expect.stringMatching(said) });
  });

  it('do not take a result that is too long', () => {
    const read = readCondition('size({{Text}}) > 1', names);
    if ('problem' in read) throw new Error(read.problem);
    expect(decide(read, () => 'x'.repeat(300_000))).toMatchObject({ ok: false });
    const search = readCondition('{{Text}}.contains({{Fenced}})', names);
    if ('problem' in search) throw new Error(search.problem);
    expect(decide(search, () => 'x'.repeat(300))).toEqual({ ok: true, value: true });
    expect(decide(search, () => 'x'.repeat(3_000))).toMatchObject({
      ok: false,
      error: expect.stringMatching(/looked for/),
    });
  });
});

describe('several results as one', () => {
  const made = (operation: 'concat' | 'merge' | 'list', ...keys: string[]) =>
    aggregate({ keys, operation, separator: ' + ' }, names, resultOf);

  it('are texts, objects or a list', () => {
    expect(made('concat', 'Text', '{{Nothing}}', 'step_2_result.total')).toEqual({ ok: true, result: 'hello + 3' });
    expect(made('merge', 'Data.items[0]', 'Fenced')).toEqual({ ok: true, result: { title: 'first', n: 7 } });
    expect(made('list', 'Text', 'Data.total')).toEqual({ ok: true, result: ['hello', 3] });
    expect(made('merge', 'Text')).toMatchObject({ ok: false });
    expect(made('list', 'Nobody')).toMatchObject({ ok: false });
  });

  it('are never longer than a result may be', () => {
    const long = 'x'.repeat(3_000_000);
    const two = aggregate({ keys: ['Text', 'Text'], operation: 'concat', separator: '' }, names, () => long);
    expect(two).toMatchObject({ ok: false, error: expect.stringMatching(/longer than/) });
  });
});

describe('a result', () => {
  const schema = {
    type: 'object',
    properties: { n: { type: 'integer' } },
    required: ['n'],
    additionalProperties: false,
  };

  it('meets its schema also as the text of a model', () => {
    expect(meetSchema(schema, { n: 1 })).toEqual({ ok: true, result: { n: 1 } });
    expect(meetSchema(schema, results['Fenced'] ?? null)).toEqual({ ok: true, result: { n: 7 } });
    expect(meetSchema({ type: 'string' }, '{"n":1}')).toEqual({ ok: true, result: '{"n":1}' });
  });

  it('says where it does not', () => {
    expect(meetSchema(schema, '{"n":"x"}')).toMatchObject({ ok: false, error: expect.stringMatching(/ at n: /) });
    expect(meetSchema(schema, 'no JSON')).toMatchObject({
      ok: false,
      error: expect.stringMatching(/is text and no JSON/),
    });
  });
});

describe('what would keep the owner busy', () => {
  it('refuses a result of so many values that each would be held against each part of a large schema', () => {
    const anyOf = Array.from({ length: 300 }, (_, minLength) => ({ type: 'string', minLength }));
    const bomb = meetSchema({ type: 'array', items: { anyOf } }, Array<number>(50_000).fill(1));
    expect(bomb).toEqual({ ok: false, error: expect.stringMatching(/more than 3311 values, .* of 302 parts/) });
    const named = meetSchema({ enum: [Array<number>(2_000).fill(1), 'x'] }, Array<number>(2_000).fill(2));
    expect(named).toEqual({ ok: false, error: expect.stringMatching(/too many for a schema/) });
    expect(meetSchema({ type: 'array' }, Array<number>(50_000).fill(1))).toMatchObject({ ok: true });
  });

  it('takes JSON that is nested too deeply for the text that it is', () => {
    const deep = `${'['.repeat(101)}${']'.repeat(101)}`;
    const named = { action: 'notify', params: { title: '{{A[0]}}' } };
    expect(fillParams(named, stepNames([{ name: 'A' }]), () => deep).ok).toBe(false);
    expect(fillParams(named, stepNames([{ name: 'A' }]), () => deep.slice(1, -1)).ok).toBe(true);
  });

  it('reads a long JSON text once for all references into it', () => {
    const text = JSON.stringify(Array.from({ length: 1_000 }, (_, at) => at));
    const params = { prompt: Array.from({ length: 1_000 }, (_, at) => `{{A[${at}]}}`).join(' ') };
    const parse = vi.spyOn(JSON, 'parse');
    const done = fillParams({ action: 'llm_generate', params }, stepNames([{ name: 'A' }]), () => text);
    expect(parse).toHaveBeenCalledTimes(1);
    parse.mockRestore();
    expect(done.ok && String(done.params['prompt']).endsWith(' 998 999')).toBe(true);
  });
});
