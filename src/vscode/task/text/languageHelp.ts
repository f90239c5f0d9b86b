/** Help for the author of a task in the editor: completion, hovers, diagnostics while typing, lenses above the first line. */
import * as vscode from 'vscode';
import type { TextFault } from '../../../shared/task/taskText.ts';
import { withErrorMessage } from '../../window/command.ts';
import type { HostContext } from '../../window/context.ts';
import { meaningAt } from './meaning.ts';
import { type Proposal, proposalsAt } from './proposals.ts';
import type { TaskDocuments } from './taskDocuments.ts';
import { isTaskText, TASK_SCHEME, taskOf } from './taskUri.ts';

const SELECTOR: vscode.DocumentSelector = [
  { pattern: '**/*.task.{yaml,yml}' },
  { pattern: '**/.autonomous/templates/tasks/*.{yaml,yml}' },
  { scheme: TASK_SCHEME },
];
/** This extension uses the schema of the task form, so that its hovers show the same texts. */
const YAML_TOOL = 'redhat.vscode-yaml';
const KINDS: Readonly<Record<Proposal['kind'], vscode.CompletionItemKind>> = {
  key: vscode.CompletionItemKind.Property,
  choice: vscode.CompletionItemKind.EnumMember,
  action: vscode.CompletionItemKind.Function,
  step: vscode.CompletionItemKind.Reference,
  reference: vscode.CompletionItemKind.Variable,
};

export function helpWithTasks(
  context: HostContext,
  texts: TaskDocuments,
  actionsChanged: vscode.Event<void>,
): vscode.Disposable {
  const faults = vscode.languages.createDiagnosticCollection('autonomous.task');
  const lensesChanged = new vscode.EventEmitter<void>();
  const check = (document: vscode.TextDocument): void => {
    if (!isTaskText(document.uri)) return;
    const { version } = document;
    void withErrorMessage(context, async () => {
      const read = await texts.read(document.getText());
      // A later change is checked by its own call.
      if (document.version === version && !document.isClosed) faults.set(document.uri, read.faults.map(diagnosticOf));
    });
  };
  const checkAll = (): void => vscode.workspace.textDocuments.forEach(check);
  checkAll();
  return vscode.Disposable.from(
    faults,
    lensesChanged,
    context.engine.onDidChange(() => lensesChanged.fire()),
    actionsChanged(checkAll),
    vscode.workspace.onDidOpenTextDocument(check),
    vscode.workspace.onDidChangeTextDocument(({ document }) => check(document)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => faults.delete(uri)),
    vscode.languages.registerCompletionItemProvider(
      SELECTOR,
      { provideCompletionItems: (document, at) => completionsAt(document, at, texts) },
      '{',
      ' ',
      '[',
      '.',
    ),
    vscode.languages.registerHoverProvider(SELECTOR, { provideHover: (document, at) => hoverAt(document, at, texts) }),
    vscode.languages.registerCodeLensProvider(SELECTOR, {
      onDidChangeCodeLenses: lensesChanged.event,
      provideCodeLenses: ({ uri }) => lensesFor(context, uri),
    }),
  );
}

const isHelpedElsewhere = ({ languageId }: vscode.TextDocument): boolean =>
  languageId === 'yaml' && vscode.extensions.getExtension(YAML_TOOL) !== undefined;

function diagnosticOf({ message, line, column, endLine, endColumn }: TextFault): vscode.Diagnostic {
  const range = new vscode.Range(line, column, endLine, endColumn);
  const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
  diagnostic.source = 'Autonomous';
  return diagnostic;
}

function completionsAt(
  document: vscode.TextDocument,
  { line, character }: vscode.Position,
  texts: TaskDocuments,
): vscode.CompletionItem[] {
  const { from, to, items } = proposalsAt(document.getText(), line, character, texts.form());
  const wanted = isHelpedElsewhere(document) ? items.filter(({ kind }) => kind !== 'key' && kind !== 'choice') : items;
  const range = new vscode.Range(line, from, line, to);
  return wanted.map(({ label, insert, snippet, kind, detail, documentation }, at) => {
    const item = new vscode.CompletionItem(label, KINDS[kind]);
    item.insertText = snippet ? new vscode.SnippetString(insert) : insert;
    item.range = range;
    item.detail = detail;
    item.documentation = documentation;
    // In the order of the definition, not of the alphabet.
    item.sortText = String(at).padStart(5, '0');
    return item;
  });
}

function hoverAt(
  document: vscode.TextDocument,
  { line, character }: vscode.Position,
  texts: TaskDocuments,
): vscode.Hover | null {
  if (isHelpedElsewhere(document)) return null;
  const meaning = meaningAt(document.getText(), line, character, texts.form());
  if (meaning === null) return null;
  const shown = new vscode.MarkdownString();
  // As plain text: names come from the author of the task or another extension.
  shown.appendText(`${meaning.title}\n\n${meaning.text}`);
  for (const [name, text] of meaning.params) shown.appendMarkdown('\n\n- ').appendText(`${name}: ${text}`);
  return new vscode.Hover(shown);
}

function lensesFor({ engine }: HostContext, uri: vscode.Uri): vscode.CodeLens[] {
  const top = new vscode.Range(0, 0, 0, 0);
  const lens = (title: string, command: string): vscode.CodeLens =>
    new vscode.CodeLens(top, { title, command, arguments: [uri] });
  const start = lens(vscode.l10n.t('$(play) Start'), 'autonomous.startTask');
  const check = lens(vscode.l10n.t('$(checklist) Check'), 'autonomous.checkTask');
  const save = lens(vscode.l10n.t('$(save-as) Save as Template'), 'autonomous.saveTaskTemplate');
  const schedule = lens(vscode.l10n.t('$(calendar) Schedule'), 'autonomous.scheduleTask');
  const id = taskOf(uri);
  if (id === null) return [start, check, schedule];
  const isPending = engine.state.tasks.get(id)?.status === 'PENDING';
  const show = lens(vscode.l10n.t('$(eye) Show'), 'autonomous.showTask');
  return [...(isPending ? [start, check] : []), save, schedule, show];
}
