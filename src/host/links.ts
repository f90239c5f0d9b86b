/** Links from outside: `vscode://autonomous.autonomous/feature/3` and `…/job/<id>` only show something. */
import * as vscode from 'vscode';
import type { BoardViews } from './board/views.ts';
import type { HostContext } from './context.ts';

export function registerLinks({ engine, log }: HostContext, views: BoardViews): vscode.Disposable {
  return vscode.window.registerUriHandler({
    handleUri: async ({ path }) => {
      const [, kind, id = ''] = path.split('/');
      if (engine.current === null) await engine.look();
      const known =
        kind === 'feature' ? engine.state.features.has(Number(id)) : kind === 'job' && engine.state.jobs.has(id);
      if (!known) {
        log.warn('a link names something that is not in this workspace');
        void vscode.window.showWarningMessage(
          vscode.l10n.t('This link names a job or feature that is not in this workspace.'),
        );
        return;
      }
      if (kind === 'feature') views.focus(Number(id));
      else views.openTab();
    },
  });
}
