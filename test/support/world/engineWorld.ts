/**
 * A user's repository, a model server on the loopback address, and a real owner between them: worker thread, git, commands,
 * log and database, all in folders of their own.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { CHANGED } from '../../../src/adapters/gateway/door/prefixCheck.ts';
import type { SimulatedModel } from '../../../src/adapters/simulated/model.ts';
import type { Scenario } from '../../../src/adapters/simulated/scenario.ts';
import { writeConnection } from '../../../src/adapters/userData/knownConnections.ts';
import { openConnections } from '../../../src/app/open/model/connections.ts';
import type { Owner } from '../../../src/app/owner/assemble.ts';
import { becomeOwner } from '../../../src/app/owner/owner.ts';
import type { OwnerOptions } from '../../../src/app/owner/ownerOptions.ts';
import { findWorkspacePaths } from '../../../src/app/workspace/findWorkspacePaths.ts';
import type { WorkspacePaths } from '../../../src/engine/state/workspacePaths.ts';
import { connectionEntry, type NewConnection } from '../../../src/shared/model/connections.ts';
import { ONE_FEATURE } from '../demo/briefs.ts';
import { plainGit, startRepository, writeFiles } from '../git/gitFixture.ts';
import { TreeGuard } from '../git/treeGuard.ts';
import { testPrograms, WASM_FILE } from '../process/testPrograms.ts';
import {
  type Fault,
  type MessagesServer,
  type ServedRequest,
  startMessagesServer,
} from '../provider/messagesServer.ts';
import { needSandbox } from '../shell/needSandbox.ts';
import { QuickClock } from '../time/quickClock.ts';
import { JobWorld } from './jobWorld.ts';

/** By which the user looks, and changes nothing. */
const LOOKS = new Set([
  'rev-parse',
  'show',
  'log',
  'diff',
  'status',
  'ls-files',
  'ls-tree',
  'cat-file',
  'branch',
  'for-each-ref',
  'rev-list',
  'fsck',
  'count-objects',
  'merge-base',
]);

const keyOf = (key: WorldOptions['key'], good: string): (() => string | null) =>
  typeof key === 'function' ? key : () => (key === undefined ? good : key);

/** What the tests' plans verify with: allowed by exact words, so that they run where no sandbox is. */
const COMMANDS = [['ls'], ['sh', 'check.sh'], ['node', '--test'], ['false'], ['cat', 'A.txt']];

export interface WorldOptions {
  readonly scenario?: Scenario;
  /** Answers instead of a scenario. */
  readonly model?: Pick<SimulatedModel, 'answer'>;
  /** Of the repository's first commit. */
  readonly files?: Readonly<Record<string, string>>;
  readonly faults?: Readonly<Record<number, Fault>> | ((request: ServedRequest) => Fault | null);
  /** Absent: the one that the server takes. A function is asked for each call. */
  readonly key?: string | null | (() => string | null);
  /** The user's connections, by name. */
  readonly connections?: Readonly<Record<string, NewConnection>>;
  /** What the connections send with. */
  readonly fetch?: typeof fetch;
  /** Variables of the owner's environment in addition, such as keys. */
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: QuickClock;
  /** Commands are confined if this machine can; 'needed': else nothing is begun. Absent: they are unconfined, which is faster. */
  readonly sandbox?: boolean | 'needed';
  /** What may run where no sandbox is, beside the commands of the plans: agents. */
  readonly allowed?: readonly (readonly string[])[];
  readonly owner?: Partial<OwnerOptions>;
  /** Another build of the owner, with a bug in it. */
  readonly become?: typeof becomeOwner;
}

export class EngineWorld extends JobWorld implements AsyncDisposable {
  readonly folder: string;
  readonly repo: string;
  readonly places: WorkspacePaths;
  readonly server: MessagesServer;
  readonly clock: QuickClock;
  /** The test takes a journal away, so that its conversation begins with another history. */
  losesJournals = false;
  owner: Owner;
  readonly #options: OwnerOptions;
  readonly #guard: TreeGuard;

