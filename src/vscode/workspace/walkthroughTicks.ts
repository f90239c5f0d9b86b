/**
 * Sets the context keys that tick the walkthrough's steps. The editor does not see commands that the extension runs, and a step can be done by
 * notification, card or terminal. The editor remembers the ticks.
 */
import * as vscode from 'vscode';
import type { State } from '../../shared/workspace/state.ts';
import type { HostContext } from '../window/context.ts';

const STEPS: Readonly<Record<string, (state: State) => boolean>> = {
  hasTried: ({ jobs }) => jobs.values().some(({ options }) => options.provider === 'simulated'),
  hasApproved: ({ approvals }) => approvals.values().some(({ status }) => status === 'approved'),
  hasMerged: ({ approvals }) =>
    approvals.values().some(({ kind, status }) => kind === 'merge' && status === 'approved'),
};

export function tickWalkthrough({ engine }: HostContext): vscode.Disposable {
  const left = new Map(Object.entries(STEPS));
  const look = (): void => {
    for (const [key, done] of left) {
      if (!done(engine.state)) continue;
      left.delete(key);
      void vscode.commands.executeCommand('setContext', `autonomous.${key}`, true);
    }
  };
  look();
  return engine.onDidChange(look);
}
