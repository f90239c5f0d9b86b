/** A wait in words, for the tree and the status bar. */
import * as vscode from 'vscode';
import type { Waiting } from '../../shared/waiting.ts';
import { plainWords } from '../words/plainWords.ts';

/** Whether the wait has another cause than the user, who is asked elsewhere. */
export const isOnHold = (waiting: Waiting | null): waiting is Waiting =>
  waiting !== null && waiting.code !== 'question' && waiting.code !== 'paused';

/** The reason, and the time of the retry. `now` is epoch milliseconds. */
export function waitWords({ reason, until }: Waiting, now: number): string {
  const why = plainWords(reason);
  if (until === null || Date.parse(until) <= now) return why;
  const time = new Date(until).toLocaleString(vscode.env.language, { dateStyle: 'short', timeStyle: 'short' });
  return why === '' ? vscode.l10n.t('Retries {0}', time) : vscode.l10n.t('{0}, retries {1}', why, time);
}
