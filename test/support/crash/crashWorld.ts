/** A user's repository, a model's server and an owner process that can be killed and started again: all of one test. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../src/adapters/clock.ts';
import type { Scenario } from '../../../src/adapters/simulated/scenario.ts';
import { lookAtState } from '../../../src/app/open/store.ts';
import type { OwnerOptions } from '../../../src/app/owner/ownerOptions.ts';
import type { WorkspacePaths } from '../../../src/engine/state/workspacePaths.ts';
import type { State } from '../../../src/shared/workspace/state.ts';
import { plainGit, startRepository } from '../git/gitFixture.ts';
import { TreeGuard } from '../git/treeGuard.ts';
import { fewPrograms } from '../process/fewPrograms.ts';
import { type Exit, SHORT_LIVED, type ShortProcess, shortProcess } from '../process/shortProcess.ts';
import { WASM_FILE } from '../process/testPrograms.ts';
import { type MessagesServer, startMessagesServer } from '../provider/messagesServer.ts';
import { workspacePathsOf } from '../state/testPaths.ts';
import type { Built } from '../suite/plantedBug.ts';
import { LONGEST_SILENCE_MS } from '../time/silence.ts';
import { type CrashPoint, crashEnv } from './crashPoint.ts';
import { crashScenario } from './crashScenario.ts';

export interface CrashWorld extends AsyncDisposable {
  readonly places: WorkspacePaths;
  readonly server: MessagesServer;
  /** Waiting time of the model before each answer. */
  delayMs: number;
  /** After that time, an answer waits for this too. */
  held: Promise<void> | null;
  readonly env: Readonly<Record<string, string>>;
  /** Runs the owner to its end, or to the point where it kills itself. */
  run(point: CrashPoint | null): Promise<Exit>;
  /** Starts an owner; `steward` false: it leaves every question to others. */
  start(steward: boolean, more?: Readonly<Record<string, string>>): ShortProcess;
  /** A shell script in a mount namespace of its own, with the tools of this machine. */
  script(text: string, env: Readonly<Record<string, string>>): Promise<Exit>;
  /** The real program of the terminal. */
  cli(...args: string[]): ShortProcess;
  /** Becomes the owner, or a client, in this process. */
  readonly options: OwnerOptions;
  state(): Promise<State>;
  git(...args: string[]): string;
}

export async function crashWorld(
  programs: Pick<Built, 'program'>,
  delayMs = 0,
  scenario: Scenario = crashScenario,
  more: Partial<Parameters<typeof startMessagesServer>[0]> & { readonly files?: Readonly<Record<string, string>> } = {},
): Promise<CrashWorld> {
  const { files = {}, ...served } = more;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'autonomous-crash-')));
  const projectDir = join(folder, 'repo');
  const places = workspacePathsOf(folder, projectDir);
  mkdirSync(projectDir);
  const git = (...args: string[]): string => plainGit(projectDir, args);
  startRepository(projectDir, { 'README.md': 'Files\n', '.gitignore': '*.log\n', ...files });
  writeFileSync(join(projectDir, 'mine.log'), 'of the user\n');
  const guard = new TreeGuard(projectDir);
  const server = await startMessagesServer({
    ...served,
    scenario,
    faults: () => (world.delayMs === 0 ? null : { kind: 'delay', ms: world.delayMs, after: () => world.held }),
  });
  const env = {
    PATH: fewPrograms(join(folder, 'bin'), ['git', 'ls', 'true']),
    HOME: join(folder, 'home'),
    TMPDIR: folder,
    PLACES: JSON.stringify(places),
    ANTHROPIC_API_KEY: server.apiKey,
    ANTHROPIC_BASE_URL: server.url,
  };
  mkdirSync(env.HOME);
  const owner = programs.program('crashOwner');
  const world: CrashWorld = {
    places,
    server,
    delayMs,
    held: null,
    env,
    run: (point) => start(owner, [], { ...env, ...crashEnv(point) }).exit,
    start: (steward, more = {}) => start(owner, [], { ...env, STEWARD: String(steward), ...more }),
    script: (text, more) =>
      shortProcess('unshare', ['-m', 'sh', '-c', text], { ...more, PATH: process.env['PATH'] ?? '' }).exit,
    cli: (...args) =>
      start(
        programs.program('cli'),
        ['--project-dir', projectDir, ...args],
        {
          ...env,
          AUTONOMOUS_CONFIG_DIR: places.configDir,
          AUTONOMOUS_RUNTIME_DIR: places.runtimeDir,
          AUTONOMOUS_JOBS_DIR: places.jobsDir,
        },
        PATIENT_END,
      ),
    options: {
      places,
      clock: systemClock(),
      version: 'test',
      credentials: { key: () => server.apiKey, baseUrl: server.url },
      workerScript: programs.program('crashWorker'),
      wasmFile: WASM_FILE,
      work: true,
      delayMs: 0,
      env,
    },
    state: async () => {
      const wasmFile = WASM_FILE;
      const store = await lookAtState({ places, clock: systemClock(), wasmFile });
      await store.close();
      return store.state;
    },
    git,
    [Symbol.asyncDispose]: async () => {
      await server.close();
      try {
        guard.check();
      } finally {
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      }
    },
  };
  return world;
}

/** Arguments of Node for a run of the terminal's program. */
export const PATIENT_END = ['--import', new URL('./patientEnd.mjs', import.meta.url).href] as const;

function start(
  program: URL,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  ofNode: readonly string[] = [],
): ShortProcess {
  return shortProcess(process.execPath, [...SHORT_LIVED, ...ofNode, fileURLToPath(program), ...args], env);
}

/** Waits for what must come: no machine is so slow that it does not within these minutes. */
export async function soon<T>(
  what: string,
  look: () => T | undefined | false | null,
  ms = LONGEST_SILENCE_MS,
): Promise<T> {
  for (const end = performance.now() + ms; performance.now() < end; ) {
    const found = look();
    if (found !== undefined && found !== false && found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${what} did not come within ${ms} ms`);
}
