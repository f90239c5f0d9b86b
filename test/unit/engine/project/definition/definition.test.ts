/** PROJECT.md: what is written is read back the same, and every fault of a person's names its line. */

import { describe, expect, it } from 'vitest';
import {
  type DefinitionFile,
  MAX_DEFINITION_BYTES,
  parseDefinition,
  printDefinition,
  textOfFile,
} from '../../../../../src/engine/project/definition/definition.ts';
import { PROVIDERS } from '../../../../../src/shared/model/models.ts';
import { NO_PROJECT_LIMITS, PROJECT_STATUSES } from '../../../../../src/shared/project/projects.ts';
import { amount } from '../../../../support/suite/proof.ts';
import { anyCharacter, fc } from '../../../../support/suite/property.ts';

const SHOWN = `---
name: frontend-redesign
status: active                          # active | suspended | completed | archived
model: "claude-sonnet-5-5"
executors: { worker: cline, reviewer: null }
workdir: /code/my-app
created: 2026-02-28T10:00:00Z
suspended: null
completed: null
limits: { dayUsd: 2.50, tokens: 1000000 }
heartbeat:
  every: 2h
  prompt: |
    Look at the pipeline.
    Say what broke.
idle: never
---

## Goal

Hooks.
`;

const front = (yaml: string): string => `---\n${yaml}\n---\nBody\n`;

/** Values that a reader of YAML could take for something else, or that end what they stand in. */
const HOSTILE = [
  'null',
  '~',
  'true',
  'no',
  '1e3',
  '0x10',
  '.inf',
  '- a',
  'a: b',
  '*a',
  '&a',
  '!tag',
  '%x',
  '@x',
  '`x`',
  '# c',
  'a # c',
  ' a ',
  '---',
  'a\n---\nb',
  '"',
  "'",
  '{',
  '[a]',
  '|',
  '>',
  '?',
  '\\n',
  'a\r\nb',
  '\uFEFF',
  '\u0000',
  '\u007f',
  '\u0085\u2028',
  '<<',
  '__proto__',
  '2026-02-28',
  '\t',
];
const hostile = (maxLength: number) =>
  fc
    .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: anyCharacter, maxLength: 12 })), {
      minLength: 1,
      maxLength: 5,
    })
    .map((parts) => parts.join('').slice(0, maxLength).toWellFormed())
    .filter((text) => text !== '');
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const micro = fc.oneof(fc.nat(), fc.maxSafeNat());
const count = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const time = orNull(
  fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') }).map((at) => at.toISOString()),
);
const body = fc
  .array(fc.oneof(hostile(60), fc.constantFrom('\n', '\r\n', '---\n', '\n---\r\n', '## Goal\n', '')), { maxLength: 8 })
  .map((parts) => parts.join('').toWellFormed());

const agent = fc.constantFrom('builtin', 'cline', 'my-own-2', 'null', 'true', 'no');
const executors = fc
  .record({ planner: agent, worker: agent, reviewer: agent }, { requiredKeys: [] })
  .filter((roles) => Object.keys(roles).length > 0);

const files: fc.Arbitrary<DefinitionFile> = fc.record({
  name: hostile(64),
  status: orNull(fc.constantFrom(...PROJECT_STATUSES)),
  created: time,
  suspended: time,
  completed: time,
  archived: time,
  definition: fc.record({
    model: orNull(hostile(200)),
    provider: fc.constantFrom(...PROVIDERS),
    scenario: orNull(hostile(400)),
    executors: orNull(executors),
    workdir: orNull(hostile(400)),
    limits: fc.record({
      dayMicroUsd: orNull(micro),
      totalMicroUsd: orNull(micro),
      tokens: orNull(count),
      toolCalls: orNull(count),
    }),
    heartbeat: orNull(fc.record({ minutes: fc.integer({ min: 1, max: 10_080 }), prompt: hostile(400) })),
    after: orNull(hostile(64)),
    idleMinutes: orNull(fc.integer({ min: 0, max: 525_600 })),
    body,
  }),
});

