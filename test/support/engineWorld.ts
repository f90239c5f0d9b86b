/**
 * A user's repository, a model server on the loopback address, and a real owner between them: worker thread, git, commands,
 * log and database, all in folders of their own.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { SimulatedModel } from '../../src/adapters/simulated/model.ts';
import type { Scenario } from '../../src/adapters/simulated/scenario.ts';
import { becomeOwner, type Owner, type OwnerOptions } from '../../src/compose/owner.ts';
import { findPlaces, type Places } from '../../src/compose/places.ts';
import { need } from '../../src/core/rows.ts';
import type { WishInput } from '../../src/engine/api.ts';
import type { ApprovalKind, ApprovalRow } from '../../src/shared/approvals.ts';
import { type Assignment, parseAssignment } from '../../src/shared/assignment.ts';
import type { AttemptRow, FeatureRow, JobRow, JobStatus } from '../../src/shared/domain.ts';
import type { PlainFailure } from '../../src/shared/errors.ts';
import type { Event, EventOf, EventType } from '../../src/shared/events.ts';
import type { LiveLine } from '../../src/shared/live.ts';
import type { State } from '../../src/shared/state.ts';
import { ONE_FEATURE } from './briefs.ts';
import { engineParts, WASM_FILE } from './engineBundle.ts';
import { plainGit, writeFiles } from './gitFixture.ts';
import { type Fault, type MessagesServer, type ServedRequest, startMessagesServer } from './messagesServer.ts';
import { QuickClock } from './quickClock.ts';
import { TreeGuard } from './treeGuard.ts';

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
]);

/** What the tests' plans verify with: allowed by exact words, so that they run where no sandbox is. */
const COMMANDS = [['ls'], ['sh', 'check.sh'], ['node', '--test'], ['false'], ['cat', 'A.txt']];
/** How long nothing may happen. */
const PATIENCE_MS = 60_000;

export interface WorldOptions {
  readonly scenario?: Scenario;
  /** Answers instead of a scenario. */
  readonly model?: Pick<SimulatedModel, 'answer'>;
  /** Of the repository's first commit. */
  readonly files?: Readonly<Record<string, string>>;
  readonly faults?: Readonly<Record<number, Fault>> | ((request: ServedRequest) => Fault | null);
  readonly key?: string | null;
  readonly clock?: QuickClock;
  /** Commands are confined if this machine can; else they are unconfined, which is faster. */
  readonly sandbox?: boolean;
  /** What may run where no sandbox is, beside the commands of the plans: agents. */
  readonly allowed?: readonly (readonly string[])[];
  readonly owner?: Partial<OwnerOptions>;
  /** Another build of the owner, with a bug in it. */
  readonly become?: typeof becomeOwner;
}

type Brief = Partial<WishInput<'submitBrief'>>;
type Answer = { readonly choice?: string; readonly feedback?: string };

export class EngineWorld implements AsyncDisposable {
  readonly folder: string;
  readonly repo: string;
  readonly places: Places;
  readonly server: MessagesServer;
  readonly clock: QuickClock;
  readonly events: Event[] = [];
  readonly failures: PlainFailure[] = [];
  readonly lives: LiveLine[] = [];
  owner: Owner;
  jobId = '';
  readonly #options: OwnerOptions;
  readonly #allowed: readonly (readonly string[])[];
  readonly #news = new Set<() => void>();
  readonly #guard: TreeGuard;

  private constructor(
    folder: string,
    server: MessagesServer,
    options: OwnerOptions,
    owner: Owner,
    clock: QuickClock,
    allowed: WorldOptions['allowed'] = [],
  ) {
    this.folder = folder;
    this.repo = options.places.projectDir;
    this.places = options.places;
    this.server = server;
    this.clock = clock;
    this.#options = options;
    this.#allowed = [...COMMANDS, ...allowed];
    this.owner = owner;
    this.#guard = new TreeGuard(this.repo);
    this.#follow();
  }

