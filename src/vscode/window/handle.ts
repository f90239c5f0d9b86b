/** The engine of this window: looked at from the disk, owned, or followed as a client of its living owner. */
import * as vscode from 'vscode';
import { firstProblems } from '../../core/text/problemText.ts';
import { hasProjectAtWork } from '../../core/workspace/work/projectsAtWork.ts';
import { hasTaskAtWork } from '../../core/workspace/work/tasksAtWork.ts';
import type { Engine, RequestAnswer, RequestInput, RequestName } from '../../engine/state/api.ts';
import type {
  Look,
  OpenedEngine,
  OwnerSettings,
  Place,
  Workspace,
  Workspaces,
} from '../../engine/workspace/workspace.ts';
import type { Clock } from '../../shared/clock.ts';
import { asFailure, type ErrorCode, failure } from '../../shared/errors.ts';
import type { LiveLine } from '../../shared/live.ts';
import { type AtWork, NOTHING_AT_WORK } from '../../shared/workspace/atWork.ts';
import { emptyState, type State } from '../../shared/workspace/state.ts';
import { setting } from '../settings/read.ts';
import type { EngineHandle } from './context.ts';
import { type Blocker, blockedBy, chooseFolder, chosenName, type StateBlocker, workFolder } from './folder.ts';
import { EngineLifecycle } from './owner/engineLifecycle.ts';
import { hasJobAtWork } from './owner/jobsAtWork.ts';
import type { ApiKey } from './owner/key.ts';
import { OwnerWork } from './owner/ownerWork.ts';
import { type JobFiles, permittedFiles } from './permittedFiles.ts';

const TRIES = 20;
const BETWEEN_MS = 500;
const UNREADABLE: readonly ErrorCode[] = ['STATE_SYMLINK', 'STATE_DAMAGED'];

export interface HandlePorts {
  readonly load: () => Promise<Workspaces>;
  readonly clock: Clock;
  readonly key: ApiKey;
  readonly memory: vscode.Memento;
  readonly log: vscode.LogOutputChannel;
}

interface Looked {
  /** Whether an owner answers. */
  readonly isOwned: boolean;
  /** The newest file of events, read before the state. */
  readonly newest: string | null;
  /** Whether another look finds the same until something changes. */
  readonly isRead: boolean;
}

type How = Partial<Pick<OwnerSettings, 'takeOver' | 'restores'>>;
type PaidSettings = OwnerSettings & Required<Pick<OwnerSettings, 'account'>>;

function refusedFor({ origin, lostTail }: Look): StateBlocker | null {
  if (origin === 'foreign' || origin === 'newer') return origin;
  return lostTail === null ? null : 'incomplete';
}

export class WorkspaceEngine implements EngineHandle {
  readonly #ports: HandlePorts;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #live = new vscode.EventEmitter<LiveLine>();
  readonly #trouble = new vscode.EventEmitter<string>();
  readonly onDidChange = this.#changed.event;
  readonly onDidLive = this.#live.event;
  readonly onDidTrouble = this.#trouble.event;
  #current: OpenedEngine | null = null;
  /** Set while another process owns the workspace. */
  #ownerWork: OwnerWork | null = null;
  #opening: Promise<OpenedEngine> | null = null;
  readonly #engines: EngineLifecycle<OpenedEngine>;
  #looked: State = emptyState();
  /** Whether an owner was alive at the last look. */
  #owned = false;
  /** The newest file of events when the window looked last to begin. */
  #newest: string | null = null;
  /** How many openings and successions run. */
  #busy = 0;
  #projectDir: string | null = null;
  #folder = '';
  #refused: StateBlocker | null = null;
  readonly #problems = new Set<string>();
  #told = false;
  #closed = false;

  constructor(ports: HandlePorts) {
    this.#ports = ports;
    this.#engines = new EngineLifecycle((text) => ports.log.debug(text));
  }

  get current(): OpenedEngine | null {
    return this.#current;
  }

