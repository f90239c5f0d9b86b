/** Files of people's own templates, `<name>.md`. */
export interface TemplateFiles {
  names(): Promise<readonly string[]>;
  /** null: there is no such file. `path` is for messages. */
  read(name: string): Promise<{ readonly path: string; readonly bytes: Uint8Array } | null>;
}
