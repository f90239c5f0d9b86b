/** The terminal program in the window's folder: while the window owns it, another process that asks it. */
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { node24 } from '../../scripts/setup.mjs';

const PATIENCE_MS = 120_000;
/** Of one command: a whole job, where the window is not open yet. */
const COMMAND_MS = 120_000;

interface Ended {
  readonly code: number;
  /** All of it. */
  readonly printed: string;
  /** What went to the standard output alone. */
  readonly output: string;
}

export interface Terminal {
  /** `autonomous <words>`, to its end, whatever its exit code. */
  autonomous(...words: readonly string[]): Promise<Ended>;
  /** What `autonomous <words> --json` prints. Rejects when it fails. */
  ask(...words: readonly string[]): Promise<Readonly<Record<string, unknown>>>;
  /** Asks until it prints this. Rejects when it never does. */
  until(verb: string, holds: (printed: Readonly<Record<string, unknown>>) => boolean): Promise<void>;
  git(...words: readonly string[]): Promise<string>;
  node(...words: readonly string[]): Promise<string>;
}

/** With the home of the window whose files lie in `folder`. */
export function terminal(program: string, project: string, folder: string): Terminal {
  const home = join(folder, 'home');
  const env = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: home,
    XDG_RUNTIME_DIR: home,
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const ended = (file: string, words: readonly string[]): Promise<Ended> =>
    new Promise((resolve, reject) => {
      mkdirSync(home, { recursive: true, mode: 0o700 });
      const options = { cwd: project, env, timeout: COMMAND_MS, killSignal: 'SIGKILL' } as const;
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
    until: async (verb, holds) => {
      const end = performance.now() + PATIENCE_MS;
      for (;;) {
        const seen = await ask(verb);
        if (holds(seen)) return;
        if (performance.now() > end) throw new Error(`${verb} never came to it:\n${JSON.stringify(seen)}`);
      }
    },
    git: (...given) => printed('git', given),
    node: (...given) => printed(node24, given),
  };
}
