/** The course of an eval on a workshop in memory: what is validated, dropped, run, judged and paid. */
import { expect, it } from 'vitest';
import { DEFAULT_OPTIONS } from '../../../../src/core/job/defaults.ts';
import type {
  Candidate,
  EvalPlan,
  EvalPorts,
  EvalTask,
  GradedCode,
  RunEnd,
  Variant,
  Workshop,
} from '../../../../src/engine/eval/ports.ts';
import { runEval } from '../../../../src/engine/eval/runEval.ts';
import type { CommandResult } from '../../../../src/engine/session/commandPorts.ts';
import type { EvalNote, EvalResult } from '../../../../src/shared/eval/records.ts';
import { FakeClock } from '../../../support/time/fakeClock.ts';

const task = (id: string, parts: Partial<EvalTask> = {}): EvalTask => ({
  id,
  title: `Task ${id}`,
  brief: `Do ${id}.`,
  category: 'src',
  test: null,
  setup: null,
  hasSolution: true,
  manifest: '{"scripts":{"test":"node --test"}}',
  ...parts,
});

const FACTS = {
  executor: 'builtin',
  model: 'm',
  provider: 'anthropic',
  microUsd: 500_000,
  unpricedCalls: 0,
  turns: 3,
  seconds: 4,
  worker: { category: 'core', features: 1, passed: 1, microUsd: 300_000 },
};
const COMPLETED: RunEnd = { outcome: 'completed', reason: '', facts: FACTS };

interface World {
  readonly tasks: readonly Candidate[];
  /** How the test command ends. Default: it fails on the tree before, and passes on everything else. */
  readonly ran?: (id: string, code: GradedCode, command: string) => Partial<CommandResult>;
  readonly end?: RunEnd;
  readonly notes?: EvalNote[];
  readonly results?: EvalResult[];
}

function world({ tasks, ran, end = COMPLETED, notes = [], results = [] }: World) {
  const did: string[] = [];
  let written: { id: string; code: GradedCode } = { id: '', code: 'before' };
  const workshop: Workshop = {
    makeFolder: async () => `/run/${did.length}`,
    hasRun: async (folder) => folder.startsWith('/kept'),
    remove: async (folder) => void did.push(`remove ${folder}`),
    repositoryIn: (folder) => `${folder}/repo`,
    run: async (_, { brief, gates, setup }) => {
      did.push(`run ${brief} ${JSON.stringify({ gates, setup })}`);
      return end;
    },
    inCheckout: (use) => use('/check'),
    command: async (_, command) => {
      const usual = {
        exitCode: written.code === 'before' && command !== 'npm ci' ? 1 : 0,
        ended: null,
        output: '',
        durationMs: 1,
        sandboxed: true,
      };
      return { ...usual, ...ran?.(written.id, written.code, command) };
    },
  };
  const ports: EvalPorts = {
    workshop,
    trees: {
      async *candidates() {
        yield* tasks;
      },
      startRepository: async ({ id }) => void did.push(`start ${id}`),
      writeGraded: async ({ id }, code) => {
        written = { id, code };
      },
    },
    records: {
      results,
      notes,
      addResult: async (result) => void results.push(result),
      addNote: async (note) => void notes.push(note),
    },
    clock: new FakeClock(),
    release: '1.2.3',
    say: () => undefined,
    signal: new AbortController().signal,
  };
  return { ports, did, notes, results };
}

const variant = (name: string): Variant => ({ name, request: { models: { worker: name }, budgetMicroUsd: 1_000_000 } });
const plan = (parts: Partial<EvalPlan> = {}): EvalPlan => ({
  count: 2,
  variants: [variant('a')],
  repeat: 1,
  budgetMicroUsd: 10_000_000,
  test: null,
  setup: [],
  parallel: 1,
  batchPrices: false,
  ...parts,
});

it('drops what its tests do not judge, and takes the next', async () => {
  const named: Record<string, (code: GradedCode) => Partial<CommandResult>> = {
    unsolved: () => ({ exitCode: 1, output: 'not ok 1\n' }),
    needless: () => ({ exitCode: 0 }),
    refused: (code) => (code === 'before' ? { exitCode: null, ended: 'failed_to_start' } : {}),
    silent: (code) => (code === 'solution' ? { exitCode: null, ended: 'timeout' } : {}),
  };
  const bad = Object.keys(named).map((id) => ({ task: task(id) }));
  const tasks = [
    ...bad,
    { name: 'x', refused: 'it is a merge' },
    { task: task('none', { manifest: null }) },
    { task: task('good') },
  ];
  const { ports } = world({ tasks, ran: (id, code) => named[id]?.(code) ?? {} });
  const ended = await runEval(ports, plan());
  expect(ended.tasks.map(({ task: { id }, check }) => [id, check.test])).toEqual([['good', 'npm test']]);
  expect(ended.dropped.map(({ reason }) => reason)).toEqual([
    'its tests do not pass with it: the test command `npm test` failed (exit code 1): not ok 1',
    'its tests pass without it',
    'its tests could not run before it: the test command `npm test` did not run: failed_to_start',
    'its tests do not pass with it: the test command `npm test` failed (timeout)',
    'it is a merge',
    'no test command is known: give one by --test',
  ]);
});

