/** The extension under test, and what its manifest says. */
import assert from 'node:assert/strict';
import { type Extension, extensions, workspace } from 'vscode';

export interface Manifest {
  readonly publisher: string;
  readonly name: string;
  readonly contributes?: {
    readonly commands?: readonly { readonly command: string; readonly title: string }[];
    readonly languageModelTools?: readonly { readonly name: string }[];
  };
}

export function extension(): Extension<unknown> {
  const found = extensions.getExtension('autonomous.autonomous');
  assert.ok(found, 'the extension is installed under its own name');
  return found;
}

export const manifest = (): Manifest => extension().packageJSON;

export function projectDir(): string {
  const folder = workspace.workspaceFolders?.[0];
  assert.ok(folder, 'the window has a folder');
  return folder.uri.fsPath;
}