describe('PROJECT.md that is written', () => {
  it('is read back the same, whatever stands in it', () => {
    fc.assert(
      fc.property(files, (file) => {
        const text = printDefinition(file);
        expect(textOfFile(new TextEncoder().encode(text))).toBe(text);
        const read = parseDefinition(text).file;
        expect(read).toEqual(file);
        expect(printDefinition(read)).toBe(text);
      }),
      { numRuns: amount({ short: 150, long: 20_000 }) },
    );
  });

  it('keeps the bytes of a body, its line ends and a missing last one included', () => {
    fc.assert(
      fc.property(body, fc.constantFrom('', '\uFEFF'), fc.constantFrom('\n', '\r\n'), (text, bom, end) => {
        const read = parseDefinition(`${bom}---${end}name: a${end}---${end}${end}${text}`);
        expect(read.file.definition.body).toBe(text);
        expect(parseDefinition(printDefinition(read.file)).file.definition.body).toBe(text);
      }),
      { numRuns: amount({ short: 50, long: 10_000 }) },
    );
  });

  it('shows what a reader looks for, and the rest where it says something', () => {
    const { file } = parseDefinition(front('name: api'));
    expect(printDefinition({ ...file, status: 'active', created: '2026-11-22T10:00:00.000Z' })).toBe(
      [
        '---',
        'name: api',
        'status: active',
        'model: null',
        'workdir: null',
        'created: 2026-11-22T10:00:00.000Z',
        'suspended: null',
        'completed: null',
        '---',
        '',
        'Body',
        '',
      ].join('\n'),
    );
  });
});

