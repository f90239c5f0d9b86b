/** T7: whatever a parser is given, it gives an answer or a typed failure, in time, and touches nothing that others share. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { planted } from '../support/suite/planted.ts';
import { type Built, buildWith, type PlantedBug } from '../support/suite/plantedBug.ts';
import { amount, figure, LONG, SEED } from '../support/suite/proof.ts';
import { type Fault, fuzz, type Parser, type Slowest, timed } from './parsers/judge.ts';
import { MODELS } from './parsers/models.ts';
import { TEXTS } from './parsers/texts.ts';
import { WIRES } from './parsers/wires.ts';

const PARSERS = [...TEXTS, ...MODELS, ...WIRES];
const INPUTS = amount({ short: 150, long: 100_000 });
/** Inputs of 100 KB whose time is measured: in the long form alone, which has the machine to itself. */
const PUMPED = amount({ short: 0, long: 30 });
/** Of the long form. The promise is 50; that is a figure. What is held here leaves a busy machine room, and no quadratic parser any. */
const MOST_MS = 250;

const faults: Fault[] = [];
const slowest: Slowest[] = [];
let rejected = 0;
let given = 0;
const count = (): void => void rejected++;
beforeAll(() => void process.on('unhandledRejection', count));
afterAll(() => void process.off('unhandledRejection', count));

describe(`parsers, from seed ${SEED}`, () => {
  it.each(PARSERS.map((parser) => [parser.name, parser] as const))('%s', async (_, parser) => {
    const inputs = LONG && parser.isDear ? INPUTS / 10 : INPUTS;
    const found = await fuzz(parser, SEED, inputs);
    given += inputs;
    faults.push(...found);
    expect(found).toEqual([]);
  });

  it.runIf(LONG).each(PARSERS.map((parser) => [parser.name, parser] as const))('in time: %s', async (_, parser) => {
    const told = await timed(parser, SEED, PUMPED);
    slowest.push(told.slowest);
    faults.push(...told.faults);
    expect(told.faults).toEqual([]);
    expect(told.slowest.ms, JSON.stringify(told.slowest)).toBeLessThan(MOST_MS);
  });

  it('no promise of any of them was left rejected', async () => {
    await new Promise((resolve) => void setImmediate(resolve));
    expect(rejected).toBe(0);
  });

  afterAll(() => {
    figure({ method: 'T7', what: 'parsers', value: PARSERS.length, unit: '', aim: null });
    figure({ method: 'T7', what: 'inputs in all', value: given, unit: '', aim: null });
    for (const what of ['crashes', 'polluted prototypes', 'lost round trips'] as const) {
      const value = faults.filter((fault) => fault.what === what).length;
      figure({ method: 'T7', what, value, unit: '', aim: { atMost: 0 } });
    }
    figure({ method: 'T7', what: 'unhandled rejections', value: rejected, unit: '', aim: { atMost: 0 } });
    const worst = (isYaml: boolean): number =>
      Math.max(0, ...slowest.filter(({ parser }) => parser.includes('YAML') === isYaml).map(({ ms }) => ms));
    const aim = { atMost: 50 };
    figure({ method: 'T7', what: 'slowest 100 KB of a parser of YAML', value: worst(true), unit: 'ms', aim });
    figure({ method: 'T7', what: 'slowest 100 KB of any other parser', value: worst(false), unit: 'ms', aim });
  });
});

const made: Built[] = [];
afterEach(() => made.splice(0).forEach((built) => void built[Symbol.dispose]()));

async function withBug<Module>(bug: PlantedBug, entry: string): Promise<Module> {
  const built = await buildWith(bug, [entry]);
  made.push(built);
  return (await import(built.program(entry.replace(/^.*\/|\.ts$/g, '')).href)) as Module;
}

const judged = (name: string): Parser => PARSERS.find((parser) => parser.name === name) as Parser;

const ASSIGNING: Readonly<Record<string, (into: Record<string, unknown>, key: string, value: unknown) => void>> = {
  'a parser that assigns keys to a plain object': (into, key, value) => {
    into[key] = value;
  },
  'a parser that merges into existing objects': (into, key, value) => {
    into[key] ??= {};
    const there = into[key] as Record<string, unknown>;
    if (typeof value === 'object' && value !== null && typeof there === 'object') Object.assign(there, value);
  },
};
for (const [bug, put] of Object.entries(ASSIGNING))
  planted(bug, async () => {
    const read = (text: string): unknown => {
      const value: unknown = text.startsWith('{') ? safe(text) : null;
      const into: Record<string, unknown> = {};
      for (const [key, part] of Object.entries(value ?? {})) put(into, key, part);
      return into;
    };
    const found = await fuzz({ ...judged('verdict JSON'), read }, SEED, 2_000, 20);
    expect(found.map(({ what }) => what)).toContain('polluted prototypes');
  });

planted('a parser that finds the names of all objects', async () => {
  const bug = {
    file: 'src/engine/project/definition/definition.ts',
    find: 'Object.hasOwn(readers, name) ? readers[name] : undefined',
    put: 'readers[name]',
  };
  const { parseDefinition } = await withBug<{ parseDefinition: (text: string) => { file: unknown } }>(bug, bug.file);
  const found = await fuzz({ ...judged('PROJECT.md'), read: (text) => parseDefinition(text).file }, SEED, 2_000, 20);
  expect(found.map(({ what }) => what)).toContain('crashes');
});

planted('a regular expression that looks at the same again and again', async () => {
  const read = (text: string): unknown => /^---[ \t]*[ \t]*$/m.test(text);
  const slow: Parser = { name: 'slow', corpus: ['---x'], words: [' ', '\t'], read };
  // A tenth of what others get: it is enough.
  expect((await timed(slow, SEED, 100, 10_000)).slowest.ms).toBeGreaterThan(250);
});

function safe(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // no JSON: nothing to assign
  }
}
