/** What differs between systems, as types. */

export type Environment = Readonly<Record<string, string | undefined>>;

/** What starts a program. */
export interface Start {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are quoted already: Windows passes one text to a program. */
  readonly isVerbatim: boolean;
}

export interface Platform {
  readonly name: 'linux' | 'macos' | 'windows';
  /** A copy in which each variable has one name: Windows does not tell `Path` from `PATH`. */
  environment(variables: Environment): Environment;
  /** File names that a program may have in a folder of the PATH, the preferred first. */
  programNames(name: string, env: Environment): readonly string[];
  /** `file`: absolute. */
  start(file: string, args: readonly string[], env: Environment): Start;
  /** Names of the variables that every command needs. */
  readonly inherited: RegExp;
  /** The PATH of a command if this process has none. */
  readonly defaultPath: string;
  /** The variables that name a home folder and a folder for temporary files. */
  homeVariables(home: string, tmp: string): Readonly<Record<string, string>>;
  /** A file that another program has open cannot be renamed or removed. */
  readonly holdsFiles: boolean;
  /** A command leads a process group, by which it is ended. */
  readonly hasGroups: boolean;
}
