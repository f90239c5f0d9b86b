/** The program of the terminal as processes, on a repository and a model's server of one test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import type { SimulatedModel } from '../../../src/adapters/simulated/model.ts';
import type { Scenario } from '../../../src/adapters/simulated/scenario.ts';
import { plainGit, writeFiles } from '../git/gitFixture.ts';
import { type Fault, type ServedRequest, startMessagesServer } from '../provider/messagesServer.ts';
import type { Built } from '../suite/plantedBug.ts';
import { testPrograms } from './testPrograms.ts';

interface Exit {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Running {
  kill(signal: NodeJS.Signals): void;
  readonly exit: Promise<Exit>;
}

export interface TerminalProcess extends AsyncDisposable {
  readonly folder: string;
  readonly repo: string;
  readonly jobsDir: string;
  /** Resolves when the model was asked what it does not answer. */
  readonly silent: Promise<void>;
  git(...args: string[]): string;
  /** `--project-dir` is the repository, unless another one is named first. */
  cli(...args: string[]): Running;
  /** Another repository with the same files, of the same installation. */
  another(name: string): string;
}

export interface TerminalOptions {
  readonly scenario: Scenario;
  /** Answers instead of the scenario. */
  readonly model?: Pick<SimulatedModel, 'answer'>;
  readonly files?: Readonly<Record<string, string>>;
  /** The PATH of the program, instead of few programs. */
  readonly path?: (folder: string) => string;
  /** Variables of the program besides those that it needs; `url` is the model's server. */
  readonly env?: (url: string) => Readonly<Record<string, string>>;
  /** Requests that are answered; what comes later waits for ever. */
  readonly silentAfter?: number;
  /** What goes wrong with a request, if the model is asked in time. */
  readonly faults?: (request: ServedRequest) => Fault | null;
}

/** `built` holds `cli` and `worker`. */
/** Another Node for the program: `npm run proof -- node22` sets it. */
const NODE = process.env['PROOF_NODE'] ?? process.execPath;

export async function terminalProcess(built: Built, options: TerminalOptions): Promise<TerminalProcess> {
  const folder = realpathSync(mkdtempSync(join(inject('tempRoot'), 't-')));
  const files = options.files ?? { 'README.md': 'A program.\n' };
  const another = (name: string): string => {
    const repo = join(folder, name);
    mkdirSync(repo);
    plainGit(repo, ['init', '-q', '-b', 'main']);
    writeFiles(repo, files);
    plainGit(repo, ['add', '-A']);
    plainGit(repo, ['commit', '-q', '-m', 'Start']);
    return repo;
  };
  const repo = another('repo');
  const silent = Promise.withResolvers<void>();
  const server = await startMessagesServer({
    scenario: options.scenario,
    ...(options.model === undefined ? {} : { model: options.model }),
    faults: (request) => {
      const { path, index } = request;
      if (path.includes('count_tokens')) return null;
      if (index < (options.silentAfter ?? Number.POSITIVE_INFINITY)) return options.faults?.(request) ?? null;
      silent.resolve();
      return { kind: 'stall', afterEvents: 0 };
    },
  });
  const { fewPrograms } = await testPrograms(inject('tempRoot'));
  const env = {
    PATH: options.path?.(folder) ?? fewPrograms,
    HOME: join(folder, 'home'),
    ANTHROPIC_API_KEY: server.apiKey,
    ANTHROPIC_BASE_URL: server.url,
    AUTONOMOUS_CONFIG_DIR: join(folder, 'config'),
    AUTONOMOUS_RUNTIME_DIR: join(folder, 'run'),
    AUTONOMOUS_JOBS_DIR: join(folder, 'jobs'),
    ...options.env?.(server.url),
  };
  mkdirSync(env.HOME);
  return {
    folder,
    repo,
    jobsDir: join(folder, 'jobs'),
    silent: silent.promise,
    another,
    git: (...args) => plainGit(repo, args),
    cli: (...args) => {
      const where = args[0] === '--project-dir' ? [] : ['--project-dir', repo];
      const program = fileURLToPath(built.program('cli'));
      const child = spawn(NODE, ['--liftoff-only', program, ...where, ...args], { env, cwd: folder });
      return { kill: (signal) => child.kill(signal), exit: exitOf(child) };
    },
    [Symbol.asyncDispose]: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function exitOf(child: ChildProcess): Promise<Exit> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  return { code, stdout, stderr };
}