describe('PROJECT.md of a person', () => {
  it('is taken as other tools write it, with comments, in any order', () => {
    const { file, lines } = parseDefinition(SHOWN);
    expect(file).toEqual({
      name: 'frontend-redesign',
      status: 'active',
      created: '2026-02-28T10:00:00Z',
      suspended: null,
      completed: null,
      archived: null,
      definition: {
        model: 'claude-sonnet-5-5',
        provider: 'anthropic',
        scenario: null,
        executors: { worker: 'cline' },
        workdir: '/code/my-app',
        limits: { ...NO_PROJECT_LIMITS, dayMicroUsd: 2_500_000, tokens: 1_000_000 },
        heartbeat: { minutes: 120, prompt: 'Look at the pipeline.\nSay what broke.\n' },
        after: null,
        idleMinutes: 0,
        body: '## Goal\n\nHooks.\n',
      },
    });
    expect(lines.get('workdir')).toBe(6);
  });

  it.each([
    ['0.000001', 1],
    ['9007199254.740991', Number.MAX_SAFE_INTEGER],
    ['"2.5"', 2_500_000],
    ['0', 0],
  ])('reads %s US dollars to the last millionth', (written, expected) => {
    expect(parseDefinition(front(`name: a\nlimits: { dayUsd: ${written} }`)).file.definition.limits.dayMicroUsd).toBe(
      expected,
    );
  });

  it.each([
    ['no text', '', 1, 'does not start with a line of ---'],
    ['no end', '---\nname: a\n', 1, 'no line of --- at its end'],
    ['no name', front('status: active'), 1, 'name is missing'],
    ['an empty name', front('\nname: ""'), 3, 'name is empty'],
    ['a status that is none', front('name: a\nstatus: paused'), 3, 'status is one of active'],
    ['a field that is none', front('name: a\nmodle: x'), 3, 'no field modle; there are: name, status, model'],
    ['a field twice', front('name: a\nmodel: x\nmodel: y'), 4, 'duplicate key'],
    ['a prototype', front('name: a\n__proto__: { status: x }'), 3, 'no field __proto__'],
    ['a constructor', front('name: a\nlimits: { constructor: 1 }'), 3, 'no field limits.constructor'],
    ['a merge', front('name: a\n<<: { model: x }'), 3, 'no field <<'],
    ['an anchor', front('name: &a a'), 2, 'an anchor of YAML'],
    ['an alias', front('name: a\nmodel: *a'), 3, 'an alias of YAML'],
    ['a tag', front('name: a\nmodel: !!js/function x'), 3, 'a tag of YAML'],
    ['a directive', front('%YAML 1.1\nname: a'), 2, 'a directive'],
    ['a second document', front('name: a\n...\nname: b'), 3, 'a second document'],
    ['a control character', front('name: a\n\nmodel: "a\u0000"'), 4, 'a control character'],
    ['a list', front('- name'), 2, 'not a list of fields'],
    ['a list for a value', front('name: a\nmodel: [x]'), 3, 'model is one value'],
    ['YAML that is none', front('name: a\nmodel: "x'), 4, 'quote'],
    ['tabs', front('name: a\nlimits:\n\tdayUsd: 1'), 4, 'Tabs'],
    ['brackets without end', front(`name: a\nmodel: ${'['.repeat(1000)}`), 3, 'nested too deep'],
    ['lists without end', front(`${'- '.repeat(30_000)}a`), 2, ''],
    ['seven decimals', front('name: a\nlimits:\n  dayUsd: 0.0000001'), 4, 'limits.dayUsd is an amount'],
    ['a negative amount', front('name: a\nlimits: { totalUsd: -1 }'), 3, 'limits.totalUsd is an amount'],
    ['an amount by its exponent', front('name: a\nlimits: { totalUsd: 1e3 }'), 3, 'limits.totalUsd is an amount'],
    ['too much money', front('name: a\nlimits: { dayUsd: 9999999999 }'), 3, 'limits.dayUsd is an amount'],
    ['no tokens', front('name: a\nlimits: { tokens: 0 }'), 3, 'limits.tokens is a whole number above zero'],
    ['half a call', front('name: a\nlimits: { toolCalls: 1.5 }'), 3, 'limits.toolCalls is a whole number'],
    ['limits that are none', front('name: a\nlimits: 5'), 3, 'limits is a mapping of dayUsd'],
    ['a heartbeat without words', front('name: a\nheartbeat: { every: 1h }'), 3, 'a heartbeat has every and prompt'],
    ['a heartbeat of a fortnight', front('name: a\nheartbeat: { every: 14d, prompt: x }'), 3, 'at most 7d'],
    ['an idle time of nothing', front('name: a\nidle: 0'), 3, 'idle is a time'],
    ['a time that is none', front('name: a\ncreated: 2026-02-31T99:00:00Z'), 3, 'created is a time'],
    ['a long model', front(`name: a\nmodel: ${'x'.repeat(201)}`), 3, 'longer than 200'],
    ['a long frontmatter', front(`name: a\n# ${'x'.repeat(65 * 1024)}`), 1, 'over 64 KiB'],
  ])('with %s is refused at its line', (_, text, line, what) => {
    const message = expect.stringContaining(what);
    expect(() => parseDefinition(text)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', details: { line }, message }),
    );
    expect(() => parseDefinition(text)).toThrow(`line ${line}: `);
  });

  it('of any bytes is read or refused, never anything else', () => {
    const pieces = fc.array(
      fc.oneof(fc.constantFrom(...HOSTILE, 'name: a\n', 'limits:\n', '  '), fc.string({ unit: anyCharacter })),
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        try {
          expect(parseDefinition(front(parts.join(''))).file.name).not.toBe('');
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: 'INVALID_INPUT', details: { line: expect.any(Number) } });
        }
      }),
      { numRuns: amount({ short: 150, long: 20_000 }) },
    );
  });

  it('is refused before it is read when it is too large, or no text', () => {
    expect(() => textOfFile(new Uint8Array(MAX_DEFINITION_BYTES + 1))).toThrow('over 256 KiB');
    expect(() => textOfFile(Uint8Array.of(0x2d, 0xff))).toThrow('not text in UTF-8');
  });
});
