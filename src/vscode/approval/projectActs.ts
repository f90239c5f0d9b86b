/** Actions offered with a question about a project. If there are few answers, each is a button. */
import * as vscode from 'vscode';
import type { ApprovalRow } from '../../shared/approval.ts';
import type { HostContext } from '../window/context.ts';
import { approve, reject } from './answers.ts';
import { choiceLabel } from './choiceLabel.ts';
import { showDefinitionDiff } from './definitionDiff.ts';

export interface Act {
  readonly label: string;
  run(): Promise<void>;
}

const MOST_BUTTONS = 3;

/** Returns null for a question of another kind. */
export function projectActs(context: HostContext, row: ApprovalRow): Act[] | null {
  switch (row.kind) {
    case 'workdir':
      return [
        // The dialog lists what the project will be able to read.
        { label: vscode.l10n.t('Trust…'), run: () => approve(context, row) },
        { label: vscode.l10n.t('Refuse'), run: () => reject(context, row) },
      ];
    case 'definition':
      return [
        { label: vscode.l10n.t('Show Changes'), run: () => showDefinitionDiff(context, row) },
        ...choiceActs(context, row),
      ];
    case 'relay':
      return row.choices.length <= MOST_BUTTONS
        ? choiceActs(context, row)
        : [{ label: vscode.l10n.t('Choose…'), run: () => approve(context, row) }];
    case 'project':
      return [
        ...choiceActs(context, row),
        {
          label: vscode.l10n.t('Open Conversation'),
          run: async () => {
            await vscode.commands.executeCommand('autonomous.openConversation', { project: row.project_id });
          },
        },
        { label: vscode.l10n.t('Leave It'), run: () => reject(context, row) },
      ];
    default:
      return null;
  }
}

function choiceActs(context: HostContext, row: ApprovalRow): Act[] {
  return row.choices.map((choice) => ({
    label: choiceLabel(row, choice),
    run: () => approve(context, row, { choice }),
  }));
}
