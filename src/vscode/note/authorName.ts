/** The author of a note, as the editor shows it. */
import * as vscode from 'vscode';
import type { NoteRow } from '../../shared/note.ts';

export function authorName({
  created_by,
  created_by_session,
}: Pick<NoteRow, 'created_by' | 'created_by_session'>): string {
  if (created_by === 'steward') return vscode.l10n.t('You');
  if (created_by === 'import') return vscode.l10n.t('Imported');
  if (created_by_session !== null) return vscode.l10n.t('Agent, session {0}', created_by_session);
  return created_by === null ? vscode.l10n.t('Unknown author') : vscode.l10n.t('Main agent');
}
