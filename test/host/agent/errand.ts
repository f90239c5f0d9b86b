/** What the runner asks of the agent in a window. */
export type Errand =
  | { readonly kind: 'command'; readonly id: string; readonly args: readonly unknown[] }
  /** A `vscode://` link of the extension, opened as one in a document is: without VS Code's own question, which links from outside get. */
  | { readonly kind: 'link'; readonly path: string }
  | { readonly kind: 'active' }
  /** How many folders the extension host knows of. */
  | { readonly kind: 'folders' };

export type Answer = { readonly value: unknown } | { readonly error: string };

/** Where the agent listens, and its extension host. */
export interface Door {
  readonly url: string;
  readonly pid: number;
}
