/** The unsaved document in which a new project is written: its name is the project's. */
import type * as vscode from 'vscode';

export const PROJECT_TEXT = '.project.md';

export const isProjectText = ({ scheme, path }: vscode.Uri): boolean =>
  scheme === 'untitled' && path.endsWith(PROJECT_TEXT);

export const projectNamed = ({ path }: vscode.Uri): string =>
  path.slice(path.lastIndexOf('/') + 1, -PROJECT_TEXT.length);
