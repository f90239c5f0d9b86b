/** Template files of one folder, `<name>.md`. Those of the workspace have an unknown author. */
export interface TemplateFiles {
  readonly origin: 'workspace' | 'user' | 'built-in';
  names(): Promise<readonly string[]>;
  /** Null if the file does not exist. `path` is for messages. */
  read(name: string): Promise<{ readonly path: string; readonly bytes: Uint8Array } | null>;
}
