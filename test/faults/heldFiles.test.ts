/**
 * T2 where other programs hold files for a while, as virus scanners and indexers do on Windows: each rename and removal of the shipped
 * program, and each command of its git, finds a file held. A job waits for it, and says so; where that takes too long, it stops,
 * says which file it is and what to do, and continues once the file is free. Nothing is lost.
 */
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { HELD_HINT } from '../../src/engine/state/filePorts.ts';
import type { Judged } from '../hostile/git/judged.ts';
import { type GitPlan, HELD_FAULTS, mergeUnder } from '../support/disk/failingGit.ts';
import { type HeldGitPlan, heldGit } from '../support/held/heldGit.ts';
import { attemptsWaited, HOLDING, heldFlags } from '../support/held/heldPlan.ts';
import { HELD_CODES, HELD_WORDS, type HeldPlan, operationsIn } from '../support/held/heldWords.ts';
import { findingsIn, promisesBroken, type Undisturbed, undisturbed } from '../support/invariants/invariants.ts';
import { KillWorld } from '../support/kill/killWorld.ts';
import { planted } from '../support/suite/planted.ts';
import { type Built, buildWith, type PlantedBug } from '../support/suite/plantedBug.ts';
import { figure, LONG, SEED } from '../support/suite/proof.ts';

