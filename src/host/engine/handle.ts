/** The engine of this window: looked at from the disk, owned, or followed as a client of its living owner. */
import * as vscode from 'vscode';
import { firstProblems } from '../../core/problemText.ts';
import type { Engine, WishAnswer, WishInput, WishName } from '../../engine/api.ts';
import type { Clock } from '../../shared/clock.ts';
import { asFailure, type ErrorCode, failure } from '../../shared/errors.ts';
import type { LiveLine } from '../../shared/live.ts';
import { emptyState, type State } from '../../shared/state.ts';
import type { EngineHandle, Hindrance, JobFiles, StateHindrance } from '../context.ts';
import { setting, withDefaults } from '../settings/read.ts';
import type { Backend, OwnerSettings, Place } from './backend.ts';
import { chooseFolder, hindranceText, workFolder } from './folder.ts';
import type { ApiKey } from './key.ts';

const TRIES = 20;
const BETWEEN_MS = 500;
const UNREADABLE: readonly ErrorCode[] = ['STATE_SYMLINK', 'STATE_DAMAGED'];
const UNDER_WAY: readonly string[] = ['planning', 'running', 'waiting'];

export interface HandlePorts {
  readonly load: () => Promise<Backend>;
  readonly clock: Clock;
  readonly key: ApiKey;
  readonly memory: vscode.Memento;
  readonly log: vscode.LogOutputChannel;
}

type Opened = Engine & { readonly owner: boolean };

export class WorkspaceEngine implements EngineHandle {
  readonly #ports: HandlePorts;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #live = new vscode.EventEmitter<LiveLine>();
  readonly #trouble = new vscode.EventEmitter<string>();
  readonly onDidChange = this.#changed.event;
  readonly onDidLive = this.#live.event;
  readonly onDidTrouble = this.#trouble.event;
  #current: Opened | null = null;
  #opening: Promise<Opened> | null = null;
  #looked: State = emptyState();
  #projectDir: string | null = null;
  #folder = '';
  #refused: StateHindrance | null = null;
  readonly #problems = new Set<string>();
  #told = false;
  #closed = false;

  constructor(ports: HandlePorts) {
    this.#ports = ports;
  }

  get current(): Opened | null {
    return this.#current;
  }

