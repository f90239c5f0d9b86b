/** The hint and example of an empty brief. They are not part of the document, so that they cannot be filed. */
import * as vscode from 'vscode';

export function exampleBrief(): string {
  return vscode.l10n.t(
    'Add the option --json to the command "list". It prints the same fields as the table, as one JSON array. Errors stay on standard error. Tests cover an empty list.',
  );
}

/** Shows the hint in each empty brief that is visible. */
export function showPlaceholders(isBrief: (uri: vscode.Uri) => boolean): vscode.Disposable {
  const hint = vscode.l10n.t(
    'Describe what should be done, and how to check that it works. Example: {0}',
    exampleBrief(),
  );
  const look = vscode.window.createTextEditorDecorationType({
    after: {
      contentText: hint,
      color: new vscode.ThemeColor('input.placeholderForeground'),
      // VS Code never wraps such a text and has no other setting for its style. Unwrapped, the example is cut off beside the sidebar.
      textDecoration: 'none; position: absolute; white-space: pre-wrap; width: min(80ch, 36vw)',
    },
  });
  const show = (editors: readonly vscode.TextEditor[]): void => {
    for (const editor of editors) {
      if (!isBrief(editor.document.uri)) continue;
      editor.setDecorations(look, editor.document.getText() === '' ? [new vscode.Range(0, 0, 0, 0)] : []);
    }
  };
  show(vscode.window.visibleTextEditors);
  return vscode.Disposable.from(
    look,
    vscode.window.onDidChangeVisibleTextEditors(show),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (isBrief(document.uri)) show(vscode.window.visibleTextEditors);
    }),
  );
}
