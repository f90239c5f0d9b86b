/** Links from outside: `vscode://autonomous.autonomous/feature/3`, `…/job/<id>` and `…/task/<id>` only show something. */
import * as vscode from 'vscode';
import type { HostContext } from './window/context.ts';
import type { Pages } from './window/pages.ts';

export function registerLinks({ engine, log }: HostContext, views: Pages): vscode.Disposable {
  return vscode.window.registerUriHandler({
    handleUri: async ({ path }) => {
      const [, kind, id = ''] = path.split('/');
      if (engine.current === null) await engine.look();
      const { features, jobs, tasks } = engine.state;
      const known =
        kind === 'feature'
          ? features.has(Number(id))
          : kind === 'job'
            ? jobs.has(id)
            : kind === 'task' && tasks.has(id);
      if (!known) {
        log.warn('a link names something that is not in this workspace');
        void vscode.window.showWarningMessage(
          vscode.l10n.t('This link names a job, a feature or a task that is not in this workspace.'),
        );
        return;
      }
      if (kind === 'feature') views.focus(Number(id));
      else if (kind === 'task') views.task(id);
      else views.job(id);
    },
  });
}
