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

interface InputBox {
  readonly title?: string;
  readonly value?: string;
  validateInput?(text: string): string | null;
}

export interface FakeEditor {
  folders: readonly Folder[];
  trusted: boolean;
  settings: Record<string, unknown>;
  /** What is picked of a list, by label, or labels where several may be; undefined: dismissed. */
  picks: (string | readonly string[] | undefined)[];
  types: (string | undefined)[];
  /** Input boxes that were shown. */
  readonly inputs: InputBox[];
  readonly told: string[];
  /** Lists that were shown. */
  readonly offered: (readonly Item[])[];
  /** What was typed into a terminal; `true`: and run. */
  readonly terminal: (readonly [text: string, run: boolean])[];
  readonly copied: string[];
}

interface Item {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}

export const fakeEditor = (): FakeEditor => ({
  folders: [],
  trusted: true,
  settings: {},
  picks: [],
  types: [],
  inputs: [],
  told: [],
  offered: [],
  terminal: [],
  copied: [],
});

/** The module `vscode` over it. */
export function editorModule(editor: FakeEditor): object {
  const told = async (text: string): Promise<void> => void editor.told.push(text);
  return {
    EventEmitter: FakeEmitter,
    ProgressLocation: {},
    QuickPickItemKind: { Separator: -1 },
    ConfigurationTarget: { Global: 1 },
    env: { clipboard: { writeText: async (text: string) => void editor.copied.push(text) } },
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
        update: async (name: string, value: unknown) => {
          editor.settings[name] = value;
        },
      }),
    },
    window: {
      showQuickPick: async (items: readonly Item[]) => {
        editor.offered.push(items);
        const picked = editor.picks.shift();
        if (typeof picked === 'object') return items.filter(({ label }) => picked.includes(label));
        return items.find(({ label }) => label === picked);
      },
      withProgress: async (_: unknown, work: () => Promise<unknown>) => work(),
      createTerminal: () => ({
        show: () => undefined,
        sendText: (text: string, run: boolean) => void editor.terminal.push([text, run]),
      }),
      showInputBox: async (box: InputBox) => {
        editor.inputs.push(box);
        return editor.types.shift();
      },
      showInformationMessage: told,
      showWarningMessage: told,
      showErrorMessage: told,
    },
  };
}
