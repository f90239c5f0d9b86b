/** Finds the target of a command: the one that the caller named, the only candidate, or the user's pick. */
import * as vscode from 'vscode';
import type { FeatureRow, JobRow } from '../../shared/job/rows.ts';
import type { State } from '../../shared/workspace/state.ts';
import { plainWords } from '../words/plainWords.ts';

function field(target: unknown, name: string): unknown {
  return typeof target === 'object' && target !== null ? (target as Readonly<Record<string, unknown>>)[name] : target;
}

async function choose<Row>(
  rows: readonly Row[],
  item: (row: Row) => vscode.QuickPickItem,
  words: { readonly title: string; readonly none: string },
): Promise<Row | null> {
  const [only] = rows;
  if (only === undefined) {
    void vscode.window.showInformationMessage(plainWords(words.none));
    return null;
  }
  if (rows.length === 1) return only;
  const items = rows.map((row) => ({ ...item(row), row }));
  return (await vscode.window.showQuickPick(items, { title: words.title, ignoreFocusOut: true }))?.row ?? null;
}

/** `target`: a job's id, anything with a `jobId`, or nothing. */
export async function pickJob(
  state: State,
  target: unknown,
  title: string,
  fits: (job: JobRow) => boolean,
): Promise<JobRow | null> {
  const named = state.jobs.get(String(field(target, 'jobId')));
  if (named !== undefined) return named;
  const rows = [...state.jobs.values()].filter(fits).reverse();
  return choose(rows, (job) => ({ label: job.title, description: job.status, detail: job.id }), {
    title,
    none: vscode.l10n.t('This job no longer exists.'),
  });
}

/** `target`: a feature's id, anything with a `featureId`, or nothing. */
export async function pickFeature(state: State, target: unknown, title: string): Promise<FeatureRow | null> {
  const named = state.features.get(Number(field(target, 'featureId')));
  if (named !== undefined) return named;
  const rows = [...state.features.values()].filter(({ status }) => status === 'failed' || status === 'completed');
  return choose(rows.reverse(), (row) => ({ label: row.name, description: row.status }), {
    title,
    none: vscode.l10n.t('No feature is failed or completed.'),
  });
}
