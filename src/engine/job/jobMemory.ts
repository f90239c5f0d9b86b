/** Declares the memory of a job's loop between actions. Types only; `context.ts` combines them. */

import type { ListedFile } from '../../core/repository/repositoryFiles.ts';
import type { CommandSession } from '../session/commandPorts.ts';
import type { BackgroundCommands, ScratchFile } from '../session/ports.ts';
import type { JobFacts } from '../session/prompts/shared.ts';
import type { StartCommand } from './work/background.ts';

/** Facts about the attempt whose work is being saved. Not authoritative. */
export interface KeptMemory {
  readonly attempt: number;
  /** The commit that its work is based on. */
  readonly base: string;
  readonly origin: string;
  readonly after: number | null;
  readonly start: { readonly tree: string; readonly patch: Uint8Array };
  /** The newest commit in its file. Null if there is none yet. */
  commit: string | null;
  hash: string | null;
  /** Monotonic time before which the running work is not saved again. */
  notBefore: number;
}

export interface KnownFacts extends JobFacts {
  readonly commit: string;
  readonly files: readonly ListedFile[];
  readonly read: ReadText;
}

export interface KeptScratch {
  readonly sessionId: number;
  readonly session: CommandSession;
}

export interface SessionShell {
  /** Called for each command of the session. */
  enter(): CommandSession;
  /** Commands in the background, started by `start`. Call it once. */
  background(start: StartCommand): BackgroundCommands;
  /** Whether a command runs in the background. */
  isBusy(): boolean;
  /** Ends those commands. Resolves when they and their child processes have ended. `why` is shown to the model. */
  quiet(why: string): Promise<void>;
  /** Notices for the model about earlier commands. Each line is returned once. */
  news(): readonly string[];
  /** The file of the scratch folder, or of a whole output, that a path names. Null if it names neither. */
  scratchFile(path: string): ScratchFile | null;
  close(): Promise<void>;
}

/** Null if the file is too large. */
export type ReadText = (path: string) => Promise<string | null>;
