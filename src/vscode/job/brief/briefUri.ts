/** The URI of a brief that is being written. */
import type { Uri } from 'vscode';

export function isBrief(uri: Uri): boolean {
  return uri.scheme === 'untitled' && uri.path.endsWith('.brief.md');
}
