/**
 * T12: what the user keeps beside the clone is out of a command's sight: ignored files of the repository, his home, other jobs
 * and what agents of theirs have of a sign-in. A worker that looks for them commits what it finds; judged by what was merged.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attempt, bash, report, scenarioOf } from '../support/demo/briefs.ts';
import { shellGround } from '../support/shell/shell.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith, type PlantedBug } from '../support/suite/plantedBug.ts';
import { figure } from '../support/suite/proof.ts';
import { EngineWorld } from '../support/world/engineWorld.ts';

const SECRET = 'sk-not-for-you-77aa';
const IN_HOME = [
  '.bashrc',
  '.zshrc',
  '.profile',
  '.cache/huggingface/token',
  '.cargo/credentials.toml',
  '.config/gh/hosts.yml',
  '.local/share/atuin/history.db',
  '.autonomous/jobs/other-0123abcd/job/git/config',
  'work/other/.autonomous/events/1.jsonl',
  'work/other/.env',
  'work/other/lib/key.pem',
  'notes.txt',
];
const IN_REPOSITORY = ['.env', '.autonomous/secret', 'ignored/key.pem'];
const OTHER_JOBS = ['other-0123abcd/.homes/default/home/x/.codex/auth.json', 'other-0123abcd/work/clone/.env'];
/** Programs that builds need, and what lies beside them. */
const PROGRAMS = { '.nvm/versions/node/v1/bin/its-node': '../lib/part', 'tools/x/bin/its-tool': '../lib/part' };

const home = homedir();
const path = process.env['PATH'];
function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
beforeAll(() => {
  for (const name of IN_HOME) put(join(home, name), SECRET);
  for (const name of ['.git/HEAD', 'bin/program']) put(join(home, 'work', 'other', name), 'x');
  for (const [program, beside] of Object.entries(PROGRAMS)) {
    const file = join(home, program);
    put(file, `#!/bin/sh\ncat "$(dirname "$0")/${beside}"\n`);
    put(join(dirname(file), beside), 'it-works\n');
    chmodSync(file, 0o755);
  }
  const folders = Object.keys(PROGRAMS).map((program) => join(home, dirname(program)));
  process.env['PATH'] = [path, ...folders, join(home, 'work', 'other'), join(home, 'work', 'other', 'bin')].join(':');
});
afterAll(() => {
  process.env['PATH'] = path;
});

/** The clone lies four folders below those of all jobs; the repository beside them. */
const PLACES = `jobs=$(cd ../../../.. && pwd -L); repo=$(dirname "$jobs")/repo; home=${home}`;
const LOOKED = [
  ...IN_REPOSITORY.flatMap((name) => [`$repo/${name}`, `$AUTONOMOUS_PROJECT_DIR/${name}`]),
  ...OTHER_JOBS.map((name) => `$jobs/${name}`),
  ...IN_HOME.map((name) => `$home/${name}`),
];

/** In the order of the lines that it leaves behind. */
const looking = (): string =>
  [
    PLACES,
    '{ echo looked',
    'cmp -s README.md "$AUTONOMOUS_PROJECT_DIR/README.md" && echo in-the-project',
    ...LOOKED.map((file) => `grep -qs ${SECRET} "${file}" && echo 'got ${file}'`),
    ...Object.keys(PROGRAMS).map((program) => program.split('/').at(-1) ?? ''),
    '} > hello.txt 2>&1; true',
  ].join('\n');

/** What a worker's command read, and a merge took into the repository. */
async function merged(workerScript?: URL): Promise<string[]> {
  await using world = await EngineWorld.open({
    sandbox: true,
    scenario: scenarioOf([{ features: [{ name: 'A', attempts: [attempt(bash(looking()), report('done'))] }] }]),
    files: { 'README.md': 'A program.\n', '.gitignore': '.env\nignored/\n' },
    ...(workerScript === undefined ? {} : { owner: { workerScript } }),
  });
  for (const name of IN_REPOSITORY) put(join(world.repo, name), SECRET);
  for (const name of OTHER_JOBS) put(join(dirname(world.places.jobsDir), name), SECRET);
  world.write({});
  await world.run({ mergeMode: 'merge' });
  return world.git('show', 'main:hello.txt').split('\n');
}

const FOUND = ['looked', 'in-the-project', ...Object.keys(PROGRAMS).map(() => 'it-works')];
let confined = false;
beforeAll(async () => {
  const ground = shellGround();
  confined = (await ground.runner.sandbox()).mode === 'sandboxed';
  await ground.close();
});

test("a command finds the clone where the project is said to be, its toolchains, and nothing else that is the user's", async ({
  skip,
}) => {
  skip(!confined, 'no sandbox on this machine');
  const found = await merged();
  const count = (what: string, value: number, aim: { atMost: number } | null): void =>
    figure({ method: 'T12', what, value, unit: '', aim });
  count("places of the user's that a worker looked into", LOOKED.length, null);
  count("places of the user's that it read", found.filter((line) => line.startsWith('got ')).length, { atMost: 0 });
  expect(found).toEqual(FOUND);
});

const bugs: readonly (PlantedBug & { readonly name: string; readonly by: string })[] = [
  {
    name: 'the repository itself is in sight',
    file: 'src/app/worker/worker.ts',
    find: 'start.workspaceDir, start.projectDir, start.stateDir, ',
    put: 'start.stateDir, ',
    by: 'got $repo/.env',
  },
  {
    name: 'the jobs of other workspaces are in sight',
    file: 'src/app/worker/worker.ts',
    find: 'jobsRootOf(start.jobsDir)]',
    put: 'start.jobsDir]',
    by: `got $jobs/${OTHER_JOBS[0]}`,
  },
  {
    name: 'the home is in sight but for a list',
    file: 'src/adapters/shell/sandbox/deniedReads.ts',
    find: 'dirname(home) === home ? [] : [home]',
    put: '[]',
    by: 'got $home/.bashrc',
  },
];
for (const { name, by, ...bug } of bugs)
  planted(name, async ({ skip }) => {
    skip(!confined, 'no sandbox on this machine');
    using built = await buildWith(bug, ['src/worker.ts']);
    expect(await merged(built.program('worker'))).toContain(by);
  });
