/** As much of the editor as the connection to the engine needs; a test's `vi.mock('vscode')` gives it, and sets what it finds. */
interface Folder {
  readonly name: string;
  readonly uri: FakeUri;
}

export interface FakeUri {
  readonly scheme: string;
  readonly fsPath: string;
  toString(): string;
}

export function fakeUri(path: string, scheme = 'file'): FakeUri {
  return { scheme, fsPath: path, toString: () => `${scheme}://${path}` };
}

export class FakeEmitter<T> {
  readonly #listeners = new Set<(value: T) => void>();
  readonly event = (listener: (value: T) => void) => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  fire(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }
}

export interface FakeEditor {
  folders: readonly Folder[];
  trusted: boolean;
  settings: Record<string, unknown>;
  /** What is picked of a list, by label; undefined: dismissed. */
  picks: (string | undefined)[];
  types: (string | undefined)[];
  readonly told: string[];
}

export const fakeEditor = (): FakeEditor => ({
  folders: [],
  trusted: true,
  settings: {},
  picks: [],
  types: [],
  told: [],
});

/** The module `vscode` over it. */
export function editorModule(editor: FakeEditor): object {
  const told = async (text: string): Promise<void> => void editor.told.push(text);
  return {
    EventEmitter: FakeEmitter,
    l10n: { t: (text: string, ...values: unknown[]) => text.replaceAll(/\{(\d)\}/g, (_, at) => String(values[at])) },
    workspace: {
      get workspaceFolders() {
        return editor.folders;
      },
      get isTrusted() {
        return editor.trusted;
      },
      getConfiguration: () => ({
        get: (name: string, otherwise: unknown) => editor.settings[name] ?? otherwise,
      }),
    },
    window: {
      showQuickPick: async (items: readonly { readonly label: string }[]) => {
        const label = editor.picks.shift();
        return items.find((item) => item.label === label);
      },
      showInputBox: async () => editor.types.shift(),
      showInformationMessage: told,
      showWarningMessage: told,
      showErrorMessage: told,
    },
  };
}
