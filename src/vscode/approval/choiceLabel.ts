/** How the choices of a question read on buttons and in lists. */
import * as vscode from 'vscode';
import type { ApprovalRow } from '../../shared/approval.ts';
import { plainWords } from '../words/plainWords.ts';

export function choiceLabel(approval: ApprovalRow, choice: string): string {
  switch (`${approval.kind}:${choice}`) {
    case 'dirty_tree:head':
      return vscode.l10n.t('Start from the last commit');
    case 'dirty_tree:snapshot':
      return vscode.l10n.t('Start from a snapshot of the tree as it is');
    case 'merge:merge':
      return vscode.l10n.t('Merge');
    case 'conflict:retry':
      return vscode.l10n.t('Try the merge again');
    case 'merge:branch':
    case 'conflict:branch':
      return vscode.l10n.t('Leave it on a separate branch');
    case 'merge:patch':
    case 'conflict:patch':
      return vscode.l10n.t('Write a patch file');
    case 'limit:raise':
      return vscode.l10n.t('Raise Limit');
    case 'limit:double':
      return vscode.l10n.t('Double the limit');
    case 'definition:take_over':
      return vscode.l10n.t('Take It Over');
    case 'definition:put_back':
      return vscode.l10n.t('Put It Back');
    case 'project:try_again':
      return vscode.l10n.t('Try Again');
    case 'relay:nobody':
      return vscode.l10n.t('Nobody');
    default:
      return plainWords(choice);
  }
}