  get hindrance(): Hindrance | null {
    return workFolder(this.#ports.memory).hindrance ?? this.#refused;
  }

  /** Whether the window works in another folder than it looked at last. */
  get moved(): boolean {
    return this.#folder !== String(workFolder(this.#ports.memory).uri);
  }

  get projectDir(): string | null {
    return this.#projectDir ?? workFolder(this.#ports.memory).uri?.fsPath ?? null;
  }

  get state(): State {
    return this.#current?.state ?? this.#looked;
  }

  get files(): JobFiles {
    const backend = this.#ports.load();
    const files = async () => (await backend).files(this.place(), () => this.state);
    return {
      changedPaths: async (...of) => (await files()).changedPaths(...of),
      textAt: async (...of) => (await files()).textAt(...of),
      artifact: async (name) => (await files()).artifact(name),
      transcript: async (sessionId) => (await files()).transcript(sessionId),
      preview: async (jobId) => (await files()).preview(jobId),
    };
  }

  /** Throws NOT_PERMITTED where there is no folder. */
  place(): Place {
    const { uri, hindrance } = workFolder(this.#ports.memory);
    if (uri === null) throw failure('NOT_PERMITTED', hindranceText(hindrance ?? 'no_folder'));
    return { folder: uri.fsPath, jobsDir: setting.jobsDir() };
  }

  /** Throws NOT_PERMITTED where nothing may run. */
  async settings(takeOver = false): Promise<OwnerSettings> {
    const { hindrance } = this;
    if (hindrance !== null) throw failure('NOT_PERMITTED', hindranceText(hindrance));
    const { key } = this.#ports;
    await key.read();
    return {
      place: this.place(),
      key: () => key.value,
      baseUrl: setting.baseUrl(),
      delayMs: setting.delayMs(),
      verifyTimeoutMs: setting.verifyTimeoutMs(),
      confine: setting.confine(),
      concurrency: setting.concurrency(),
      takeOver,
    };
  }

  async look(): Promise<void> {
    await this.#look();
  }

  /** Whether somebody owns the state, as far as could be seen. */
  async #look(): Promise<boolean> {
    this.#folder = String(workFolder(this.#ports.memory).uri);
    if (this.#current !== null || workFolder(this.#ports.memory).uri === null) return false;
    try {
      const seen = await (await this.#ports.load()).look(this.place());
      this.#looked = seen.state;
      this.#projectDir = seen.projectDir;
      this.#refused = seen.origin === 'foreign' || seen.origin === 'newer' ? seen.origin : null;
      for (const problem of firstProblems(seen.problems)) this.#problem(problem);
      this.#change();
      return seen.ownerAlive;
    } catch (thrown) {
      const { code, message } = asFailure(thrown);
      this.#refused = UNREADABLE.includes(code) ? 'unreadable' : null;
      this.#ports.log.error(message);
      this.#change();
      return false;
    }
  }

  get #underWay(): boolean {
    return [...this.state.jobs.values()].some(({ status }) => UNDER_WAY.includes(status));
  }

  /** At the window's opening: shows what is there; goes on with what was under way, or follows who does. Never throws. */
  async begin(): Promise<void> {
    const owned = await this.#look();
    if (this.hindrance !== null || this.#current !== null) return;
    if (!owned && !(this.#underWay && setting.resumeOnOpen())) return;
    try {
      await this.open();
    } catch (thrown) {
      this.#tell(asFailure(thrown).message);
    }
  }

  async open(): Promise<Opened> {
    if (this.#current !== null) return this.#current;
    this.#opening ??= this.#open(false).finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  /** Takes the place of an owner that does not answer. */
  async takeOver(): Promise<void> {
    await this.#drop();
    this.#opening = this.#open(true).finally(() => {
      this.#opening = null;
    });
    await this.#opening;
  }

  /** Among several folders the person chooses, once; from then on it is remembered. */
  async #choose(): Promise<void> {
    if (!(await chooseFolder(this.#ports.memory))) throw failure('ABORTED', 'no folder was chosen');
    await this.#look();
  }

  async #open(takeOver: boolean): Promise<Opened> {
    if (this.hindrance === 'not_chosen') await this.#choose();
    const settings = await this.settings(takeOver);
    const opened = await (await this.#ports.load()).open(settings);
    if (this.#closed) {
      await opened.close();
      throw failure('ABORTED', 'the window is closing');
    }
    this.#current = opened;
    opened.follow({
      event: () => this.#change(),
      live: (line) => this.#live.fire(line),
      failed: (jobId, { message, hint }) => this.#tell(`${jobId}: ${message}${hint === '' ? '' : `. ${hint}`}`),
      problem: (text) => this.#problem(text),
      lost: (reason) => void this.#lost(opened, reason),
    });
    this.#ports.log.info(opened.owner ? 'this window owns the workspace' : 'another process owns the workspace');
    this.#change();
    if (opened.owner && setting.resumeOnOpen()) await this.#resume(opened);
    return opened;
  }

  /** What was under way goes on by itself; a paused job waits for a person. */
  async #resume(engine: Opened): Promise<void> {
    for (const { id, status } of [...engine.state.jobs.values()]) {
      if (!UNDER_WAY.includes(status)) continue;
      try {
        await engine.wish('resumeJob', { jobId: id });
      } catch (thrown) {
        this.#tell(asFailure(thrown).message);
      }
    }
  }

  async #lost(engine: Opened, reason: string): Promise<void> {
    if (this.#current !== engine) return;
    this.#looked = engine.state;
    this.#ports.log.warn(`connection lost: ${reason}`);
    await this.#drop();
    for (let left = TRIES; left > 0 && !this.#closed; left--) {
      try {
        return await this.#succeed();
      } catch (thrown) {
        const { message, traits } = asFailure(thrown);
        if (left === 1 || !traits.retry) return this.#tell(message);
        await this.#ports.clock.sleep(BETWEEN_MS);
      }
    }
  }

  /** Follows whoever owns the state by now; else goes on with what the lost owner left under way, as at the window's opening. */
  async #succeed(): Promise<void> {
    const owned = await this.#look();
    if (this.#closed || this.hindrance !== null || this.#current !== null) return;
    if (!owned && !this.#underWay) return;
    if (!owned && !setting.resumeOnOpen()) {
      return this.#tell(vscode.l10n.t('Nobody works on the jobs here any more. Resume Job goes on with them.'));
    }
    if ((await this.open()).owner) {
      this.#tell(vscode.l10n.t('The window or terminal that worked here is gone: this window took over.'));
    }
  }

  async #drop(): Promise<void> {
    const gone = this.#current;
    this.#current = null;
    this.#change();
    try {
      await gone?.close();
    } catch (thrown) {
      // What stood behind it is gone already.
      this.#ports.log.debug(asFailure(thrown).message);
    }
  }

  async wish<N extends WishName>(name: N, input: WishInput<N>): Promise<WishAnswer<N>> {
    const engine = await this.open();
    if (name !== 'submitBrief') return engine.wish(name, input);
    const filed = withDefaults(input as WishInput<'submitBrief'>);
    await this.#beginLimits(engine);
    return engine.wish(name, filed as WishInput<N>);
  }

  /** The daily limit that a folder begins with; later ones are the steward's own. */
  async #beginLimits(engine: Engine): Promise<void> {
    const dayMicroUsd = setting.dayMicroUsd();
    const { jobs, meta } = engine.state;
    if (jobs.size === 0 && meta.limits.dayMicroUsd === null && dayMicroUsd !== null)
      await engine.wish('setLimits', { dayMicroUsd });
  }

  /** After another folder was chosen, or trust was given. */
  async restart(): Promise<void> {
    await this.#drop();
    this.#looked = emptyState();
    this.#projectDir = null;
    this.#refused = null;
    await this.begin();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#drop();
  }

  #change(): void {
    if (this.#told) return;
    this.#told = true;
    queueMicrotask(() => {
      this.#told = false;
      this.#changed.fire();
    });
  }

  /** Told once, however often it is met. */
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
