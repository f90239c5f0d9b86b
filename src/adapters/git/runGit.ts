/** Runs one git process at a time, through simple-git: the only file that imports it. */
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import { type SimpleGit, simpleGit } from 'simple-git';
import { HELD_HINT } from '../../engine/state/filePorts.ts';
import type { Clock } from '../../shared/clock.ts';
import { failure } from '../../shared/errors.ts';
import { whileHeld } from '../platform/heldFiles.ts';
import { platform } from '../platform/platform.ts';
import { findGit, requireVersion } from './findGit.ts';
import { heldFile, mayRepeat } from './heldFile.ts';
import {
  ALLOWED_ENVIRONMENT,
  FETCH_ENVIRONMENT,
  NEUTRAL_CONFIG,
  neutralEnvironment,
  settingsEnvironment,
  UNSAFE,
  type UserEnvironment,
} from './neutral.ts';

/** Directories of a command. All are explicit; only `{cwd}` alone lets git search for a repository. */
export interface GitLocation {
  readonly cwd: string;
  readonly gitDir?: string;
  readonly workTree?: string;
  readonly indexFile?: string;
  /** Receives new objects instead of `<gitDir>/objects`. */
  readonly objectDir?: string;
  /** Whether the user's configuration declares that a repository of another owner is safe here. */
  readonly declaredSafe?: boolean;
  /** Attributes below those of the tree. Only for a directory without configured drivers. */
  readonly attributesFile?: string | null;
}

export interface Extras {
  /** Text for stdin, which always ends. Default: empty. */
  readonly input?: string;
  /** Input and stdout have one character per byte, so that paths that are not UTF-8 stay exact. */
  readonly bytes?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** The process is ended if its stdout exceeds this. */
  readonly maxBytes?: number;
  /** The process is ended after this much awake time. Default: `LONGEST_MS`. */
  readonly patienceMs?: number;
  /** Whether the user's configuration files are read; only for `git config --list`. */
  readonly userSettings?: boolean;
}

export interface GitAnswer {
  /** -1 if it was ended by a signal or by its time limit. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** `maxBytes` was reached; stdout holds at least that much. */
  readonly cut: boolean;
  /** Whether it was ended by its time limit. */
  readonly late: boolean;
}

/** Limit of one command: a file that yields no data and never ends must not block a night's work. */
const LONGEST_MS = 15 * 60_000;

export interface RunGit {
  /** Any exit code is a result, after a wait for files that another program holds. Throws ABORTED, GIT_MISSING. */
  run(place: GitLocation, args: readonly string[], extras?: Extras): Promise<GitAnswer>;
  /** stdout of a command that must succeed. Also throws GIT_FAILED, DISK. */
  ok(place: GitLocation, args: readonly string[], extras?: Extras): Promise<string>;
}

/** Git reports no errno if a file that it opened could not be written. */
const FULL_DISK =
  /No space left on device|Disk quota exceeded|Read-only file system|File too large|couldn't write|unable to write (?:file|new.index)/;

/** Translates a failed command. */
export function gitFailure(args: readonly string[], answer: GitAnswer) {
  const stderr = answer.stderr.trim().slice(0, 2_000);
  const details = { command: args[0] ?? '', exit: answer.code, stderr };
  if (FULL_DISK.test(stderr)) {
    return failure('DISK', `git ${args[0]} could not write: ${stderr.split('\n')[0]}`, { details });
  }
  const held = heldBy(answer);
  if (held !== null) {
    return failure('DISK', `git ${args[0]} could not use a file: ${held}`, { hint: HELD_HINT, details });
  }
  if (answer.late) return failure('GIT_FAILED', `git ${args[0]} did not end in its time`, { details });
  const reason = stderr.split('\n').find((line) => /^(fatal|error):/.test(line)) ?? stderr.split('\n')[0];
  return failure('GIT_FAILED', `git ${args[0]} ended with ${answer.code}: ${reason}`, { details });
}

/** What git said of a file that another program holds; null if there is none, or if no program can hold one here. */
export const heldBy = ({ stderr, code }: Pick<GitAnswer, 'stderr' | 'code'>): string | null =>
  platform.holdsFiles ? heldFile(stderr, code) : null;

/** The same of a command that ended by itself, if it may be run again. */
export function heldAgain(args: readonly string[], answer: Omit<GitAnswer, 'stdout'>): string | null {
  return !answer.late && !answer.cut && mayRepeat(args, answer.stderr) ? heldBy(answer) : null;
}

