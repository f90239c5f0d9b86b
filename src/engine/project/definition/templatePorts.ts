/** Files of templates of one place, `<name>.md`. Those of the workspace may be anybody's. */
export interface TemplateFiles {
  readonly origin: 'workspace' | 'user' | 'built-in';
  names(): Promise<readonly string[]>;
  /** null: there is no such file. `path` is for messages. */
  read(name: string): Promise<{ readonly path: string; readonly bytes: Uint8Array } | null>;
}
