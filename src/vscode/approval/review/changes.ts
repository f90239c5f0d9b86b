/** The editor's own multi-diff of commits of a job. */
import * as vscode from 'vscode';
import { reviewOrder } from '../../../core/approval/stewardship.ts';
import type { JobFiles } from '../../window/permittedFiles.ts';
import { commitUriParts } from './commitUri.ts';

/** The range between two commits. */
interface Side {
  readonly from: string;
  readonly to: string;
  /** Folder above its shown paths if there are several sides. */
  readonly under?: string;
}

export interface Changes {
  readonly jobId: string;
  readonly sides: readonly Side[];
  /** The question under review, which takes remarks; null for a read-only view. */
  readonly approvalId: number | null;
  /** Shown first. */
  readonly executables?: readonly string[];
}

type Resource = readonly [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined];
type Texts = Pick<JobFiles, 'changedPaths' | 'textAt'>;

/** Shows a message if there are no differences. */
export async function openChanges(files: Texts, title: string, changes: Changes): Promise<void> {
  const resources = (await Promise.all(changes.sides.map((side) => resourcesOf(files, changes, side)))).flat();
  if (resources.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('This commit changes nothing.'));
    return;
  }
  await vscode.commands.executeCommand('vscode.changes', title, resources);
  // A preview tab, with its scroll position, would be replaced when another file is opened.
  await vscode.commands.executeCommand('workbench.action.keepEditor');
}

async function resourcesOf(files: Texts, changes: Changes, { from, to, under }: Side): Promise<Resource[]> {
  const { jobId, approvalId, executables = [] } = changes;
  const paths = reviewOrder(await files.changedPaths(jobId, from, to), executables);
  const named = under === undefined ? {} : { under };
  const text = (commit: string, path: string): vscode.Uri =>
    vscode.Uri.from(commitUriParts({ jobId, commit, path, approvalId, ...named }));
  return Promise.all(
    paths.map(async (path): Promise<Resource> => {
      const [before, after] = await Promise.all([files.textAt(jobId, from, path), files.textAt(jobId, to, path)]);
      // Neither is a text that can be shown: both sides say so.
      const none = before === null && after === null;
      return [
        text(to, path),
        none || before !== null ? text(from, path) : undefined,
        none || after !== null ? text(to, path) : undefined,
      ];
    }),
  );
}
