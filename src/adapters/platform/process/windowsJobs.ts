/**
 * Job objects of Windows, which contain what a command has started, and end with all in them when this process ends. A program of
 * PowerShell, which is part of Windows, holds them. Windows identifies a process in a job by a handle, so a reused id is never ended.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Clock } from '../../../shared/clock.ts';
import { ownEnvironment } from '../platform.ts';
import { systemProgram, WINDOWS } from '../windows.ts';
import type { DeathWatch } from './deathWatch.ts';
import { JOBS_SOURCE } from './windowsJobsSource.ts';

/** After that, an end that was not reported is given up. */
const END_MS = 15_000;
/** Contains the source, which no command line could. */
const VARIABLE = 'AUTONOMOUS_JOBS';
/** Without an input format, PowerShell leaves the standard input to the program. */
const ARGS = ['-NoProfile', '-NonInteractive', '-InputFormat', 'None', '-Command'];
const RUN = `Add-Type -TypeDefinition $env:${VARIABLE}; [AutonomousJobs]::Run()`;
/** What the compiler needs besides. */
const FOLDERS = /^(USERPROFILE|LOCALAPPDATA|TEMP|TMP)$/;

/** One for each thread. */
class JobHolder {
  readonly #child: ChildProcess;
  readonly #closing = new Map<string, () => void>();
  #isOver = false;
  #next = 1;

  constructor() {
    const own = ownEnvironment();
    const names = Object.keys(own).filter((name) => WINDOWS.inherited.test(name) || FOLDERS.test(name));
    const env = { ...Object.fromEntries(names.map((name) => [name, own[name]])), [VARIABLE]: JOBS_SOURCE };
    this.#child = spawn(systemProgram(own, 'WindowsPowerShell', 'v1.0', 'powershell.exe'), [...ARGS, RUN], {
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    const { stdin, stdout } = this.#child;
    stdin?.on('error', () => undefined);
    this.#child.on('error', () => this.#end());
    this.#child.on('exit', () => this.#end());
    if (stdout !== null) createInterface({ input: stdout }).on('line', (line) => this.#closed(line));
    // This process ends while it runs.
    this.#child.unref();
    for (const pipe of [stdin, stdout]) (pipe as Socket | null)?.unref();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The process has started between these two times, milliseconds. Returns the name of its job. */
  open(pid: number, from: number, to: number): string {
    const id = String(this.#next++);
    this.#child.stdin?.write(`open ${id} ${pid} ${Math.floor(from)} ${Math.ceil(to)}\n`);
    return id;
  }

  /** Resolves when everything in the job has ended, or when it cannot be known. */
  close(id: string, clock: Clock): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        this.#closing.delete(id);
        resolve();
      };
      const cancel = clock.timer(END_MS, done);
      this.#closing.set(id, done);
      this.#child.stdin?.write(`close ${id}\n`);
    });
  }

  #closed(line: string): void {
    const [word, id = ''] = line.trim().split(' ');
    if (word === 'closed') this.#closing.get(id)?.();
  }

  #end(): void {
    this.#isOver = true;
    for (const done of this.#closing.values()) done();
  }
}

let holder: JobHolder | null = null;

/** Starting it takes about a second. One that failed is started again. */
export function holdJobs(): JobHolder {
  if (holder === null || holder.isOver) holder = new JobHolder();
  return holder;
}

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
    done: async () => {
      if (id !== null) await jobs.close(id, clock);
    },
  };
}
