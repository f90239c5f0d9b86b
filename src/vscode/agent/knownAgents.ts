/** The known agents and their state on this machine. Checked on the first request, then cached. */
import * as vscode from 'vscode';
import type { LookedAgents, Workspaces } from '../../engine/workspace/workspace.ts';
import { setting } from '../settings/read.ts';
import type { KnownAgents } from '../window/context.ts';
import type { WorkspaceEngine } from '../window/handle.ts';
import { plainWords } from '../words/plainWords.ts';

type Handle = Pick<WorkspaceEngine, 'permittedPlace'>;

/** Rejects with NOT_PERMITTED if this window may not run anything. */
export function knownAgents(handle: Handle, load: () => Promise<Workspaces>): KnownAgents {
  const changed = new vscode.EventEmitter<void>();
  let seen: LookedAgents | null = null;
  let looking: Promise<LookedAgents> | null = null;
  const look = async (): Promise<LookedAgents> => {
    const place = handle.permittedPlace();
    const confine = setting.confine();
    const title = vscode.l10n.t('Looking which agents are installed');
    const location = vscode.ProgressLocation.Notification;
    const found = await vscode.window.withProgress({ location, title }, async () =>
      (await load()).at(place).agent.look({ confine }),
    );
    seen = found;
    changed.fire();
    const [fault] = found.faults;
    if (fault !== undefined) void vscode.window.showWarningMessage(plainWords(fault));
    return found;
  };
  return {
    get seen() {
      return seen;
    },
    look: async (refresh = false) => {
      if (seen !== null && !refresh) return seen;
      looking ??= look().finally(() => {
        looking = null;
      });
      return looking;
    },
    onDidChange: changed.event,
  };
}

/** The agent's title if it was checked, else its name. */
export function titleOf(agents: KnownAgents, name: string): string {
  return agents.seen?.agents.find(({ probe }) => probe.name === name)?.probe.title ?? name;
}