  get blocker(): Blocker | null {
    return workFolder(this.#ports.memory).blocker ?? this.#refused;
  }

  /** Whether the window uses another folder than at the last read. */
  get moved(): boolean {
    return this.#folder !== String(workFolder(this.#ports.memory).uri);
  }

  get folder(): string | null {
    return chosenName(this.#ports.memory);
  }

  get projectDir(): string | null {
    return this.#projectDir ?? workFolder(this.#ports.memory).uri?.fsPath ?? null;
  }

  get state(): State {
    return this.#current?.state ?? this.#looked;
  }

  get atWork(): AtWork {
    const engine = this.#current;
    if (engine?.owner) return engine.atWork();
    if (engine === null && !this.#owned) return NOTHING_AT_WORK;
    return this.#ownerWork?.known ?? { works: true, jobs: [...this.state.jobs.keys()], turns: [] };
  }

  get files(): JobFiles {
    return permittedFiles(
      () => this.workspace(),
      () => this.state,
      () => this.#permit(),
    );
  }

  /** Unified diff of a job's result against its baseline. */
  async jobDiff(jobId: string): Promise<string> {
    this.#permit();
    return (await this.workspace()).job.diff(jobId);
  }

  /** Throws NOT_PERMITTED if this window may not run anything. */
  #permit(): void {
    const { blocker } = this;
    if (blocker !== null) throw blockedBy(blocker);
  }

  /** Throws NOT_PERMITTED if there is no folder. */
  place(): Place {
    const { uri, blocker } = workFolder(this.#ports.memory);
    if (uri === null) throw blockedBy(blocker ?? 'no_folder');
    return { folder: uri.fsPath, jobsDir: setting.jobsDir() };
  }

  /** Throws NOT_PERMITTED if there is no folder. */
  async workspace(): Promise<Workspace> {
    return (await this.#ports.load()).at(this.place());
  }

  /** Throws NOT_PERMITTED if this window may not run anything. */
  permittedPlace(): Place {
    this.#permit();
    return this.place();
  }

  /** Throws NOT_PERMITTED if this window may not run anything. */
  async settings(how: How = {}): Promise<PaidSettings> {
    this.#permit();
    const { key } = this.#ports;
    await key.read();
    return {
      work: setting.resumeOnOpen() ? 'all' : 'asked',
      account: { key: () => key.value, baseUrl: setting.baseUrl(), storedKey: key.ofConnection },
      delayMs: setting.delayMs(),
      verifyTimeoutMs: setting.verifyTimeoutMs(),
      confine: setting.confine(),
      concurrency: setting.concurrency(),
      idleMinutes: setting.idleMinutes(),
      clonesBytes: setting.clonesBytes(),
      relay: setting.relay(),
      threadMb: setting.threadMb(),
      allowedHosts: setting.allowedHosts,
      keepAwake: setting.keepAwake,
      takeOver: false,
      restores: false,
      ...how,
    };
  }

  async look(): Promise<void> {
    await this.#look();
  }

  /** Undefined if `ask` fails: `look` logs the reason. */
  async #asked<T>(ask: (workspace: Workspace) => Promise<T>): Promise<T | undefined> {
    try {
      return await ask(await this.workspace());
    } catch (thrown) {
      this.#ports.log.debug(asFailure(thrown).message);
      return undefined;
    }
  }

  /** Reads the state. Returns null if there is no folder to look at, or another one by now, or an engine. */
  async #look(): Promise<Looked | null> {
    this.#folder = String(workFolder(this.#ports.memory).uri);
    if (this.#current !== null || workFolder(this.#ports.memory).uri === null) return null;
    const generation = this.#engines.generation;
    // Read before the state: an owner that starts meanwhile is noticed.
    const newest = (await this.#asked((one) => one.newestEvents(null))) ?? null;
    try {
      const seen = await (await this.workspace()).look();
      if (generation !== this.#engines.generation) return null;
      this.#looked = seen.state;
      this.#owned = seen.ownerAlive;
      this.#projectDir = seen.projectDir;
      this.#refused = refusedFor(seen);
      for (const problem of firstProblems(seen.problems)) this.#problem(problem);
      this.#change();
      return { isOwned: seen.ownerAlive, newest, isRead: true };
    } catch (thrown) {
      const isOwned = (await this.#asked((one) => one.isOwned(null))) ?? false;
      if (generation !== this.#engines.generation) return null;
      const { code, message } = asFailure(thrown);
      const isUnreadable = UNREADABLE.includes(code);
      this.#refused = isUnreadable ? 'unreadable' : null;
      this.#owned = isOwned;
      this.#ports.log.error(message);
      this.#change();
      return { isOwned, newest, isRead: isUnreadable };
    }
  }

  get #underWay(): boolean {
    const { state } = this;
    return hasJobAtWork(state) || hasProjectAtWork(state) || hasTaskAtWork(state);
  }

  /** Called when the window opens: shows the state, then resumes unfinished work or follows the owner. Never throws. */
  async begin(): Promise<void> {
    await this.#begin(true);
  }

  /** Returns false if the state could not be read, or no engine could be opened. `again`: shows a failure also if it was shown before. */
  #begin(again: boolean): Promise<boolean> {
    return this.#whileBusy(async () => {
      const generation = this.#engines.generation;
      const looked = await this.#look();
      if (looked === null) return true;
      if (!looked.isRead) return false;
      const { isOwned } = looked;
      this.#newest = looked.newest;
      if (this.blocker !== null || this.#current !== null) return true;
      if (!isOwned && !(this.#underWay && setting.resumeOnOpen())) return true;
      try {
        await this.open();
        return true;
      } catch (thrown) {
        if (generation !== this.#engines.generation) return true;
        const { message } = asFailure(thrown);
        if (again) this.#problems.delete(message);
        this.#problem(message);
        // An owner that this window started, and that failed, has created a file too.
        if (!isOwned) this.#newest = (await this.#asked((one) => one.newestEvents(this.#projectDir))) ?? null;
        return false;
      }
    });
  }

  /** A check for a new owner starts nothing meanwhile. */
  async #whileBusy<T>(work: () => Promise<T>): Promise<T> {
    this.#busy++;
    try {
      return await work();
    } finally {
      this.#busy--;
    }
  }

  get #mayFollow(): boolean {
    const isIdle = this.#busy === 0 && this.#opening === null && !this.#closed;
    return isIdle && this.#current === null && workFolder(this.#ports.memory).uri !== null;
  }

  /** Runs `begin` if an owner started or ended since the last look. Returns false if that failed; then the caller waits longer. Never throws. */
  async followOwner(): Promise<boolean> {
    if (!this.#mayFollow) return true;
    const generation = this.#engines.generation;
    // Read first: an owner that starts in between is noticed.
    const newest = await this.#asked((one) => one.newestEvents(this.#projectDir));
    const isOwned = await this.#asked((one) => one.isOwned(this.#projectDir));
    if (generation !== this.#engines.generation || !this.#mayFollow) return true;
    if (newest === undefined || isOwned === undefined) return false;
    const isNew = newest !== this.#newest || isOwned !== this.#owned || (isOwned && this.blocker === null);
    return !isNew || this.#begin(false);
  }

  /** Throws OWNER_LOST if another folder was chosen meanwhile or another process became the owner, and ABORTED if the window closes. */
  async open(): Promise<OpenedEngine> {
    return this.#current ?? this.#opening ?? this.#start();
  }

  #start(how: How = {}): Promise<OpenedEngine> {
    const opening = this.#open(how).finally(() => {
      if (this.#opening === opening) this.#opening = null;
    });
    this.#opening = opening;
    return opening;
  }

  /** Takes ownership from an owner that does not respond. If that fails, the window continues as at its opening. */
  takeOver(): Promise<void> {
    return this.#whileBusy(async () => {
      this.#leave();
      const generation = this.#engines.generation;
      try {
        await this.#start({ takeOver: true });
      } catch (thrown) {
        if (generation === this.#engines.generation) await this.begin();
        throw thrown;
      }
    });
  }

  /** Restores the rows that only the database still has after the log lost its end, then works in this window. */
  restoreState(): Promise<void> {
    return this.#whileBusy(async () => {
      this.#leave();
      this.#refused = null;
      try {
        await this.#start({ restores: true });
      } catch (thrown) {
        await this.#look();
        throw thrown;
      }
    });
  }

  /** If there are several folders, the user chooses once. The choice is remembered. */
  async #choose(): Promise<void> {
    if (!(await chooseFolder(this.#ports.memory))) throw failure('ABORTED', 'no folder was chosen');
    await this.#look();
  }

  async #open(how: How): Promise<OpenedEngine> {
    const generation = this.#engines.generation;
    const wanted = (): void => {
      if (this.#closed) throw failure('ABORTED', 'the window is closing');
      if (generation === this.#engines.generation) return;
      throw failure('OWNER_LOST', vscode.l10n.t('The window switched to another folder or owner. Try again.'));
    };
    await this.#engines.cleared;
    wanted();
    if (this.blocker === 'not_chosen') await this.#choose();
    const settings = await this.settings(how);
    const place = this.place();
    const workspaces = await this.#ports.load();
    wanted();
    const opened = await this.#engines.open(() => workspaces.at(place).open(settings));
    wanted();
    this.#current = opened;
    const ownerWork = opened.owner ? null : new OwnerWork(opened, () => this.#change());
    this.#ownerWork = ownerWork;
    opened.follow({
      event: () => {
        ownerWork?.ask();
        this.#change();
      },
      live: (line) => this.#live.fire(line),
      failed: (jobId, { message, hint }) => this.#tell(`${jobId}: ${message}${hint === '' ? '' : `. ${hint}`}`),
      problem: (text) => this.#problem(text),
      lost: (reason) => void this.#whileBusy(() => this.#lost(opened, reason)),
    });
    this.#ports.log.info(opened.owner ? 'this window owns the workspace' : 'another process owns the workspace');
    this.#change();
    return opened;
  }

  async #lost(engine: OpenedEngine, reason: string): Promise<void> {
    if (this.#current !== engine) return;
    this.#ports.log.warn(`connection lost: ${reason}`);
    this.#leave();
    const generation = this.#engines.generation;
    await this.#engines.cleared;
    for (let left = TRIES; left > 0 && generation === this.#engines.generation; left--) {
      try {
        return await this.#succeed();
      } catch (thrown) {
        if (generation !== this.#engines.generation) return;
        const { message, traits } = asFailure(thrown);
        if (left === 1 || !traits.retry) return this.#tell(message);
        await this.#ports.clock.sleep(BETWEEN_MS);
      }
    }
  }

  /** Follows the new owner of the state. If there is none, resumes the unfinished work of the lost owner, as at the window's opening. */
  async #succeed(): Promise<void> {
    const looked = await this.#look();
    if (looked === null) return;
    const { isOwned, newest, isRead } = looked;
    if (isRead) this.#newest = newest;
    if (this.blocker !== null || this.#current !== null) return;
    if (!isOwned && !this.#underWay) return;
    if (!isOwned && !setting.resumeOnOpen()) {
      return this.#tell(vscode.l10n.t('No window is running jobs in this folder. Run Resume Job to continue.'));
    }
    if ((await this.open()).owner) {
      this.#tell(vscode.l10n.t('The window or terminal that ran the jobs has closed. This window took over.'));
    }
  }

  /** Drops the current engine, also one that is being opened. Its last state is shown until another one is read. */
  #leave(): void {
    if (this.#current !== null) this.#looked = this.#current.state;
    this.#engines.next(this.#current);
    this.#current = null;
    this.#owned = false;
    this.#ownerWork = null;
    this.#opening = null;
    this.#change();
  }

  async request<N extends RequestName>(name: N, input: RequestInput<N>): Promise<RequestAnswer<N>> {
    const engine = await this.open();
    if (name === 'submitBrief') await this.#beginLimits(engine);
    const { completed } = await import('../settings/requestDefaults.ts');
    return engine.request(name, completed(engine.state, name, input));
  }

  /** Sets the initial daily limit of a folder. The steward may change it later. */
  async #beginLimits(engine: Engine): Promise<void> {
    const dayMicroUsd = setting.dayMicroUsd();
    const { jobs, meta } = engine.state;
    if (jobs.size === 0 && meta.limits.dayMicroUsd === null && dayMicroUsd !== null)
      await engine.request('setLimits', { dayMicroUsd });
  }

  /** Called after another folder was chosen, or after trust was granted. */
  async restart(): Promise<void> {
    this.#leave();
    this.#looked = emptyState();
    this.#projectDir = null;
    this.#refused = null;
    const generation = this.#engines.generation;
    await this.#engines.cleared;
    if (generation === this.#engines.generation) await this.begin();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#leave();
    await this.#engines.cleared;
  }

  #change(): void {
    if (this.#told) return;
    this.#told = true;
    queueMicrotask(() => {
      this.#told = false;
      this.#changed.fire();
    });
  }

  /** Shows each problem once. */
  #problem(text: string): void {
    if (this.#problems.has(text)) return;
    this.#problems.add(text);
    this.#tell(text);
  }

  #tell(text: string): void {
    this.#ports.log.warn(text);
    this.#trouble.fire(text);
  }
}
