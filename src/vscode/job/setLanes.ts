/** Changes how many features a job works on at the same time. A paused job stays paused. */
import * as vscode from 'vscode';
import { lanesOf } from '../../core/job/lanes.ts';
import { need } from '../../core/state/rows.ts';
import { MAX_LANES } from '../../shared/job/rows.ts';
import type { HostContext } from '../window/context.ts';

const isCount = (text: string): boolean => /^\s*\d+\s*$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_LANES;

export async function setLanes({ engine }: HostContext, jobId: string): Promise<void> {
  const job = need(engine.state, 'jobs', jobId);
  const typed = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    title: vscode.l10n.t('Lanes of "{0}"', job.title),
    prompt: vscode.l10n.t(
      'Features that are worked on at the same time. A lane above that number ends after its attempt.',
    ),
    value: String(lanesOf(job)),
    validateInput: (text) => (isCount(text) ? null : vscode.l10n.t('Type a number from 1 to {0}.', MAX_LANES)),
  });
  if (typed === undefined) return;
  await engine.request('setLanes', { jobId, lanes: Number(typed) });
}
