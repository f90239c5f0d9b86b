/** What the runner asks of the second extension in a window. */
export type Errand =
  | { readonly kind: 'command'; readonly id: string; readonly args: readonly unknown[] }
  /** Opens a `vscode://` link of the extension as a link in a document is opened: without the question that VS Code asks about links from outside. */
  | { readonly kind: 'link'; readonly path: string }
  /** Activates the extension, and returns whether it is active. */
  | { readonly kind: 'activate' }
  /** Returns whether the extension is active. */
  | { readonly kind: 'isActive' }
  /** Returns how many folders the extension host knows of. */
  | { readonly kind: 'folders' }
  /** Runs a test of `suite/`, and returns its result. */
  | { readonly kind: 'test'; readonly name: string };

export type Answer = { readonly value: unknown } | { readonly error: string };

/** Where the second extension listens, and in which extension host. */
export interface DoorAddress {
  readonly url: string;
  readonly pid: number;
}
