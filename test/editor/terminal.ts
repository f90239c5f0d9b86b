/** What another process sees of the folder: the terminal program, which is a client while the window is the owner. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { node24, root } from '../../scripts/setup.mjs';

const run = promisify(execFile);

export interface Terminal {
  /** What `autonomous <words> --json` prints. Rejects when it fails. */
  ask(...words: readonly string[]): Promise<Readonly<Record<string, unknown>>>;
  git(...words: readonly string[]): Promise<string>;
  node(...words: readonly string[]): Promise<string>;
}

/** In the project's folder, with the home of the window whose files lie in `folder`. */
export function terminal(project: string, folder: string): Terminal {
  const home = join(folder, 'home');
  const env = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: home,
    XDG_RUNTIME_DIR: home,
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const printed = async (file: string, words: readonly string[]): Promise<string> =>
    (await run(file, [...words], { cwd: project, env })).stdout;
  return {
    ask: async (...words) =>
      JSON.parse(await printed(node24, [join(root, 'dist', 'cli.js'), ...words, '--json', '--project-dir', project])),
    git: (...words) => printed('git', words),
    node: (...words) => printed(node24, words),
  };
}
