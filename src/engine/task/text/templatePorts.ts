/** Task templates in files, `<name>.yaml`. */
export interface TemplateFolder {
  readonly origin: 'workspace' | 'user' | 'built-in';
  names(): Promise<readonly string[]>;
  /** Null if the file does not exist. `path` is for messages. */
  read(name: string): Promise<{ readonly path: string; readonly bytes: Uint8Array } | null>;
}

/** Folder for new templates. */
export interface TemplateKeep {
  /** Returns the file's absolute path. Null if the name is taken and `replace` is false. */
  keep(name: string, text: string, replace: boolean): Promise<string | null>;
}