  static async open(options: WorldOptions = {}): Promise<EngineWorld> {
    const folder = realpathSync(mkdtempSync(join(inject('tempRoot'), 'w-')));
    const repo = join(folder, 'repo');
    mkdirSync(repo);
    plainGit(repo, ['init', '-q', '-b', 'main']);
    writeFiles(repo, options.files ?? { 'README.md': 'A program.\n' });
    plainGit(repo, ['add', '-A']);
    plainGit(repo, ['commit', '-q', '-m', 'Start']);
    const apiKey = 'sk-secret-of-the-user';
    const server = await startMessagesServer({
      scenario: options.scenario ?? ONE_FEATURE,
      ...(options.model === undefined ? {} : { model: options.model }),
      apiKey,
      faults: options.faults ?? {},
    });
    const clock = options.clock ?? new QuickClock();
    const { worker, fewPrograms } = await engineParts(inject('tempRoot'));
    const ownerOptions: OwnerOptions = {
      places: {
        ...(await findPlaces(repo, join(folder, 'jobs'))),
        configDir: join(folder, 'config'),
        runtimeDir: join(folder, 'run'),
      },
      clock,
      version: 'test',
      credentials: { key: () => (options.key === undefined ? apiKey : options.key), baseUrl: server.url },
      workerScript: worker,
      wasmFile: WASM_FILE,
      work: true,
      delayMs: 0,
      // On a quick clock a minute is over before a busy machine has let a thread answer.
      threadPatienceMs: 86_400_000,
      env: options.sandbox === true ? process.env : { ...process.env, PATH: fewPrograms },
      ...options.owner,
    };
    const owner = await (options.become ?? becomeOwner)(ownerOptions);
    return new EngineWorld(folder, server, ownerOptions, owner, clock, options.allowed);
  }

  get state(): State {
    return this.owner.state;
  }

  get job(): JobRow {
    return need(this.state, 'jobs', this.jobId);
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
    this.write(files);
    this.git('add', '-A', '--', ...Object.keys(files));
    this.git('commit', '-q', '-m', message);
    return this.git('rev-parse', 'HEAD');
  }

  /** With no gates and no setup, unless said otherwise. */
  async submit(brief: Brief = {}): Promise<void> {
    const { jobId } = await this.owner.wish('submitBrief', {
      brief: 'Build it.',
      gates: [],
      setup: [],
      allowedCommands: this.#allowed.map((argv) => [...argv]),
      ...brief,
    });
    this.jobId = jobId;
  }

  /** Submits, and waits until the job is over or `status`. */
  async run(brief: Brief = {}, status: JobStatus = 'completed'): Promise<JobRow> {
    await this.submit(brief);
    return this.is(status);
  }

  /** Resolves with the first value that is neither undefined nor false; looks after each event. */
  async until<T>(what: string, look: () => T | undefined | false): Promise<T> {
    let heard = this.events.length;
    for (let end = performance.now() + PATIENCE_MS; ; ) {
      const found = look();
      if (found !== undefined && found !== false) return found;
      if (this.events.length > heard) end = performance.now() + PATIENCE_MS;
      heard = this.events.length;
      const left = end - performance.now();
      if (left <= 0) throw new Error(`waited in vain until ${what}; ${this.#situation()}`);
      await this.#nextEvent(Math.min(left, 100));
    }
  }

  is(status: JobStatus): Promise<JobRow> {
    return this.until(`the job is ${status}`, () => {
      const { job } = this;
      if (job.status === status) return job;
      if (['completed', 'failed', 'cancelled'].includes(job.status))
        throw new Error(`not ${status}; ${this.#situation()}`);
      return undefined;
    });
  }

  /** The question of this kind that waits. */
  asked(kind: ApprovalKind): Promise<ApprovalRow> {
    return this.until(`the steward is asked: ${kind}`, () => {
      const found = [...this.state.approvals.values()].find((row) => row.kind === kind && row.status === 'pending');
      if (found === undefined && ['completed', 'failed', 'cancelled'].includes(this.job.status))
        throw new Error(`${kind} was never asked; ${this.#situation()}`);
      return found;
    });
  }

