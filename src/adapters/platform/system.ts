/** What differs between systems, as types. */
import type { MachineMark } from '../../core/state/processMark.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What starts a program. */
export interface Start {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are quoted already: Windows passes one text to a program. */
  readonly isVerbatim: boolean;
}

/** A shell, and how it is given a command. */
export interface Shell {
  readonly name: 'bash' | 'sh' | 'pwsh' | 'cmd';
  /** Absolute path. */
  readonly file: string;
  /** What starts it with a command. */
  start(command: string): Start;
}

/** Folders of this user, and what tells users apart. */
export interface OwnPlaces {
  readonly home: string;
  readonly tmp: string;
  readonly user: string;
}

export interface OsNotification {
  readonly title: string;
  /** Never contains text of a job, a model or a repository. */
  readonly message: string;
}

export interface Notifier {
  readonly program: string;
  /** The arguments for a notification. A title or message with a leading `-` stays text. */
  arguments(notification: OsNotification): readonly string[];
}

/** What a system answers about itself; '' if it does not answer. */
export interface Inquiry {
  file(path: string): string;
  link(path: string): string;
  output(program: string, args: readonly string[]): string;
  /** The name of the machine in its network. */
  readonly host: string;
}

export interface Platform {
  readonly name: 'linux' | 'macos' | 'windows';
  /** A copy in which each variable has one name: Windows does not tell `Path` from `PATH`. */
  environment(variables: Environment): Environment;
  /** File names that a program may have in a folder of the PATH, the preferred first. */
  programNames(name: string, env: Environment): readonly string[];
  /** `file`: absolute. */
  start(file: string, args: readonly string[], env: Environment): Start;
  /** The shell that runs commands. `find`: the absolute path of a program of the PATH, or null. */
  shell(env: Environment, find: (name: string) => string | null): Shell;
  /** `editor`: words of a shell, as VISUAL and EDITOR have them. */
  editor(editor: string, file: string, env: Environment): Start;
  /** Names of the variables that every command needs. */
  readonly inherited: RegExp;
  /** The PATH of a command if this process has none. */
  readonly defaultPath: string;
  /** The variables that name a home folder and a folder for temporary files. */
  homeVariables(home: string, tmp: string): Readonly<Record<string, string>>;
  /** Whether the mode of a file says who may read it. */
  readonly hasModes: boolean;
  /** Whether the names in a folder become durable by syncing the folder. */
  readonly syncsFolders: boolean;
  /** What git would find out about the file system by trying it. */
  readonly gitCore: Readonly<Record<string, string>>;
  /** The named pipe at which an owner listens, which belongs to its process until that ends; null: it listens at a socket. */
  readonly pipe: ((name: string) => string) | null;
  /** Identifies the machine on which this process runs. Starts a program at most where no file has the answer. */
  machineMark(ask: Inquiry, env: Environment): MachineMark;
  /** The folder of settings of programs. */
  configFolder(env: Environment, home: string): string;
  /** The folder of sockets and tokens if no variable names one. No clean-up of the system removes what is in it. */
  runtimeFolder(env: Environment, places: OwnPlaces): string;
  /** Shows a notification; null if nothing does. */
  readonly notifier: Notifier | null;
  /** A file that another program has open cannot be renamed or removed. */
  readonly holdsFiles: boolean;
  /** A command leads a process group, by which it is ended. */
  readonly hasGroups: boolean;
}