it('records the start before the run, and the result before the folder goes', async () => {
  const { ports, did, notes, results } = world({ tasks: [{ task: task('t') }] });
  await runEval(ports, plan({ setup: ['npm ci'] }));
  expect(did).toEqual(['start t', 'run Do t. {"gates":[],"setup":["npm ci"]}', 'remove /run/0']);
  expect(notes.map(({ type }) => type)).toEqual(['validated', 'started']);
  expect(results).toMatchObject([
    {
      task: 't',
      variant: 'a',
      outcome: 'passed',
      passed: true,
      reason: '',
      microUsd: 500_000,
      turns: 3,
      worker: FACTS.worker,
    },
  ]);
});

it.each<[string, Partial<World>, Partial<EvalResult>]>([
  [
    'a job that stops',
    { end: { outcome: 'stopped', reason: 'it asked: How?', facts: FACTS } },
    { outcome: 'failed', reason: 'it asked: How?' },
  ],
  [
    'a model that is away',
    { end: { outcome: 'void', reason: 'no key', facts: FACTS } },
    { outcome: 'void', reason: 'no key' },
  ],
  [
    'hidden tests that fail',
    { ran: (_, code, command) => (typeof code === 'string' || command === 'npm ci' ? {} : { exitCode: 1 }) },
    { outcome: 'failed', reason: 'the test command `npm test` failed (exit code 1)' },
  ],
  [
    'hidden tests that hang',
    {
      ran: (_, code, command) =>
        typeof code === 'string' || command === 'npm ci' ? {} : { exitCode: null, ended: 'timeout' },
    },
    { outcome: 'failed', reason: 'the test command `npm test` failed (timeout)' },
  ],
  [
    'hidden tests that cannot start',
    {
      ran: (_, code, command) =>
        typeof code === 'string' || command === 'npm ci' ? {} : { exitCode: null, ended: 'failed_to_start' },
    },
    { outcome: 'void', reason: 'the test command `npm test` did not run: failed_to_start' },
  ],
  [
    'a setup that the work broke',
    { ran: (_, code, command) => (command === 'npm ci' ? { exitCode: typeof code === 'string' ? 0 : 1 } : {}) },
    { outcome: 'failed', reason: 'the setup command `npm ci` failed (exit code 1)' },
  ],
])('never passes %s', async (_, parts, expected) => {
  const { ports, results } = world({ tasks: [{ task: task('t') }], ...parts });
  await runEval(ports, plan({ setup: ['npm ci'] }));
  expect(results).toMatchObject([{ ...expected, passed: false, microUsd: 500_000 }]);
});

it('a setup that fails without the work too says nothing about the work', async () => {
  const broken = { ends: 0 };
  const ran = (_: string, code: GradedCode, command: string): Partial<CommandResult> => {
    if (typeof code !== 'string') broken.ends = 1;
    return command === 'npm ci' ? { exitCode: broken.ends } : {};
  };
  const { ports, results } = world({ tasks: [{ task: task('t') }], ran });
  const ended = await runEval(ports, plan({ setup: ['npm ci'] }));
  expect(results).toMatchObject([{ outcome: 'void', passed: false }]);
  expect(ended.stopped).toContain('a run could not be judged');
});

it('starts no run that the budget does not cover, and pays no result twice', async () => {
  const tasks = [{ task: task('t') }, { task: task('u') }];
  const { ports, results, did } = world({ tasks });
  const first = await runEval(ports, plan({ budgetMicroUsd: 1_499_999 }));
  expect(results).toHaveLength(1);
  expect(first.stopped).toBe('the budget is used up: $1.00 is left, the next run may cost $1.00, and 1 run is missing');
  const second = await runEval(ports, plan({ budgetMicroUsd: 1_500_000 }));
  expect(second.stopped).toBeNull();
  expect(did.filter((text) => text.startsWith('run'))).toHaveLength(2);
});

