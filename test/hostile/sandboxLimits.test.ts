/** T12: a command that takes too much, or will not go, is ended with all that it started, in a typed way. */
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CommandRequest } from '../../src/engine/session/commandPorts.ts';
import { inTheEnd, processesWith, type ShellGround, shellGround } from '../support/shell/shell.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith } from '../support/suite/plantedBug.ts';
import { figure } from '../support/suite/proof.ts';
import { LONGEST_SILENCE_MS } from '../support/time/silence.ts';

type Runner = typeof import('../../src/adapters/shell/commandRunner.ts');
const limits = { maxProcesses: 64, floodBytes: 8 * 1024 * 1024 };
let ground: ShellGround;
let confined = false;
beforeAll(async () => {
  ground = shellGround(limits);
  confined = (await ground.runner.sandbox()).mode === 'sandboxed';
});
afterAll(() => ground.close());
beforeEach(({ skip }) => skip(!confined, 'no sandbox on this machine'));

/** A number of seconds that no other process sleeps for. */
const nap = (): string => `${randomInt(1_000, 9_000)}.${randomInt(100_000, 999_999)}`;

interface Greed {
  readonly command: (mark: string) => string;
  readonly ended: 'timeout' | 'output' | 'processes' | null;
  readonly more?: Partial<CommandRequest>;
}

const GREEDY: Readonly<Record<string, Greed>> = {
  'one that sleeps, with others': {
    command: (mark) => `sleep ${mark} & setsid sleep ${mark} & sleep ${mark}`,
    ended: 'timeout',
    more: { timeoutMs: 400 },
  },
  'one that hears no signal': {
    command: (mark) => `trap '' TERM INT HUP QUIT; setsid sleep ${mark} & while :; do sleep ${mark}; done`,
    ended: 'timeout',
    more: { timeoutMs: 400 },
  },
  'one that stopped itself': { command: () => 'kill -STOP $$', ended: 'timeout', more: { timeoutMs: 400 } },
  'a daemon without an environment': {
    command: (mark) => `(setsid env -i sleep ${mark} >/dev/null 2>&1 &) ; nohup sleep ${mark} >/dev/null & echo up`,
    ended: null,
  },
  'one GB of output': {
    command: () => 'head -c 1073741824 /dev/zero',
    ended: 'output',
    more: { maxOutputBytes: 1_000 },
  },
  'too many processes': {
    command: (mark) => `i=0; while :; do sleep ${mark} & i=$((i+1)); done`,
    ended: 'processes',
  },
  'a fork storm': { command: () => 'f() { f | f & }; f; wait; sleep 60', ended: 'processes' },
};

/** What is wrong with how each was ended. */
async function faults(on: ShellGround, table: typeof GREEDY): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, { command, ended, more }] of Object.entries(table)) {
    const mark = nap();
    const result = await on.run(command(mark), { timeoutMs: LONGEST_SILENCE_MS, ...more });
    const gone = await inTheEnd(() => processesWith(mark).length === 0);
    const kept = result.output.length <= (more?.maxOutputBytes ?? 100_000) + 200;
    if (result.ended !== ended || !gone || !kept)
      wrong.push(
        `${name}: ${result.ended} in ${result.durationMs} ms, ${gone ? 'gone' : 'left'}, ${result.output.length}`,
      );
  }
  return wrong;
}

test('each is ended, and nothing of it is left', async () => {
  const wrong = await faults(ground, GREEDY);
  const count = Object.keys(GREEDY).length;
  figure({
    method: 'T12',
    what: 'hostile inputs tried: commands that take too much',
    value: count,
    unit: '',
    aim: null,
  });
  figure({
    method: 'T12',
    what: 'commands that take too much, not ended',
    value: wrong.length,
    unit: '',
    aim: { atMost: 0 },
  });
  expect(wrong).toEqual([]);
});

test('one that is aborted is ended, and not started when it was aborted before', async () => {
  const mark = nap();
  const control = new AbortController();
  const running = ground.run(`trap '' TERM INT HUP; setsid sleep ${mark} & sleep ${mark}`, { signal: control.signal });
  expect(await inTheEnd(() => processesWith(mark).length > 0)).toBe(true);
  control.abort();
  expect(await running).toMatchObject({ ended: 'aborted', exitCode: null });
  expect(await inTheEnd(() => processesWith(mark).length === 0)).toBe(true);
  expect(await ground.run('touch never', { signal: control.signal })).toMatchObject({ ended: 'aborted', output: '' });
});

test('it leaves no core file, and no file without bounds', async () => {
  expect(await ground.run(`exec sh -c 'ulimit -c; ulimit -f'`)).toMatchObject({ output: '0\n8388608\n' });
});

planted('output without an end', async () => {
  const bug = {
    file: 'src/adapters/shell/process/processLife.ts',
    find: 'if (total > launch.floodBytes)',
    put: 'if (total < 0)',
  };
  using built = await buildWith(bug, ['src/adapters/shell/commandRunner.ts']);
  const { createCommandRunner } = (await import(built.program('commandRunner').href)) as Runner;
  const planted = shellGround(limits, createCommandRunner);
  try {
    const flood = { ...GREEDY['one GB of output'], command: () => 'head -c 20000000 /dev/zero' } as Greed;
    expect(await faults(planted, { flood })).toHaveLength(1);
  } finally {
    await planted.close();
  }
});
