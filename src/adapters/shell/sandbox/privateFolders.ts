/**
 * Manages private homes and temp folders of commands: mode 0700, one home per clone and kind of user, one temp folder
 * per command or session.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { CommandRequest, CommandSession } from '../../../engine/session/commandPorts.ts';
import { leaveHeld } from '../../platform/heldFiles.ts';
import { removeLargeTree, removeTree } from '../removeTree.ts';
import { type HomeFile, putHomeFiles, removeLeftSecrets } from './homeFiles.ts';

export interface CommandFolders {
  /** Kept for the next command of the same clone. */
  readonly home: string;
  /**
   * Folder of this command only. Contains the files that start it, and its `tmp` unless the command has a session's.
   */
  readonly run: string;
  readonly tmp: string;
  /** Larger than the numbers of earlier commands. */
  readonly number: number;
  /** Writes files into the home. `remove` deletes the secret ones. */
  put(files: readonly HomeFile[]): void;
  remove(): Promise<void>;
}

export interface PrivateFolders {
  /** Real path of the parent folder. */
  readonly root: string;
  /**
   * `clone` is the command's folder; `whose` separates the agent's home from the engine's. The temp folder is that of
   * `session`.
   */
  forCommand(clone: string, whose: CommandRequest['home'], session?: CommandSession): CommandFolders;
  /** Removed by `close`, or when the folders are opened again after a crash. */
  forSession(): Omit<CommandSession, 'shell' | 'sharesNetwork'>;
  close(): Promise<void>;
}

/** Name of a home: `clone` and `whose` as in `forCommand`. */
export function homeName(clone: string, whose: CommandRequest['home']): string {
  return `${createHash('sha256').update(resolve(clone)).digest('hex').slice(0, 16)}-${whose}`;
}

const partsOf = (root: string): Readonly<Record<'runs' | 'homes' | 'secrets', string>> => ({
  runs: join(root, 'run'),
  homes: join(root, 'home'),
  secrets: join(root, 'secrets'),
});

/** Removes the secrets that commands of the folder's previous owner left; that process must have ended. */
export function removeSecretsIn(folder: string): void {
  const { homes, secrets } = partsOf(folder);
  removeLeftSecrets(homes, secrets);
}

/**
 * Without `folder`, a temp folder that `close` removes. With a folder, which must be exclusive, homes are found again
 * after a restart; old runs are removed.
 */
export function openPrivateFolders(folder: string | undefined): PrivateFolders {
  if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const root = realpathSync.native(folder ?? mkdtempSync(join(tmpdir(), 'autonomous-private-')));
  const { runs, homes, secrets } = partsOf(root);
  removeTree(runs);
  removeSecretsIn(root);
  let next = 0;
  return {
    root,
    forCommand(clone, whose, session) {
      const number = next++;
      const run = join(runs, String(number));
      const [home, tmp] = [join(homes, homeName(clone, whose)), session?.tmp ?? join(run, 'tmp')];
      for (const each of [home, run, tmp]) mkdirSync(each, { recursive: true, mode: 0o700 });
      let removeSecrets: () => void = () => undefined;
      return {
        home,
        run,
        tmp,
        number,
        put: (files) => {
          removeSecrets = putHomeFiles(home, files, secrets);
        },
        remove: async () => {
          removeSecrets();
          await removeLargeTree(run).catch(leaveHeld);
        },
      };
    },
    forSession() {
      const of = join(runs, `session-${next++}`);
      const [tmp, output] = [join(of, 'tmp'), join(of, 'output')];
      for (const each of [tmp, output]) mkdirSync(each, { recursive: true, mode: 0o700 });
      return { tmp, output, close: () => removeLargeTree(of).catch(leaveHeld) };
    },
    close: () => removeLargeTree(folder === undefined ? root : runs),
  };
}
