/**
 * Job objects of Windows, which contain what a command has started, and end with all in them when this process ends. A program of
 * PowerShell, which is part of Windows, holds them. Windows identifies a process in a job by a handle, so a reused id is never ended.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Clock } from '../../../shared/clock.ts';
import { errnoOf } from '../../../shared/errors.ts';
import { ownEnvironment } from '../platform.ts';
import { POWERSHELL_VARIABLES, powershellArgs, powershellFile } from '../powershell.ts';
import { WINDOWS } from '../windows.ts';
import type { DeathWatch } from './deathWatch.ts';
import { JOBS_SOURCE } from './windowsJobsSource.ts';

/** After that, an end that was not reported is given up. */
const END_MS = 15_000;
/** Contains the source, which no command line could. */
const VARIABLE = 'AUTONOMOUS_JOBS';
const RUN = `Add-Type -TypeDefinition $env:${VARIABLE}; [AutonomousJobs]::Run()`;

/** After so many that ended without an answer, no other is started: a policy may refuse it. */
const MAX_SILENT = 2;
let silent = 0;

/** One for each thread. */
class JobHolder {
  readonly #child: ChildProcess | null;
  /** By the name of the job: called with whether the job was closed. */
  readonly #closing = new Map<string, (isClosed: boolean) => void>();
  readonly #waiting = new Set<() => void>();
  #isReady = false;
  #isOver = false;
  #next = 1;

  constructor() {
    this.#child = start();
    if (this.#child === null) {
      this.#end();
      return;
    }
    const { stdin, stdout } = this.#child;
    stdin?.on('error', () => undefined);
    this.#child.on('error', () => this.#end());
    this.#child.on('exit', () => this.#end());
    // Both are missing if this process has too many open files.
    if (stdout != null) createInterface({ input: stdout }).on('line', (line) => this.#heard(line));
    // This process ends while it runs.
    this.#child.unref();
    for (const pipe of [stdin, stdout]) (pipe as Socket | null | undefined)?.unref();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves when jobs can be opened, or when that cannot be known. Returns whether they can. */
  ready(clock: Clock): Promise<boolean> {
    if (this.#isReady || this.#isOver) return Promise.resolve(!this.#isOver);
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        this.#waiting.delete(done);
        resolve(!this.#isOver);
      };
      const cancel = clock.timer(END_MS, () => {
        // One that never answers would be waited for by each command.
        this.#child?.kill();
        this.#end();
      });
      this.#waiting.add(done);
    });
  }

  /** The process has started between these two times, milliseconds. Returns the name of its job. */
  open(pid: number, from: number, to: number): string {
    const id = String(this.#next++);
    this.#child?.stdin?.write(`open ${id} ${pid} ${process.pid} ${Math.floor(from)} ${Math.ceil(to)}\n`);
    return id;
  }

  /**
   * Resolves when everything in the job has ended, or when it cannot be known. Returns whether the holder ended before: then Windows has
   * ended the command.
   */
  close(id: string, clock: Clock): Promise<boolean> {
    if (this.#isOver) return Promise.resolve(this.#isReady);
    return new Promise((resolve) => {
      const done = (isClosed: boolean): void => {
        cancel();
        this.#closing.delete(id);
        resolve(!isClosed && this.#isReady);
      };
      const cancel = clock.timer(END_MS, () => done(true));
      this.#closing.set(id, done);
      this.#child?.stdin?.write(`close ${id}\n`);
    });
  }

  #heard(line: string): void {
    const [word, id = ''] = line.trim().split(' ');
    if (word === 'closed') this.#closing.get(id)?.(true);
    if (word !== 'ready') return;
    this.#isReady = true;
    for (const done of this.#waiting) done();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (!this.#isReady) silent++;
    for (const done of this.#closing.values()) done(false);
    for (const done of this.#waiting) done();
  }
}

/** Null if Windows refuses it. */
function start(): ChildProcess | null {
  const own = ownEnvironment();
  const names = Object.keys(own).filter((name) => WINDOWS.inherited.test(name) || POWERSHELL_VARIABLES.test(name));
  const env = { ...Object.fromEntries(names.map((name) => [name, own[name]])), [VARIABLE]: JOBS_SOURCE };
  const file = powershellFile(own);
  try {
    // Not in the folder of a repository, where it would look for libraries.
    return spawn(file, powershellArgs(RUN), {
      cwd: dirname(file),
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    return null;
  }
}

let holder: JobHolder | null = null;

/** One that ended is started again. */
function holdJobs(): JobHolder {
  if (holder === null || (holder.isOver && silent < MAX_SILENT)) holder = new JobHolder();
  return holder;
}

/** Starting it takes about a second, once. Returns whether jobs can be opened. */
export const jobsReady = (clock: Clock): Promise<boolean> => holdJobs().ready(clock);

/** Call before the command starts. */
export function watchInJob(clock: Clock): DeathWatch {
  const from = clock.now();
  const jobs = holdJobs();
  let id: string | null = null;
  return {
    leads: (pid) => {
      id = jobs.open(pid, from, clock.now());
    },
    saw: () => undefined,
    done: async () => id !== null && (await jobs.close(id, clock)),
  };
}