  private constructor(
    folder: string,
    server: MessagesServer,
    options: OwnerOptions,
    owner: Owner,
    clock: QuickClock,
    guard: TreeGuard,
    allowed: WorldOptions['allowed'] = [],
  ) {
    super([...COMMANDS, ...allowed]);
    this.folder = folder;
    this.repo = options.places.projectDir;
    this.places = options.places;
    this.server = server;
    this.clock = clock;
    this.#options = options;
    this.owner = owner;
    this.#guard = guard;
    this.hear();
  }

  static async open(options: WorldOptions = {}): Promise<EngineWorld> {
    if (options.sandbox === 'needed') await needSandbox();
    const folder = realpathSync(mkdtempSync(join(inject('tempRoot'), 'w-')));
    const repo = join(folder, 'repo');
    mkdirSync(repo);
    const head = startRepository(repo, options.files ?? { 'README.md': 'A program.\n' });
    const apiKey = 'sk-secret-of-the-user';
    const server = await startMessagesServer({
      scenario: options.scenario ?? ONE_FEATURE,
      ...(options.model === undefined ? {} : { model: options.model }),
      apiKey,
      faults: options.faults ?? {},
    });
    const clock = options.clock ?? new QuickClock();
    const { worker, fewPrograms, compiled } = await testPrograms(inject('tempRoot'));
    const env = { ...process.env, NODE_COMPILE_CACHE: compiled, ...options.env };
    const configDir = join(folder, 'config');
    for (const [name, entry] of Object.entries(options.connections ?? {}))
      writeConnection(configDir, name, connectionEntry.parse(entry));
    const ownerOptions: OwnerOptions = {
      places: {
        ...(await findWorkspacePaths(repo, join(folder, 'jobs'))),
        configDir,
        runtimeDir: join(folder, 'run'),
      },
      clock,
      version: 'test',
      credentials: {
        key: keyOf(options.key, apiKey),
        baseUrl: server.url,
        connections: openConnections({ configDir, env, clock, proxy: options.fetch ?? null }),
      },
      workerScript: worker,
      wasmFile: WASM_FILE,
      work: true,
      delayMs: 0,
      // On a quick clock a minute is over before a busy machine has let a thread answer.
      threadPatienceMs: 86_400_000,
      env: (options.sandbox ?? false) !== false ? env : { ...env, PATH: fewPrograms },
      ...options.owner,
    };
    const owner = await (options.become ?? becomeOwner)(ownerOptions);
    return new EngineWorld(folder, server, ownerOptions, owner, clock, new TreeGuard(repo, head), options.allowed);
  }

  override get requests(): readonly ServedRequest[] {
    return this.server.requests;
  }

  get ownerOptions(): OwnerOptions {
    return this.#options;
  }

  /** git as the user calls it, in the user's repository; trimmed. */
  git(...args: string[]): string {
    const said = plainGit(this.repo, args).trim();
    if (!LOOKS.has(args[0] ?? '')) this.#guard.renew();
    return said;
  }

  write(files: Readonly<Record<string, string | null>>): void {
    writeFiles(this.repo, files);
    this.#guard.renew();
  }

  userCommits(files: Readonly<Record<string, string | null>>, message = 'By the user'): string {
    writeFiles(this.repo, files);
    plainGit(this.repo, ['add', '-A', '--', ...Object.keys(files)]);
    plainGit(this.repo, ['commit', '-q', '-m', message]);
    return this.#guard.renew();
  }

  async restart(): Promise<void> {
    await this.close();
    this.owner = await becomeOwner(this.#options);
    this.hear();
  }

  /** Throws if a conversation changed what it had sent. */
  async close(): Promise<void> {
    this.clock.speed = 1;
    const { problems } = this.owner;
    await this.owner.close();
    const changed = problems.find((text) => text.includes(CHANGED));
    if (changed !== undefined && !this.losesJournals) throw new Error(changed);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    await this.server.close();
    try {
      this.#guard.check();
    } finally {
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
    }
  }
}
