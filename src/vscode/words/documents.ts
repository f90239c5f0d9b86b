/** Read-only texts to look at: requests, dry runs, transcripts, diffs. */
import * as vscode from 'vscode';

const SCHEME = 'autonomous-text';

export class Documents implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  /** Shown by the editor's preview, which reads them again long after it closed their documents. */
  readonly #previewed = new Set<string>();
  #number = 0;

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === SCHEME && !this.#previewed.has(uri.path)) this.#texts.delete(uri.path);
      }),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.path) ?? vscode.l10n.t('This text is no longer available. Request it again.');
  }

  /** `name` ends in the extension that sets the language, for example `preview.json`. */
  async show(name: string, text: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.#keep(name, text));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /** Shows a Markdown text as a preview instead of its source. */
  async read(name: string, text: string): Promise<void> {
    // If the built-in Markdown extension is disabled, show the source.
    if (vscode.extensions.getExtension('vscode.markdown-language-features') === undefined) return this.show(name, text);
    const uri = this.#keep(name, text);
    this.#previewed.add(uri.path);
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  }

  #keep(name: string, text: string): vscode.Uri {
    this.#number++;
    const path = `/${this.#number}/${name}`;
    this.#texts.set(path, text);
    return vscode.Uri.from({ scheme: SCHEME, path });
  }
}
