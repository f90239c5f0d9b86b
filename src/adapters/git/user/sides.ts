/** Declares types of the user's repository for git and the merge. */
import type { Clock } from '../../../shared/clock.ts';
import type { ObjectFormat } from '../gitDirectory.ts';
import type { WorkTreeLocation } from '../job/jobTree.ts';
import type { UserEnvironment } from '../neutral.ts';
import type { GitLocation, RunGit } from '../runGit.ts';
import type { UserSettings } from './userSettings.ts';

export interface UserRepository {
  /** Top folder (real path). */
  readonly root: string;
  /** The git directory of this work tree. A linked work tree has a separate one. */
  readonly gitDir: string;
  readonly commonDir: string;
  readonly objectFormat: ObjectFormat;
  readonly shallow: string | null;
  readonly settings: UserSettings;
  /** `info/exclude` and the user's global ignore file as one text. */
  readonly exclude: string;
  /** Text of `info/attributes`. */
  readonly attributes: string;
  /** For commands on its refs. */
  readonly place: GitLocation;
}

/** Git's access to the user's repository, and facts about the user. */
export interface UserSide {
  readonly git: RunGit;
  readonly env: UserEnvironment;
  readonly clock: Clock;
  /** For tests of a disk that is nearly full. */
  readonly freeBytes?: FreeBytes | undefined;
  /** For tests with small files. */
  readonly sizeLimits?: SizeLimits | undefined;
}

export interface ScratchRepository {
  readonly gitDir: string;
  /** Object folder of the user's repository. */
  readonly userObjects: string;
  /** The user's tree with the copied index. */
  readonly place: WorkTreeLocation;
  /** Copies the user's index again. */
  copyIndex(): Promise<void>;
}

/** Paths have one character per byte (`Extras.bytes`). */
export interface Incoming {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Returns the free bytes on the disk of a folder. */
export type FreeBytes = (folder: string) => Promise<number>;

export interface SizeLimits {
  /** Limit of one file, before and after its change. */
  readonly fileBytes: number;
  /** Limit of all files together that a job changed. */
  readonly changeBytes: number;
}