const PROGRAMS = ['src/cli.ts', 'src/worker.ts', 'test/hostile/git/judged.ts'];
/** So many different renames and removals each run has. */
const LEAST = 40;
/** Into so many jobs is divided what is held for too long. */
const GROUPS = 4;
const ONE_CODE = HELD_CODES[SEED % HELD_CODES.length] ?? 'EPERM';
const MOST_LIVES = 20;
const GIT_WORDS = ' could not use a file: ';
const WAITED =
  / is held by another program, and is waited for \(|^git [a-z-]+ waits for a file that another program holds: /;

const count = (what: string, value: number, aim: { atMost: number } | null): void =>
  figure({ method: 'T2', what, value, unit: '', aim });

const logOf = ({ folder }: KillWorld): string => join(folder, 'held.log');
const heldIn = (world: KillWorld): string[] => operationsIn(logOf(world), world.folder, 'held');

type Plan = Omit<HeldPlan, 'root' | 'log'>;
const flagsOf = (world: KillWorld, plan: Plan): string[] =>
  heldFlags({ ...plan, root: world.folder, log: logOf(world) });

let programs: Built;
let expected: Undisturbed;
let attempts: Awaited<ReturnType<typeof attemptsWaited>>;
/** Each rename and removal of a job, a conversation and tasks. */
let known: readonly string[];

beforeAll(async () => {
  programs = await buildWith(HOLDING, PROGRAMS);
  attempts = await attemptsWaited();
  await using world = await KillWorld.open(programs, 'clean', SEED, 0);
  const done = await world.untilDone(flagsOf(world, { code: 'EPERM', names: [], attempts: [1, 2], seed: SEED }));
  expect(done.code, done.why).toBe(0);
  expected = undisturbed(world);
  known = [...new Set(operationsIn(logOf(world), world.folder, 'free'))];
  expect(known.length).toBeGreaterThan(LEAST);
  return () => programs[Symbol.dispose]();
});

/** Failures that name no file, or do not say what to do. */
const unclear = ({ failures, folder }: KillWorld, words = folder): unknown[] =>
  failures.filter(({ code, message, hint }) => code !== 'DISK' || hint !== HELD_HINT || !message.includes(words));

/** What is wrong after a run in which each wait was long enough. */
async function wrongAfterWaits(world: KillWorld, why: string): Promise<object> {
  if (why !== '') return { why };
  const others = world.problems.filter((text) => !WAITED.test(text));
  const broken = promisesBroken(await findingsIn(world, expected));
  return { ...broken, why, failures: world.failures, problems: others };
}
const NOTHING_WRONG = { why: '', failures: [], problems: [] };

async function waitingJob(built: Built, plan: Plan, gitPlan: HeldGitPlan | null = null) {
  await using world = await KillWorld.open(built, 'clean', SEED, 0);
  const git = gitPlan && heldGit(join(world.folder, 'bin'), gitPlan);
  const { code, why } = await world.untilDone(flagsOf(world, plan));
  const wrong = await wrongAfterWaits(world, code === 0 ? '' : why);
  const free = operationsIn(logOf(world), world.folder, 'free');
  return { wrong, held: heldIn(world), free, said: world.problems.length, commands: git?.count() ?? 0 };
}

const GIT_PLANS = (['before', 'after'] as const).flatMap((when) =>
  [0, 1, 2].map((from): HeldGitPlan => ({ when, from, of: 3, fail: 1 })),
);
/** Each third command, and in the other plans the others. */
const countOfGit = (commands: number): void =>
  count('commands of git that found a file held once', Math.floor(commands / 3), null);

async function waitingGit(built: Built, plan: HeldGitPlan) {
  await using world = await KillWorld.open(built, 'clean', SEED, 0);
  const git = heldGit(join(world.folder, 'bin'), plan);
  const { code, why } = await world.untilDone([]);
  return { wrong: await wrongAfterWaits(world, code === 0 ? '' : why), commands: git.count() };
}

/** Files are held for longer than it waits for them; whoever reads why something ended asks for it again. */
async function stoppedJob(group: number, code: HeldPlan['code']) {
  await using world = await KillWorld.open(programs, 'clean', SEED, 0);
  let refusals = 0;
  world.driver.asksAgain = ({ message }) => {
    if (message.includes(HELD_WORDS)) refusals++;
    return message.includes(HELD_WORDS);
  };
  const names = known.filter((_, at) => at % GROUPS === group);
  const bounds = [attempts.files + 1, 3 * attempts.files] as const;
  const plan = { code, names, attempts: bounds, seed: SEED + group };
  const said: string[] = [];
  for (let life = 0, ended: number | null = 1; life < MOST_LIVES && ended !== 0; life++) {
    const done = await world.untilDone(flagsOf(world, plan));
    ended = done.code;
    if (ended !== 0) said.push(done.stderr);
  }
  const wrong = {
    ...promisesBroken(await findingsIn(world, expected)),
    ended: said.filter((text) => !text.includes(HELD_WORDS) || !text.includes(HELD_HINT)),
    failures: unclear(world),
  };
  const isRight = Object.keys(wrong).length === 2 && wrong.ended.length === 0 && wrong.failures.length === 0;
  return {
    wrong: isRight ? null : wrong,
    stops: world.failures.length + said.length + refusals,
    held: heldIn(world),
  };
}

describe(`files that other programs hold (seed ${SEED})`, () => {
  test.for(LONG ? HELD_CODES : [ONE_CODE])('each for a while, by %s: the job waits, and is the same', async (code) => {
    const plan = { code, names: null, attempts: [1, attempts.files + 1], seed: SEED } as const;
    // The short form has a job less: a third of the commands of git find a file held, too.
    const gitPlan = LONG ? null : (GIT_PLANS[SEED % GIT_PLANS.length] ?? null);
    const { wrong, held, free, said, commands } = await waitingJob(programs, plan, gitPlan);
    expect(wrong, JSON.stringify(gitPlan)).toEqual(NOTHING_WRONG);
    // Which files there are depends on what happened first, and so do the names of another run.
    expect(free, 'never held').toEqual([]);
    expect(new Set(held).size).toBeGreaterThan(LEAST);
    expect(said).toBeGreaterThan(0);
    count(`renames and removals that were each refused by ${code} for a while`, held.length, null);
    if (gitPlan === null) return;
    expect(commands).toBeGreaterThan(3);
    countOfGit(commands);
  });

  test('for too long: the job stops, says what to do, and continues once they are free', async () => {
    const met = new Set<string>();
    const broken: Record<string, unknown> = {};
    let stops = 0;
    const groups = LONG ? Array.from({ length: GROUPS }, (_, at) => at) : [SEED % GROUPS];
    const jobs = groups.flatMap((group) => (LONG ? HELD_CODES : [ONE_CODE]).map((code) => ({ group, code })));
    for (const { group, code } of jobs) {
      const end = await stoppedJob(group, code);
      if (end.wrong !== null) broken[`${code}, group ${group}`] = end.wrong;
      stops += end.stops;
      for (const one of end.held) met.add(`${code} ${one}`);
    }
    count('stops of a job or of its owner by a file that was held for too long', stops, null);
    count('jobs whose files were held for too long', jobs.length, null);
    count('jobs lost by files that other programs hold', Object.keys(broken).length, { atMost: 0 });
    expect(broken).toEqual({});
    expect(stops).toBeGreaterThan(0);
    expect(met.size).toBeGreaterThan(LONG ? HELD_CODES.length * LEAST : 0);
    count('renames and removals that were each held for too long, by each code', met.size, null);
  });

  if (LONG)
    test('each command of git, once: it is repeated, and the job is the same', async () => {
      let commands = 0;
      for (const plan of GIT_PLANS) {
        const done = await waitingGit(programs, plan);
        expect(done.wrong, JSON.stringify(plan)).toEqual(NOTHING_WRONG);
        commands += done.commands;
      }
      countOfGit(commands);
    });

  test('commands of git, for too long: the job stops, says what to do, and continues', async () => {
    for (const from of LONG ? [10, 20, 30, 40, 50, 60, 70, 80] : [40]) {
      await using world = await KillWorld.open(programs, 'clean', SEED, 0);
      let refusals = 0;
      world.driver.asksAgain = ({ message }) => {
        if (message.includes(GIT_WORDS)) refusals++;
        return message.includes(GIT_WORDS);
      };
      heldGit(join(world.folder, 'bin'), { when: 'before', of: attempts.git + 41, fail: attempts.git + 1, from });
      const done = await world.untilDone([]);
      expect(done.code, done.why).toBe(0);
      expect(unclear(world, GIT_WORDS)).toEqual([]);
      expect(world.failures.length + refusals).toBeGreaterThan(0);
      expect(promisesBroken(await findingsIn(world, expected)), `from ${from} on`).toEqual({});
    }
  });
});

const COMMANDS = 14;
const MERGES: readonly GitPlan[] = LONG
  ? Array.from({ length: COMMANDS }, (_, at) => at + 1).flatMap((nth) =>
      [false, true].map((lasting) => ({ fault: 'held', nth, lasting }) as const),
    )
  : [
      { fault: 'held', nth: 1, lasting: false },
      { fault: 'held', nth: 2, lasting: false },
      { fault: 'held', nth: 2, lasting: true },
    ];

test('a merge into a checkout whose files are held is finished, or undone until they are free', async () => {
  const { judged } = (await import(programs.program('judged').href)) as { judged: Judged };
  for (const plan of [...MERGES, { fault: HELD_FAULTS[1], nth: 2, lasting: false }]) {
    const { outcome, broken } = await mergeUnder(judged.createGit, plan);
    expect({ outcome, broken }, JSON.stringify(plan)).toEqual({
      // Of several refs, some may have moved: that is found out at the next attempt. A third command follows a disk that is full.
      outcome: plan.lasting || plan.nth !== 2 ? 'DISK' : 'done',
      broken: [],
    });
  }
});

const ONCE: Plan = { code: 'EBUSY', names: null, attempts: [1, 2], seed: SEED };
const BUGS: readonly (PlantedBug & {
  readonly name: string;
  readonly by: (built: Built) => Promise<{ wrong: object }>;
})[] = [
  {
    name: 'a held file is not waited for',
    file: 'src/adapters/platform/heldFiles.ts',
    find: 'if (waited >= PATIENCE_MS) return null;',
    put: 'return null;',
    by: (built) => waitingJob(built, ONCE),
  },
  {
    name: 'a rename that waits for nothing',
    file: 'src/adapters/platform/heldFiles.ts',
    find: 'held<[to: string]>((file, to) => renameNow(file, to))',
    put: 'renameNow as Async<[to: string]>',
    by: (built) => waitingJob(built, ONCE),
  },
  {
    name: 'a command of git is not repeated',
    file: 'src/adapters/git/runGit.ts',
    find: '(answer) => heldAgain(args, answer)',
    put: '() => null',
    by: (built) => waitingGit(built, { when: 'before', of: 3, fail: 1, from: 0 }),
  },
];

for (const { name, by, ...bug } of BUGS)
  planted(name, async () => {
    using built = await buildWith([...HOLDING, bug], PROGRAMS);
    expect((await by(built)).wrong).not.toEqual(NOTHING_WRONG);
  });

planted('what git could not move is taken back at once', async () => {
  const bug = {
    file: 'src/adapters/git/user/merge/fastForward.ts',
    find: 'if (heldBy(answer) !== null) {',
    put: 'if (heldBy(answer) === "") {',
  };
  using built = await buildWith([...HOLDING, bug], PROGRAMS);
  const { judged } = (await import(built.program('judged').href)) as { judged: Judged };
  const { broken } = await mergeUnder(judged.createGit, { fault: 'left', nth: 2, lasting: false });
  expect(broken).toContainEqual(expect.stringContaining('gone/c.txt'));
});
