/** Which project a command is about: what the caller named, the only candidate, or the one that the person picks. */
import * as vscode from 'vscode';
import { asItRuns, projectViews } from '../../core/project/projectView.ts';
import { failure } from '../../shared/errors.ts';
import type { ProjectView } from '../../shared/project/projectView.ts';
import { namedProject } from '../window/command.ts';
import type { HostContext } from '../window/context.ts';
import { plainWords } from '../words/plainWords.ts';
import { projectIcon, shownName, standing } from './projectTexts.ts';

/** All but the main agent's own. */
export function shownProjects({ engine, today }: HostContext): readonly ProjectView[] {
  return projectViews(engine.state, today()).map((view) => asItRuns(engine.state, view, engine.atWork));
}

export type ProjectItem = vscode.QuickPickItem & { readonly name: string };

export function projectItem(view: ProjectView): ProjectItem {
  return {
    name: view.name,
    label: `$(${projectIcon(view)}) ${shownName(view.name)}`,
    description: plainWords(standing(view)),
    detail: plainWords(view.parked || view.goal === '' ? (view.reason ?? view.goal) : view.goal),
  };
}

interface Asking {
  readonly title: string;
  readonly none: string;
  fits(view: ProjectView): boolean;
}

/** Returns null if the choice was dismissed, or if no project fits, which is shown. Throws NOT_FOUND if the named project does not exist. */
export async function pickProject(
  context: HostContext,
  target: unknown,
  { title, none, fits }: Asking,
): Promise<string | null> {
  const named = namedProject(target);
  if (named !== undefined) {
    if (context.engine.state.projects.has(named)) return named;
    throw failure('NOT_FOUND', vscode.l10n.t('There is no project {0} in this folder.', named));
  }
  const views = shownProjects(context).filter(fits);
  const [only] = views;
  if (only === undefined) {
    void vscode.window.showInformationMessage(plainWords(none));
    return null;
  }
  if (views.length === 1) return only.name;
  const options = { title, matchOnDescription: true, matchOnDetail: true, ignoreFocusOut: true };
  return (await vscode.window.showQuickPick(views.map(projectItem), options))?.name ?? null;
}