  async approve(kind: ApprovalKind, { choice, feedback }: Answer = {}): Promise<ApprovalRow> {
    return this.#decide(kind, { decision: 'approved', choice: choice ?? null, feedback: feedback ?? null });
  }

  async reject(kind: ApprovalKind, feedback: string): Promise<ApprovalRow> {
    return this.#decide(kind, { decision: 'rejected', choice: null, feedback });
  }

  happened<T extends EventType>(type: T): EventOf<T>[] {
    return this.events.filter((event) => event.type === type) as EventOf<T>[];
  }

  feature(name: string): FeatureRow {
    const found = [...this.state.features.values()].find((row) => row.name === name && row.job_id === this.jobId);
    if (found === undefined) throw new Error(`there is no feature "${name}"`);
    return found;
  }

  attempts(name: string): AttemptRow[] {
    const { id } = this.feature(name);
    return [...this.state.attempts.values()].filter((row) => row.feature_id === id);
  }

  /** Requests of the Messages API that a role sent, in order. */
  sent(role: Assignment['role'], feature?: string): ServedRequest[] {
    return this.server.requests.filter((request) => {
      const about = assignmentOf(request);
      return about?.role === role && (feature === undefined || ('feature' in about && about.feature === feature));
    });
  }

  /** The text of the first message that gave a role this attempt. */
  opening(role: Assignment['role'], nth = 0, feature?: string): string {
    const first = this.sent(role, feature).filter((request) => lastMessage(request).startsWith('Assignment: '));
    return lastMessage(first[nth]);
  }

  async restart(): Promise<void> {
    await this.close();
    this.owner = await becomeOwner(this.#options);
    this.#follow();
  }

  async close(): Promise<void> {
    this.clock.speed = 1;
    await this.owner.close();
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

  #follow(): void {
    const tell = (): void => {
      for (const told of [...this.#news]) told();
    };
    this.owner.follow({
      event: (event) => {
        this.events.push(event);
        tell();
      },
      live: (line) => {
        this.lives.push(line);
        tell();
      },
      failed: (_, failed) => {
        this.failures.push(failed);
        tell();
      },
    });
  }

  #nextEvent(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#news.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#news.add(done);
    });
  }

  async #decide(
    kind: ApprovalKind,
    answer: {
      readonly decision: 'approved' | 'rejected';
      readonly choice: string | null;
      readonly feedback: string | null;
    },
  ): Promise<ApprovalRow> {
    const approval = await this.asked(kind);
    const choice = answer.choice ?? (answer.decision === 'approved' ? (approval.choices[0] ?? null) : null);
    await this.owner.wish('decide', { approvalId: approval.id, ...answer, choice });
    return approval;
  }

  #situation(): string {
    const { status, reason } = this.state.jobs.get(this.jobId) ?? { status: 'no job', reason: null };
    const asks = [...this.state.approvals.values()]
      .filter((row) => row.status === 'pending')
      .map((row) => `${row.kind}: ${row.question}`);
    const last = this.events.slice(-6).map((event) => event.type);
    return JSON.stringify({ status, reason, asks, failures: this.failures, last });
  }
}

type Sent = {
  readonly messages?: readonly {
    readonly role: string;
    readonly content: string | readonly { readonly text?: string }[];
  }[];
};

function textsOf(request: ServedRequest | undefined): string[] {
  const { messages = [] } = JSON.parse(request?.body ?? '{}') as Sent;
  return messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => (typeof content === 'string' ? [content] : content.map((block) => block.text ?? '')));
}

/** The last text of the user in a request. */
export function lastMessage(request: ServedRequest | undefined): string {
  return textsOf(request).at(-1) ?? '';
}

/** What a request is about; null for what has no assignment, and for counting tokens. */
export function assignmentOf(request: ServedRequest): Assignment | null {
  if (request.path.split('?', 1)[0] !== '/v1/messages') return null;
  return (
    textsOf(request)
      .map((text) => parseAssignment(text.split('\n', 1)[0] ?? ''))
      .findLast((found) => found !== null) ?? null
  );
}
