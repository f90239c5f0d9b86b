/** T10: whatever a repository, an agent, a home or an environment names, no git of ours runs it, and nothing of the user's is touched. */
import { spawnSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { FIXED_CLOCK, NEVER } from '../support/git/gitFixture.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith, type PlantedBug } from '../support/suite/plantedBug.ts';
import { figure, LONG } from '../support/suite/proof.ts';
import { AGENT_VECTORS, DOT_GIT_VECTORS, ENDLESS_VECTORS, SUBMODULE_VECTORS } from './git/agentVectors.ts';
import { GitGround } from './git/ground.ts';
import { type Judged, judged as ours } from './git/judged.ts';
import { type Life, live, type ToolResult } from './git/operations.ts';
import { USER_VECTORS } from './git/userVectors.ts';
import type { Vector } from './git/vector.ts';

const AGENT = [...AGENT_VECTORS, ...SUBMODULE_VECTORS];
const ALL = [...USER_VECTORS, ...AGENT, ...DOT_GIT_VECTORS, ...ENDLESS_VECTORS];
/** Of all that git may take; only what hangs comes to it. */
const LONGEST_MS = 15 * 60_000;
/** Quick to look for what holds git up, which does no harm where nothing does. */
const IMPATIENT = {
  ...FIXED_CLOCK,
  timer(ms: number, run: () => void) {
    const handle = setTimeout(run, ms < LONGEST_MS ? ms / 100 : ms / 20);
    return () => clearTimeout(handle);
  },
};

const seen = (vectors: readonly Vector[]): Vector[] => vectors.filter(({ masks }) => masks === undefined);
const USER = seen(USER_VECTORS);
const mergeable = (vectors: readonly Vector[]): Vector[] => vectors.filter(({ filters }) => filters === undefined);

/** In the short form pipes are among them; in the long one they have a life of their own. */
const ENDLESS_TOO = LONG ? {} : { late: ENDLESS_VECTORS, clock: IMPATIENT };

async function judge(judged: Judged, life: Life): Promise<ToolResult> {
  const ground = new GitGround();
  try {
    return await live(judged, ground, life);
  } finally {
    ground.remove();
  }
}

const all = { tried: 0, fired: 0, user: 0, slowestMs: 0 };

/** Asserts what holds on every ground, and counts what was tried. */
function held(told: ToolResult, vectors: number): void {
  all.tried += vectors * told.operations.length;
  all.fired += told.fired.length;
  all.user += told.user.length;
  all.slowestMs = Math.max(all.slowestMs, told.slowestMs);
  expect({ fired: told.fired, user: told.user, failed: told.failed }).toEqual({ fired: [], user: [], failed: [] });
}

afterAll(() => {
  const count = (what: string, value: number, aim: { atMost: number } | null) =>
    figure({ method: 'T10', what, value, unit: '', aim });
  count('hostile inputs tried: vectors of git × operations', all.tried, null);
  count('canaries of them that ran', all.fired, { atMost: 0 });
  count("files of the user's that differ, locks that stayed", all.user, { atMost: 0 });
  figure({ method: 'T10', what: 'slowest operation', value: all.slowestMs, unit: 'ms', aim: null });
});

test('every vector at once, filters among them: nothing runs or fails, and the checkout is his to move', async () => {
  const told = await judge(ours, { user: USER, agent: AGENT, dotGit: DOT_GIT_VECTORS });
  held(told, USER.length + AGENT.length + DOT_GIT_VECTORS.length);
  figure({ method: 'T10', what: 'vectors of git', value: ALL.length, unit: '', aim: { atLeast: 40 } });
  const operations = new Set(told.operations).size;
  figure({ method: 'T10', what: 'operations of git', value: operations, unit: '', aim: { atLeast: 14 } });
  expect(ALL.length).toBeGreaterThanOrEqual(40);
  expect(operations).toBeGreaterThanOrEqual(14);
  expect(told.outcomes).toMatchObject({
    mergeBase: 'clean',
    'integrate: branch': 'done',
    'integrate: merge': expect.stringMatching(/^refused: .*filters/),
  });
});

test('every vector that lets the checkout move, hooks tracked in the incoming tree: nothing runs at the merge', async () => {
  const user = mergeable(USER_VECTORS);
  const life = { user, agent: mergeable(AGENT), dotGit: DOT_GIT_VECTORS, ...ENDLESS_TOO };
  const told = await judge(ours, life);
  held(told, life.user.length + life.agent.length + life.dotGit.length);
  expect(told.outcomes).toMatchObject({ 'integrate: merge': 'done', rollBack: 'done' });
});

if (LONG) {
  test('pipes that git would read for ever are taken away, and the work goes on', async () => {
    const told = await judge(ours, { user: [], agent: ENDLESS_VECTORS, late: ENDLESS_VECTORS, clock: IMPATIENT });
    held(told, 2 * ENDLESS_VECTORS.length);
    expect(told.outcomes).toMatchObject({ 'integrate: merge': 'done' });
  });

  test.each(ALL)('alone: $name', async (vector) => {
    const user = USER_VECTORS.includes(vector);
    const dotGit = DOT_GIT_VECTORS.includes(vector);
    const life = { user: user ? [vector] : [], agent: user || dotGit ? [] : [vector], dotGit: dotGit ? [vector] : [] };
    held(await judge(ours, { ...life, clock: IMPATIENT }), 1);
  });
}

planted('a git that nothing protects', async () => {
  const ground = new GitGround();
  try {
    const clone = await ours
      .createGit({ clock: FIXED_CLOCK, env: process.env })
      .makeClone(ground.fixture.tree, { snapshot: false, signal: NEVER });
    expect(clone.baseline).not.toBe('');
    for (const vector of [...USER, ...seen(AGENT)]) vector.plant(ground);
    const git = (cwd: string, env: NodeJS.ProcessEnv, ...args: string[]) =>
      spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@y', ...args], { cwd, env, timeout: 3_000 });
    const home = { ...process.env, HOME: ground.home };
    for (const cwd of [ground.repo, ground.workTree]) {
      ground.fixture.write(cwd, { 'a.txt': 'dirty\n', 'x.slow': 'y\n' });
      for (const args of [['status'], ['add', '-A'], ['diff', 'HEAD'], ['commit', '-m', 'x'], ['log', '-1', '-p']])
        git(cwd, home, ...args);
      git(cwd, home, 'commit', '--no-gpg-sign', '--allow-empty', '-m', 'x');
      git(cwd, home, '-c', 'core.hooksPath=.git/hooks', 'commit', '--no-gpg-sign', '--allow-empty', '-m', 'x');
      git(cwd, home, 'checkout', '-b', 'other');
    }
    expect(ground.fired().length).toBeGreaterThanOrEqual(20);
    for (const vector of ENDLESS_VECTORS) vector.plant(ground);
    expect(git(ground.workTree, process.env, '-c', 'core.fsmonitor=', 'status').signal).toBe('SIGTERM');
  } finally {
    ground.remove();
  }
});

const USER_ENVIRONMENT = `(ALLOWED_ENVIRONMENT as string[]).push(...Object.keys(user));
  const env: Record<string, string> = { ...BASE_ENVIRONMENT, ...(user as Record<string, string>), PATH: dirname(binary) };`;
const BUGS: readonly (PlantedBug & { readonly name: string; readonly by: RegExp })[] = [
  {
    name: 'hooksPath not set',
    file: 'src/adapters/git/neutral.ts',
    find: `  \`core.hooksPath=\${NOTHING}\`,\n`,
    put: '',
    by: /hook reference-transaction at /,
  },
  {
    name: 'status looks into submodules',
    file: 'src/adapters/git/user/inspect.ts',
    find: "'--ignore-submodules=all'",
    put: "'--ignore-submodules=none'",
    by: /staged gitlink to a repository with filters at inspect/,
  },
  {
    name: 'git inherits the environment',
    file: 'src/adapters/git/neutral.ts',
    find: '  const env: Record<string, string> = { ...BASE_ENVIRONMENT, PATH: dirname(binary) };',
    put: USER_ENVIRONMENT,
    by: /variable GIT_CONFIG_COUNT at |could not run/,
  },
  {
    name: 'the doctor asks any git of the PATH',
    file: 'src/adapters/shell/doctor.ts',
    find: "ownFolders(environment['PATH'] ?? '')",
    put: "environment['PATH'] ?? ''",
    by: /a package brought, and one of the folder at doctor/,
  },
  {
    name: 'attributes of the tree are read for a diff',
    file: 'src/adapters/git/job/jobTree.ts',
    find: "  return { cwd: gitDir, gitDir, workTree: gitDir, indexFile: join(gitDir, 'no-index') };",
    put: '  return locationOf(tree);',
    by: /^diff: GIT_FAILED .* did not end in its time/,
  },
];

for (const { name, by, ...bug } of BUGS)
  planted(name, async () => {
    using built = await buildWith(bug, ['test/hostile/git/judged.ts']);
    const { judged } = (await import(built.program('judged').href)) as { judged: Judged };
    const told = await judge(judged, {
      user: USER,
      agent: AGENT,
      late: ENDLESS_VECTORS,
      clock: IMPATIENT,
      first: true,
    });
    expect([...told.fired, ...told.failed]).toContainEqual(expect.stringMatching(by));
  });
