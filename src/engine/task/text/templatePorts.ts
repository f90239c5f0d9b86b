/** Templates of tasks in the files of one folder, `<name>.yaml`. */
export interface TemplateFolder {
  readonly origin: 'workspace' | 'user' | 'built-in';
  names(): Promise<readonly string[]>;
  /** null: there is no such file. `path` is for messages. */
  read(name: string): Promise<{ readonly path: string; readonly bytes: Uint8Array } | null>;
}

/** Where new ones are kept. */
export interface TemplateKeep {
  /** The file's path, absolute; null: there is one of this name, and it was not to be replaced. */
  keep(name: string, text: string, replace: boolean): Promise<string | null>;
}
