/** Commands of a session of the built-in agent, in the sandbox: what one of them leaves for the next, and for `read`. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { approves, attempt, bash, report, scenarioOf, write } from '../../support/demo/briefs.ts';
import { toolAnswers } from '../../support/session/toolAnswers.ts';
import { inTheEnd, processesWith } from '../../support/shell/shell.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

const read = (file_path: string) => ({ tool: 'read', input: { file_path } });

type Call = ReturnType<typeof bash>;

/** Each call in a turn of its own. */
const turnsOf = (calls: readonly Call[]) => calls.flatMap((call) => attempt(call).turns);

const behind = (command: string) => ({ tool: 'bash', input: { command, run_in_background: true } });
const output = (input: Record<string, unknown>) => ({ tool: 'bash_output', input });
/** Seconds that no other process sleeps. */
const seconds = (nth: number): string => `8531.${process.pid}${nth}`;
const sleeping = (nth: number): number => processesWith(`sleep\0${seconds(nth)}`).length;

/** Folders of this workspace's commands that are there. */
function folders(world: EngineWorld): string[] {
  const homes = join(dirname(world.job.job_dir), '.homes', 'default', 'run');
  return existsSync(homes) ? readdirSync(homes) : [];
}

test('the next attempt of a conversation finds the files that the last one left, and they are removed with the feature', async () => {
  const first = [
    bash('echo noted > "$TMPDIR/notes.txt"; seq 1 9000'),
    behind(`sleep ${seconds(3)}`),
    write('A.txt', 'A'),
    report('done'),
  ];
  const second = [
    bash('cat "$TMPDIR/notes.txt" "$TMPDIR"/../output/*.txt | head -n 3'),
    read('$TMPDIR/notes.txt'),
    write('B.txt', 'B'),
    report('done'),
  ];
  const attempts = [{ turns: turnsOf(first) }, { turns: turnsOf(second) }];
  const scenario = scenarioOf([{ verify: ['test -e B.txt'], features: [{ name: 'A', attempts }] }]);
  await using world = await EngineWorld.open({ scenario, sandbox: 'needed' });
  await world.submit({ gates: ['merge'] });
  await world.asked('merge');

  const rows = [...world.state.attempts.values()].filter(({ feature_id }) => feature_id !== null);
  expect(rows.map(({ cause }) => cause)).toEqual(['verify_failed', 'done']);
  expect(new Set(rows.map(({ session_id }) => session_id)).size).toBe(1);
  const [found, shown] = toolAnswers(world, 'worker').slice(-3);
  expect(found).toMatch(/^"noted\\n1\\n2\\n/);
  expect(found).toContain('[the background commands of the last attempt ended with it]');
  expect(found).not.toContain('empty again');
  expect(shown).toContain('1\\tnoted');
  expect(sleeping(3)).toBe(0);
  expect(folders(world)).toEqual([]);
});

test('files and a server of one command are there for the next one and for read, and are gone after the attempt', async () => {
  // Its network is its session's own, so that any port is free.
  const server = `node -e 'require("http").createServer((_, a) => a.end("hello")).listen(8080, () => console.log("up"))'`;
  const stubborn = `trap "" TERM; setsid sleep ${seconds(1)} & while :; do date +%s%N > ticks.txt; sleep 0.1; done`;
  const get = bash('curl -sS http://127.0.0.1:8080/');
  const serves = [behind(server), output({ bash_id: 1, wait_seconds: 60 }), get];
  const first = [
    bash('seq 1 3 > "$TMPDIR/numbers.log"'),
    bash('tail -n 1 "$TMPDIR/numbers.log"'),
    read('$TMPDIR/numbers.log'),
    ...serves,
    behind(stubborn),
    write('A.txt', 'A'),
  ];
  const second = [bash('cat ticks.txt'), output({ bash_id: 2 }), write('B.txt', 'B')];
  const features = [
    { name: 'A', attempts: [{ turns: turnsOf([...first, report('done')]) }] },
    { name: 'B', attempts: [{ turns: turnsOf([...second, report('done')]) }] },
  ];
  const looks = [bash('ls -A "$TMPDIR"; echo mine > "$TMPDIR/mine.txt"'), read('$TMPDIR/mine.txt')];
  const scenario = scenarioOf([{ features, reviews: [{ turns: turnsOf([...looks, ...serves]), ...approves }] }]);
  await using world = await EngineWorld.open({ scenario, sandbox: 'needed' });
  await world.submit({ gates: ['merge'] });
  await world.asked('merge');

  const [, next, shown, , up, got, , , , told, ended] = toolAnswers(world, 'worker');
  expect(next).toContain('3\\n[exit code 0]');
  expect(shown).toContain('     1\\t1\\n     2\\t2\\n     3\\t3');
  expect(up).toMatch(/^"up\\n\[it runs, for \d+ s so far\]"$/);
  expect(got).toBe('"hello\\n[exit code 0]"');
  expect(told).toContain(
    '[background command 1 ended: the attempt ended]\\n[background command 2 ended: the attempt ended]',
  );
  expect(ended).toContain('[it ended: the attempt ended]');
  const [listed, own, ...others] = toolAnswers(world, 'reviewer');
  expect(listed).toBe('"(no output)\\n[exit code 0]"');
  expect(own).toContain('1\\tmine');
  expect(others.at(-1)).toBe('"hello\\n[exit code 0]"');
  expect([...world.state.attempts.values()].map(({ status }) => status)).not.toContain('failed');
  expect(sleeping(1)).toBe(0);
  expect(folders(world)).toEqual([]);
});

test('a pause ends what runs in the background, and the session is told when it is resumed', async () => {
  const tick = `0.2${process.pid}`;
  const waits = bash(`while ! [ -e go ]; do sleep ${tick}; done`);
  const calls = [
    behind(`trap "" TERM; setsid sleep ${seconds(2)} & sleep ${seconds(2)}`),
    waits,
    output({ bash_id: 1 }),
    write('A.txt', 'A'),
    report('done'),
  ];
  const scenario = scenarioOf([{ features: [{ name: 'A', attempts: [{ turns: turnsOf(calls) }] }] }]);
  await using world = await EngineWorld.open({ scenario, sandbox: 'needed' });
  await world.submit({ gates: [] });
  const isWaiting = () => processesWith(`sleep\0${tick}`).length > 0;
  expect(await inTheEnd(() => sleeping(2) === 2 && isWaiting())).toBe(true);
  await world.owner.request('pauseJob', { jobId: world.jobId });
  await world.until('the attempt is interrupted', () => world.happened('attempt_interrupted').length === 1);
  expect(sleeping(2)).toBe(0);

  await world.restart();
  await world.owner.request('resumeJob', { jobId: world.jobId });
  expect(await inTheEnd(isWaiting)).toBe(true);
  writeFileSync(join(world.job.clone_dir ?? '', 'go'), '');
  await world.is('completed');
  const [, resumed, looked] = toolAnswers(world, 'worker');
  expect(resumed).toContain('[this session was resumed: none of its background commands runs]');
  expect(looked).toContain('[it ended: this session was interrupted and resumed]');
});
