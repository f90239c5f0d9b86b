/** Runs commands and shows their failures to the user. */
import * as vscode from 'vscode';
import type { HostContext } from './context.ts';
import { report } from './report.ts';

/** The argument depends on the caller (a view's item, a resource, nothing): the handler checks it. */
export function registerCommand(
  context: HostContext,
  id: string,
  handler: (...args: unknown[]) => Promise<void>,
): vscode.Disposable {
  return vscode.commands.registerCommand(id, (...args: unknown[]) => withErrorMessage(context, () => handler(...args)));
}

/** Runs it; what it throws is logged and shown. */
export async function withErrorMessage(context: HostContext, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    report(context.log, thrown);
  }
}

/** Reads a field of the argument that a view or menu passed to a command. Returns undefined if the argument is not an object. */
export function given(arg: unknown, field: string): unknown {
  return typeof arg === 'object' && arg !== null ? (arg as Readonly<Record<string, unknown>>)[field] : undefined;
}

/** Reads `{project}` or a name, as commands, menus and pages pass it. Returns undefined if no project was named. */
export function namedProject(target: unknown): string | undefined {
  const name = typeof target === 'string' ? target : given(target, 'project');
  return typeof name === 'string' ? name : undefined;
}
