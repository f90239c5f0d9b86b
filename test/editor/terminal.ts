/** The program `autonomous` in a terminal of the same person: beside a window that owns the folder, another process that asks it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { node24 } from '../../scripts/setup.mjs';
import { PATIENCE_MS, until } from './patience.ts';
import { killProcess } from './processes.ts';
import type { VsCode } from './vsCode.ts';

/** Exit code when the steward is waited for. */
export const WAITS = 3;

interface Ended {
  readonly code: number;
  /** All of it. */
  readonly printed: string;
  /** What went to the standard output alone. */
  readonly output: string;
}

interface Running {
  readonly ended: Promise<{ readonly code: number | null; readonly printed: string }>;
  /** At once, as a crash does. */
  kill(): Promise<void>;
}

type Printed = Readonly<Record<string, unknown>>;

export interface Terminal {
  /** `autonomous <words>`, to its end, whatever its exit code. */
  autonomous(...words: readonly string[]): Promise<Ended>;
  /** What `autonomous <words> --json` prints. Rejects when it fails. */
  ask(...words: readonly string[]): Promise<Printed>;
  /** Asks until it prints this. Rejects when it never does. */
  until(words: string, holds: (printed: Printed) => boolean): Promise<void>;
  /** `autonomous <words>` beside the test, with a terminal that a person could type in; nobody does. */
  startAtTty(words: readonly string[], more?: NodeJS.ProcessEnv): Running;
  git(...words: readonly string[]): Promise<string>;
  node(...words: readonly string[]): Promise<string>;
}

/** `pidFile`: into which the program writes its process id before it starts; `child` only runs it. */
function begin(child: ChildProcess, pidFile: string): Running {
  let printed = '';
  let isOver = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const ended = new Promise<{ code: number | null; printed: string }>((resolve) =>
    child.once('close', (code) => {
      isOver = true;
      resolve({ code, printed });
    }),
  );
  return {
    ended,
    kill: async () => {
      if (!isOver) {
        const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0;
        if (pid > 0) killProcess(pid);
        else child.kill('SIGKILL');
      }
      await ended;
    },
  };
}

/** In the folder of a window of this VS Code. */
export function terminal(program: string, project: string, { env }: Pick<VsCode, 'env'>): Terminal {
  const ended = (file: string, words: readonly string[]): Promise<Ended> =>
    new Promise((resolve, reject) => {
      const options = { cwd: project, env: { ...env }, timeout: PATIENCE_MS, killSignal: 'SIGKILL' } as const;
      execFile(file, [...words], options, (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code;
        if (typeof code === 'number') resolve({ code, printed: stdout + stderr, output: stdout });
        else if (error?.killed) reject(new Error(`${words.join(' ')} took too long:\n${stdout}${stderr}`));
        else reject(error);
      });
    });
  const printed = async (file: string, words: readonly string[]): Promise<string> => {
    const { code, printed: text, output } = await ended(file, words);
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}:\n${text}`);
    return output;
  };
  const words = (given: readonly string[]): string[] => [program, ...given, '--project-dir', project];
  const ask: Terminal['ask'] = async (...given) => JSON.parse(await printed(node24, words([...given, '--json'])));
  return {
    autonomous: (...given) => ended(node24, words(given)),
    ask,
    until: async (asked, holds) => {
      let seen: Printed = {};
      await until(
        () => `${asked}, which prints ${JSON.stringify(seen)}`,
        async () => {
          const { code, printed: text, output } = await ended(node24, words([...asked.split(' '), '--json']));
          // The owner of a busy machine may not answer in time: it is asked again.
          seen = code === 0 ? JSON.parse(output) : { code, text };
          return code === 0 && holds(seen);
        },
      );
    },
    startAtTty: (given, more) => {
      const pidFile = `${project}.pid`;
      const program = [node24, ...words(given)].map((word) => `'${word}'`).join(' ');
      const command = `echo $$ > '${pidFile}'; exec ${program}`;
      const args = ['--quiet', '--return', '--flush', '--command', command, '/dev/null'];
      return begin(spawn('script', args, { cwd: project, env: { ...env, ...more }, stdio: 'pipe' }), pidFile);
    },
    git: (...given) => printed('git', given),
    node: (...given) => printed(node24, given),
  };
}
