/** Registers the commands about tasks and the documents of tasks. Handlers are loaded with the first task or the first text of one. */
import * as vscode from 'vscode';
import type { HostContext } from '../window/context.ts';
import { registerCommands, report } from '../window/report.ts';
import type { World } from '../window/world.ts';
import { COMMANDS } from './handlers.ts';
import type { RegisteredActions } from './stepActions.ts';
import type { TaskEditor } from './taskEditor.ts';
import { isTaskText, TASK_SCHEME } from './text/taskUri.ts';

export function registerTasks(context: HostContext, world: World, actions: RegisteredActions): vscode.Disposable {
  const { engine, log } = context;
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  let loaded: Promise<TaskEditor> | null = null;
  const taskEditor = (): Promise<TaskEditor> => {
    loaded ??= import('./taskEditor.ts').then(({ openTaskEditor }) =>
      openTaskEditor(context, world, actions, changed.fire.bind(changed)),
    );
    return loaded;
  };
  const need = (): void => {
    if (loaded !== null) return;
    const isNeeded = engine.state.tasks.size > 0 || vscode.workspace.textDocuments.some(({ uri }) => isTaskText(uri));
    if (isNeeded) taskEditor().catch((thrown: unknown) => report(log, thrown));
  };
  const handlers = COMMANDS.map(
    (id) => [id, async (target: unknown) => (await taskEditor()).handlers[id](target)] as const,
  );
  const refuse = (uri: vscode.Uri): never => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  need();
  return vscode.Disposable.from(
    changed,
    { dispose: () => void loaded?.then((one) => one.dispose()) },
    registerCommands(log, Object.fromEntries(handlers)),
    engine.onDidChange(need),
    vscode.workspace.onDidOpenTextDocument(need),
    vscode.workspace.registerFileSystemProvider(
      TASK_SCHEME,
      {
        onDidChangeFile: changed.event,
        watch: () => new vscode.Disposable(() => undefined),
        stat: async (uri) => (await taskEditor()).files.stat(uri),
        readFile: async (uri) => (await taskEditor()).files.readFile(uri),
        writeFile: async (uri, content) => (await taskEditor()).files.writeFile(uri, content),
        readDirectory: () => [],
        createDirectory: refuse,
        delete: refuse,
        rename: refuse,
      },
      { isCaseSensitive: true },
    ),
  );
}