it('resumes an interrupted run, and counts one whose folder is missing', async () => {
  const { ports, notes } = world({ tasks: [{ task: task('t') }] });
  const { settings } = await runEval(ports, plan({ budgetMicroUsd: 0 }));
  const run = `t ${settings[0]} 1`;
  const at = (folder: string): EvalNote => ({
    type: 'started',
    version: 1,
    at: '',
    run,
    folder,
    reservedMicroUsd: 700_000,
  });
  const again = world({ tasks: [{ task: task('t') }], notes: [...notes, at('/gone/1'), at('/kept/2')] });
  const ended = await runEval(again.ports, plan({ budgetMicroUsd: 1_400_000 }));
  expect(again.did).toEqual(['run Do t. {"gates":[],"setup":[]}', 'remove /kept/2']);
  expect(ended.spentMicroUsd).toBe(700_000 + 500_000);
  expect(again.notes.at(-1)).toMatchObject({ type: 'lost', microUsd: 700_000 });
});

it('other settings, another test command and another setup are other results', async () => {
  const { ports } = world({ tasks: [] });
  const of = async (parts: Partial<EvalPlan>): Promise<string> => (await runEval(ports, plan(parts))).settings.join();
  const all = [
    await of({}),
    await of({ test: 'x' }),
    await of({ setup: ['x'] }),
    await of({ variants: [variant('b')] }),
  ];
  expect(new Set(all).size).toBe(4);
  expect(await of({ repeat: 9, budgetMicroUsd: 1, count: 7 })).toBe(all[0]);
  const models = (...names: string[]): Variant => ({
    name: 'x',
    request: { budgetMicroUsd: 1_000_000, models: Object.fromEntries(names.map((name) => [name, 'm'])) },
  });
  expect(await of({ variants: [models('worker', 'planner')] })).toBe(
    await of({ variants: [models('planner', 'worker')] }),
  );
  // A default that is written out is the same setting.
  const written: Variant = {
    name: 'y',
    request: { models: { worker: 'a' }, budgetMicroUsd: 1_000_000, batch: DEFAULT_OPTIONS.batch },
  };
  expect(await of({ variants: [written] })).toBe(all[0]);
  await expect(of({ variants: [variant('a'), { ...variant('a'), name: 'b' }] })).rejects.toThrow(
    'the variants a and b have the same settings',
  );
});

it('runs several at a time, as far as the budget covers their limits together', async () => {
  const tasks = ['t', 'u', 'v'].map((id) => ({ task: task(id) }));
  const { ports, results, notes } = world({ tasks });
  const under = { now: 0, most: 0 };
  const { run } = ports.workshop;
  const counted: Workshop['run'] = async (...given) => {
    under.now += 1;
    under.most = Math.max(under.most, under.now);
    await new Promise((resolve) => setImmediate(resolve));
    under.now -= 1;
    return run(...given);
  };
  const slow = { ...ports, workshop: { ...ports.workshop, run: counted } };
  const of = (budgetMicroUsd: number) => {
    results.length = 0;
    notes.length = 0;
    under.most = 0;
    return runEval(slow, plan({ count: 3, parallel: 3, budgetMicroUsd }));
  };
  // Each run may cost $1.00 and costs $0.50: after the first two, there is money for the third.
  expect(await of(2_000_000)).toMatchObject({ stopped: null, spentMicroUsd: 1_500_000 });
  expect(under.most).toBe(2);
  expect((await of(1_900_000)).stopped).toBe(
    'the budget is used up: $0.90 is left, the next run may cost $1.00, and 1 run is missing',
  );
  await of(9_000_000);
  expect(under.most).toBe(3);
});

it('a run that ends with an error keeps its reservation, and no other one starts', async () => {
  const tasks = ['t', 'u'].map((id) => ({ task: task(id) }));
  const { ports, results } = world({ tasks });
  const fails: Workshop['run'] = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    throw new Error('it broke');
  };
  const broken = { ...ports, workshop: { ...ports.workshop, run: fails } };
  // The second run waits for the money of the first one.
  await expect(runEval(broken, plan({ parallel: 2, budgetMicroUsd: 1_000_000 }))).rejects.toThrow('it broke');
  expect(results).toHaveLength(0);
  expect(broken.records.notes.filter(({ type }) => type === 'started')).toHaveLength(1);
});

it('starts no further run after one that could not be judged, and lets the others end', async () => {
  const tasks = ['t', 'u', 'v', 'w'].map((id) => ({ task: task(id) }));
  const { ports, results } = world({ tasks, end: { outcome: 'void', reason: 'no key', facts: FACTS } });
  const ended = await runEval(ports, plan({ count: 4, parallel: 2 }));
  expect(ended.stopped).toBe('a run could not be judged: no key');
  expect(results).toHaveLength(2);
});
