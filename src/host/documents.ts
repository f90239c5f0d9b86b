/** Read-only texts to look at: previews, dry runs, transcripts, diffs. Kept as long as they are open. */
import * as vscode from 'vscode';

const SCHEME = 'autonomous-text';

export class Documents implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  #number = 0;

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => void this.#texts.delete(uri.path)),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.path) ?? vscode.l10n.t('This text is gone: ask for it again.');
  }

  /** `name` ends in the extension that gives the language, e.g. `preview.json`. */
  async show(name: string, text: string): Promise<void> {
    this.#number++;
    const path = `/${this.#number}/${name}`;
    this.#texts.set(path, text);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: SCHEME, path }));
    await vscode.window.showTextDocument(document, { preview: true });
  }
}
