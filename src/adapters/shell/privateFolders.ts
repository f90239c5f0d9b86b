/** Private homes and temp folders of commands: 0700, one home per clone, one temp folder per command. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { CommandRequest } from '../../engine/ports.ts';

export interface CommandFolders {
  /** Kept for the next command of the same clone. */
  readonly home: string;
  /** Only of this command; holds its `tmp` and what starts it. */
  readonly run: string;
  readonly tmp: string;
  readonly remove: () => Promise<void>;
}

export interface PrivateFolders {
  /** Real path of the folder that holds them all. */
  readonly root: string;
  /** `clone` is the first writable folder of the command; `whose` parts the agent's home from the engine's. */
  forCommand(clone: string, whose: CommandRequest['home']): CommandFolders;
  close(): Promise<void>;
}

/** Name of a home: `clone` and `whose` as in `forCommand`. */
export function homeName(clone: string, whose: CommandRequest['home']): string {
  return `${createHash('sha256').update(resolve(clone)).digest('hex').slice(0, 16)}-${whose}`;
}

const gone = { recursive: true, force: true, maxRetries: 3 } as const;

/** Without `folder`, a temp folder that `close` removes. With one, which nobody else has, homes are found again after a restart; old runs are removed. */
export function openPrivateFolders(folder: string | undefined): PrivateFolders {
  if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const root = realpathSync(folder ?? mkdtempSync(join(tmpdir(), 'autonomous-private-')));
  const runs = join(root, 'run');
  rmSync(runs, gone);
  let next = 0;
  return {
    root,
    forCommand(clone, whose) {
      const run = join(runs, String(next++));
      const [home, tmp] = [join(root, 'home', homeName(clone, whose)), join(run, 'tmp')];
      for (const each of [home, tmp]) mkdirSync(each, { recursive: true, mode: 0o700 });
      return { home, run, tmp, remove: () => rm(run, gone) };
    },
    close: () => (folder === undefined ? rm(root, gone) : rm(runs, gone)),
  };
}