function environmentOf(place: GitLocation, extras: Extras, binary: string, user: UserEnvironment, clock: Clock) {
  const env = extras.userSettings ? settingsEnvironment(binary, user) : neutralEnvironment(binary, user);
  if (place.gitDir !== undefined) env['GIT_DIR'] = place.gitDir;
  if (place.workTree !== undefined) env['GIT_WORK_TREE'] = place.workTree;
  if (place.indexFile !== undefined) env['GIT_INDEX_FILE'] = place.indexFile;
  if (place.objectDir !== undefined) env['GIT_OBJECT_DIRECTORY'] = place.objectDir;
  const date = `@${Math.floor(clock.now() / 1000)} +0000`;
  return { ...env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
}

interface Output {
  readonly stdout: Buffer[];
  readonly stderr: Buffer[];
  /** Fulfilled when both are read to their end, or when `signal` aborts. */
  whole: Promise<unknown>;
}

/**
 * simple-git answers 50 ms after a process ended with the output read so far. If it waits for its streams instead, it
 * keeps a promise of each command forever (4.0.2). It waits another 50 ms for a command that printed nothing, and stops
 * none for its length of output. This function solves these three: it reads to the end; emits an empty chunk at the end
 * of stdout; counts the bytes.
 */
function watchOutput(git: SimpleGit, maxBytes: number, signal: AbortSignal, tooMuch: () => void): Output {
  const output: Output = { stdout: [], stderr: [], whole: Promise.resolve() };
  git.outputHandler((_command, stdout, stderr) => {
    let bytes = 0;
    stdout.on('data', (chunk: Buffer) => {
      output.stdout.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) tooMuch();
    });
    stderr.on('data', (chunk: Buffer) => output.stderr.push(chunk));
    stdout.once('end', () => stdout.emit('data', Buffer.alloc(0)));
    output.whole = Promise.allSettled([stdout, stderr].map((stream) => finished(stream, { signal })));
  });
  return output;
}

const textOf = (chunks: readonly Buffer[], encoding: BufferEncoding = 'utf8'): string =>
  Buffer.concat(chunks).toString(encoding);

async function runOnce(
  binary: string,
  place: GitLocation,
  args: readonly string[],
  extras: Extras,
  env: Record<string, string>,
  clock: Clock,
) {
  const stop = new AbortController();
  const { input = '', signal, maxBytes = Number.POSITIVE_INFINITY, patienceMs = LONGEST_MS } = extras;
  const encoding = extras.bytes === true ? 'latin1' : 'utf8';
  const ended = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  let [code, cut, late] = [-1, false, false];
  const git = simpleGit({
    baseDir: place.cwd,
    binary,
    config: [
      ...NEUTRAL_CONFIG,
      ...(place.declaredSafe ? ['safe.directory=*'] : []),
      ...(place.attributesFile ? [`core.attributesFile=${place.attributesFile}`] : []),
    ],
    unsafe: UNSAFE,
    allowEnvironment: ALLOWED_ENVIRONMENT,
    abort: ended,
    // simple-git closes stdin only if it has input; an empty buffer counts as input, an empty string does not.
    input: () => Buffer.from(input, encoding),
    // every exit is an answer here; a requested stop is recognized below
    errors(_error, result) {
      code = result.exitCode ?? -1;
      return undefined;
    },
  }).env(env);
  const output = watchOutput(git, maxBytes, ended, () => {
    cut = true;
    stop.abort();
  });
  const cancel = clock.timer(patienceMs, () => {
    late = true;
    stop.abort();
  });
  try {
    await git.raw([...args]);
    await output.whole;
  } catch (thrown) {
    throw failure('GIT_FAILED', `git ${args[0]} could not run`, { cause: thrown });
  } finally {
    cancel();
  }
  if (signal?.aborted) throw failure('ABORTED', `git ${args[0]} was stopped`);
  // A command that ended while another process holds its output open is incomplete, too.
  const [stdout, stderr] = [textOf(output.stdout, encoding), textOf(output.stderr)];
  return { code: late ? -1 : code, stdout, stderr, cut, late };
}

export interface GitSettings {
  readonly clock: Clock;
  /** The user's environment: only PATH, HOME and XDG_CONFIG_HOME are read; no variable reaches a command unchanged. */
  readonly env: UserEnvironment;
}

/** Looks for git at the first command. */
export function createRunGit({ clock, env }: GitSettings): RunGit {
  let found: Promise<string> | undefined;

  async function locate(): Promise<string> {
    const binary = findGit(env['PATH'] ?? '');
    const bare = neutralEnvironment(binary, env);
    const answer = await runOnce(binary, { cwd: dirname(binary) }, ['--version'], {}, bare, clock);
    requireVersion(answer.stdout);
    return binary;
  }

  async function attempt(place: GitLocation, args: readonly string[], extras: Extras): Promise<GitAnswer> {
    if (extras.signal?.aborted) throw failure('ABORTED', `git ${args[0]} was not started`);
    found ??= locate();
    const binary = await found.catch((thrown: unknown) => {
      // the user may install git while this process lives: look again next time
      found = undefined;
      throw thrown;
    });
    const fetching = args[0] === 'fetch' ? FETCH_ENVIRONMENT : {};
    const environment = { ...environmentOf(place, extras, binary, env, clock), ...fetching };
    return runOnce(binary, place, args, extras, environment, clock);
  }

  /** A file that another program holds is waited for. */
  function run(place: GitLocation, args: readonly string[], extras: Extras = {}): Promise<GitAnswer> {
    const command = { program: `git ${args[0]}`, place: `${place.cwd} ${place.gitDir}`, signal: extras.signal };
    return whileHeld(
      command,
      () => attempt(place, args, extras),
      (answer) => heldAgain(args, answer),
    );
  }

  async function ok(place: GitLocation, args: readonly string[], extras: Extras = {}): Promise<string> {
    const answer = await run(place, args, extras);
    if (answer.code !== 0) throw gitFailure(args, answer);
    return answer.stdout;
  }

  return { run, ok };
}
