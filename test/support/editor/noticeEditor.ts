/** A person who is shown notices, and the module `vscode` that shows them: imported in `vi.hoisted`. */
export interface NoticeReader {
  settings: Record<string, unknown>;
  /** Each with its level and its buttons. */
  told: (readonly string[])[];
  /** The button that is pressed on the next notices. */
  press: string | undefined;
  /** Commands that were run, with their arguments. */
  ran: unknown[];
}

export const nothingShown = (): NoticeReader => ({ settings: {}, told: [], press: undefined, ran: [] });

export function noticeEditor(): { readonly person: NoticeReader; readonly editor: object } {
  const person = nothingShown();
  const shown =
    (level: string) =>
    async (text: string, ...buttons: string[]): Promise<string | undefined> => {
      person.told.push([level, text, ...buttons]);
      return person.press;
    };
  const editor = {
    l10n: { t: (text: string, ...values: unknown[]) => text.replaceAll(/\{(\d)\}/g, (_, at) => String(values[at])) },
    Disposable: { from: () => ({}) },
    commands: { executeCommand: async (...command: unknown[]) => void person.ran.push(command) },
    workspace: {
      getConfiguration: () => ({ get: (name: string, otherwise: unknown) => person.settings[name] ?? otherwise }),
    },
    window: {
      showInformationMessage: shown('info'),
      showWarningMessage: shown('warning'),
      showErrorMessage: shown('error'),
    },
  };
  return { person, editor };
}
