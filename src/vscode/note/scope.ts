/** Asks for the scope of a note. */
import * as vscode from 'vscode';
import type { FeatureRow } from '../../shared/job/rows.ts';
import type { NoteRow } from '../../shared/note.ts';
import type { State } from '../../shared/workspace/state.ts';

export interface NoteScope {
  readonly featureId: number | null;
  readonly category: string | null;
}

const MAX_FEATURES = 200;

export function scopeText(state: State, note: Pick<NoteRow, 'feature_id' | 'category'>): string {
  if (note.feature_id !== null) {
    return vscode.l10n.t('for feature {0}', state.features.get(note.feature_id)?.name ?? note.feature_id);
  }
  return note.category === null ? vscode.l10n.t('for everything') : vscode.l10n.t('for category {0}', note.category);
}

/** `near`: features to offer first, because they changed the file. Returns undefined if dismissed. */
export async function askScope(state: State, near: readonly FeatureRow[]): Promise<NoteScope | undefined> {
  const everything = { label: vscode.l10n.t('Everything'), scope: { featureId: null, category: null } };
  const features = [...state.features.values()];
  if (features.length === 0) return everything.scope;
  const first = new Set(near.map((row) => row.id));
  const others = features
    .filter((row) => !first.has(row.id))
    .reverse()
    .slice(0, MAX_FEATURES);
  const featureItem = (row: FeatureRow) => ({
    label: row.name,
    description: first.has(row.id) ? vscode.l10n.t('changed this file') : row.category,
    scope: { featureId: row.id, category: null },
  });
  const categories = [...new Set([...near, ...features].map((row) => row.category))];
  const separator = (label: string) => ({ label, kind: vscode.QuickPickItemKind.Separator, scope: undefined });
  const items: (vscode.QuickPickItem & { readonly scope: NoteScope | undefined })[] = [
    everything,
    separator(vscode.l10n.t('A category')),
    ...categories.map((category) => ({ label: category, scope: { featureId: null, category } })),
    separator(vscode.l10n.t('A feature')),
    ...near.map(featureItem),
    ...others.map(featureItem),
  ];
  const title = vscode.l10n.t('Whom is the note for?');
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true, ignoreFocusOut: true }))?.scope;
}
