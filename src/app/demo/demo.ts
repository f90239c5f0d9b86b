/** Creates the demo's sample repository, and answers for the steward in the demo. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findGit } from '../../adapters/git/findGit.ts';
import { rm } from '../../adapters/platform/heldFiles.ts';
import { ownEnvironment } from '../../adapters/platform/platform.ts';
import { commandsOf, stewardAnswer } from '../../adapters/simulated/scenario.ts';
import type { Demo, DemoCheck } from '../../engine/workspace/workspace.ts';
import type { ApprovalKind } from '../../shared/approval.ts';
import { failure } from '../../shared/errors.ts';
import { demoBrief, demoSampleFiles, loadScenario } from '../assets/scenarios.ts';

const run = promisify(execFile);

/** The demo's repository is generated: its git takes no settings from anywhere. */
const GIT_ENV = {
  PATH: ownEnvironment()['PATH'] ?? '/usr/bin:/bin',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'You',
  GIT_AUTHOR_EMAIL: 'you@localhost',
  GIT_COMMITTER_NAME: 'You',
  GIT_COMMITTER_EMAIL: 'you@localhost',
};

/** Creates the sample repository in an existing, empty folder. Throws GIT_MISSING. */
export async function makeRepository(folder: string): Promise<void> {
  for (const [path, text] of Object.entries(await demoSampleFiles())) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const program = findGit(GIT_ENV.PATH);
  const git = async (...args: readonly string[]): Promise<void> => {
    try {
      await run(program, [...args], { cwd: folder, env: GIT_ENV });
    } catch (cause) {
      throw failure('GIT_MISSING', 'git could not make the sample repository', {
        hint: 'Install git 2.38 or later.',
        cause,
      });
    }
  };
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'An empty spreadsheet');
}

async function check(folder: string, file: string, args: readonly string[]): Promise<DemoCheck> {
  const command = [file === process.execPath ? 'node' : basename(file), ...args].join(' ');
  try {
    const { stdout } = await run(file, [...args], { cwd: folder, env: GIT_ENV });
    return { command, output: stdout, ok: true };
  } catch (thrown) {
    const output = thrown instanceof Error && 'stdout' in thrown ? String(thrown.stdout) : String(thrown);
    return { command, output, ok: false };
  }
}

export async function makeDemo(): Promise<Demo> {
  const root = await mkdtemp(join(tmpdir(), 'autonomous-demo-'));
  const projectDir = join(root, 'sheet');
  await mkdir(projectDir);
  await makeRepository(projectDir);
  const scenario = await loadScenario('demo');
  const asked = new Map<ApprovalKind, number>();
  return {
    projectDir,
    jobsDir: join(root, 'jobs'),
    brief: await demoBrief(),
    scenario: 'demo',
    allowedCommands: commandsOf(scenario),
    answers: ({ kind, choices }) => {
      const nth = (asked.get(kind) ?? 0) + 1;
      asked.set(kind, nth);
      const answer = stewardAnswer(scenario, kind, nth);
      const { decision = 'approved', choice = choices[0] ?? null, feedback = null } = answer ?? {};
      return { decision, choice: decision === 'approved' ? choice : null, feedback };
    },
    check: async () => [
      await check(projectDir, process.execPath, ['--test']),
      await check(projectDir, process.execPath, ['bin/sheet.js', 'examples/budget.csv']),
      await check(projectDir, findGit(GIT_ENV.PATH), ['log', '--oneline', '--no-decorate']),
    ],
    cleanUp: () => rm(root, { recursive: true, force: true }),
  };
}
