/** Commands that act on a job or a feature. */
import * as vscode from 'vscode';
import { isActive, isHeld, isOpen, standsStill } from '../../core/job/view/jobStatus.ts';
import type { JobRow } from '../../shared/job/rows.ts';
import type { HostContext } from '../window/context.ts';
import { registerCommands } from '../window/report.ts';
import { plainWords } from '../words/plainWords.ts';
import { pickFeature, pickJob } from './pick.ts';

export function registerJobCommands({ engine, log }: HostContext): vscode.Disposable {
  const resumable = (job: JobRow): boolean => isHeld(job) || standsStill(job, engine.atWork);
  return registerCommands(log, {
    'autonomous.pauseJob': async (target) => {
      const job = await pickJob(engine.state, target, vscode.l10n.t('Pause which job?'), isActive);
      if (job !== null) await engine.request('pauseJob', { jobId: job.id });
    },
    'autonomous.resumeJob': async (target) => {
      const job = await pickJob(engine.state, target, vscode.l10n.t('Resume which job?'), resumable);
      if (job !== null) await engine.request('resumeJob', { jobId: job.id });
    },
    'autonomous.cancelJob': async (target) => {
      const job = await pickJob(engine.state, target, vscode.l10n.t('Cancel which job?'), isOpen);
      if (job === null) return;
      const cancel = { title: vscode.l10n.t('Cancel Job') };
      // A custom cancel button: the dialog's own Cancel would appear beside Cancel Job.
      const keep = { title: vscode.l10n.t('Keep It'), isCloseAffordance: true };
      const answer = await vscode.window.showWarningMessage(
        plainWords(vscode.l10n.t('Cancel "{0}"?', job.title)),
        {
          modal: true,
          detail: vscode.l10n.t('You cannot resume a cancelled job. Its finished work stays on its branch.'),
        },
        cancel,
        keep,
      );
      if (answer === cancel) await engine.request('cancelJob', { jobId: job.id });
    },
    'autonomous.retryFeature': async (target) => {
      const feature = await pickFeature(engine.state, target, vscode.l10n.t('Retry which feature?'));
      if (feature === null) return;
      // A failed feature has used up its retries: retrying it is recorded as the steward's decision.
      if (feature.status === 'failed') {
        await engine.request('setFeature', { featureId: feature.id, status: 'pending', reason: null });
      } else await engine.request('retryFeature', { featureId: feature.id });
    },
    'autonomous.addSetupCommand': async (target) => {
      const job = await pickJob(engine.state, target, vscode.l10n.t('Add a setup command to which job?'), isOpen);
      if (job !== null) await (await import('./addSetup.ts')).addSetup(engine, job);
    },
    'autonomous.setDailyLimit': async () => (await import('./setDailyLimit.ts')).setDailyLimit(engine),
  });
}
