/** Commands that change a project's status or send messages to it. */
import * as vscode from 'vscode';
import { isFinal, JOB } from '../../core/state/machines.ts';
import { failure } from '../../shared/errors.ts';
import { DEFAULT_PROJECT, MAIN_PROJECT } from '../../shared/project/projects.ts';
import { given, namedProject } from '../window/command.ts';
import type { HostContext } from '../window/context.ts';
import { briefProjects, currentProject, switchProject } from '../window/currentProject.ts';
import type { Handlers } from '../window/handlers.ts';
import type { World } from '../window/world.ts';
import { plainWords } from '../words/plainWords.ts';
import { type ProjectItem, pickProject, projectItem, shownProjects } from './pickProject.ts';
import { shownName } from './projectTexts.ts';

/** Calls `switched` after another project becomes the target of new briefs. */
export function talkHandlers(context: HostContext, { views }: Pick<World, 'views'>, switched: () => void) {
  const { engine } = context;
  return {
    'autonomous.showProjects': async () => showProjects(context),
    'autonomous.switchProject': async (target) => {
      if (await switchTo(context, target)) switched();
    },
    'autonomous.openConversation': async (target) => {
      const project = namedProject(target) ?? (await pickPartner(context, vscode.l10n.t('Open which conversation?')));
      if (project !== null) views.talk(project);
    },
    'autonomous.messageProject': async (target) => {
      await engine.open();
      const project = namedProject(target) ?? (await pickPartner(context, vscode.l10n.t('Write to whom?')));
      if (project === null) return;
      const text = given(target, 'text') ?? (await typedMessage(project));
      if (typeof text !== 'string' || text.trim() === '') return;
      await engine.request('sendMessage', { project, text });
    },
  } satisfies Handlers;
}

export function lifeHandlers(context: HostContext) {
  const { engine } = context;
  return {
    'autonomous.suspendProject': async (target) => {
      const project = await chosen(context, target, vscode.l10n.t('Suspend which project?'), 'active');
      if (project !== null) await engine.request('suspendProject', { project });
    },
    'autonomous.resumeProject': async (target) => {
      const project = await chosen(context, target, vscode.l10n.t('Resume which project?'), 'suspended');
      if (project !== null) await engine.request('resumeProject', { project });
    },
    'autonomous.unparkProject': async (target) => {
      await engine.open();
      const project = await pickProject(context, target, {
        title: vscode.l10n.t('Which project should be retried?'),
        none: vscode.l10n.t('No project is parked.'),
        fits: ({ parked }) => parked,
      });
      if (project !== null) await engine.request('unparkProject', { project });
    },
    'autonomous.completeProject': async (target) => {
      const project = await chosen(context, target, vscode.l10n.t('Complete which project?'), 'active', true);
      if (project === null) return;
      refuseOpenJob(context, project);
      const reason = given(target, 'reason') ?? (await askedForResult(project));
      if (typeof reason === 'string') await engine.request('completeProject', { project, reason });
    },
    'autonomous.archiveProject': async (target) => {
      const project = await chosen(context, target, vscode.l10n.t('Archive which project?'), 'completed');
      if (project !== null) await engine.request('archiveProject', { project });
    },
  } satisfies Handlers;
}

/** Asks for one of the projects with a suitable status. The default project can be suspended, but not completed. */
async function chosen(
  context: HostContext,
  target: unknown,
  title: string,
  status: 'active' | 'suspended' | 'completed',
  ordinary = false,
): Promise<string | null> {
  await context.engine.open();
  return pickProject(context, target, {
    title,
    none: vscode.l10n.t('No project is in a state for this.'),
    fits: (view) => view.status === status && (!ordinary || view.name !== DEFAULT_PROJECT),
  });
}

/** Checked before anything is asked. Throws NOT_PERMITTED if the project has an open job. */
function refuseOpenJob({ engine }: HostContext, project: string): void {
  const open = [...engine.state.jobs.values()].find((row) => row.project_id === project && !isFinal(JOB, row.status));
  if (open === undefined) return;
  throw failure('NOT_PERMITTED', vscode.l10n.t('Project {0} has an open job: {1}', project, open.title), {
    hint: vscode.l10n.t('Wait for it, or cancel it.'),
  });
}

/** Completing is final, so that the editor asks, together with the result. Returns undefined if dismissed. */
async function askedForResult(project: string): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Complete {0}: its goal is reached', project),
    prompt: vscode.l10n.t('Result of the project (optional). A completed project accepts no more work.'),
    ignoreFocusOut: true,
  });
}

async function typedMessage(project: string): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Message to {0}', shownName(project)),
    prompt: vscode.l10n.t('The project reads the message in its conversation, and answers there.'),
    ignoreFocusOut: true,
  });
}

/** Every project that accepts messages. The main agent comes first; the first message creates it. */
async function pickPartner(context: HostContext, title: string): Promise<string | null> {
  const main: ProjectItem = {
    name: MAIN_PROJECT,
    label: `$(hubot) ${shownName(MAIN_PROJECT)}`,
    description: vscode.l10n.t('talks to all projects for you'),
  };
  const views = shownProjects(context).filter(({ status }) => status !== 'archived');
  const items = [main, ...views.map(projectItem)];
  return (await vscode.window.showQuickPick(items, { title, matchOnDetail: true, ignoreFocusOut: true }))?.name ?? null;
}

interface Act extends vscode.QuickPickItem {
  readonly run: () => Thenable<unknown>;
}

async function showProjects(context: HostContext): Promise<void> {
  const acts: Act[] = shownProjects(context).map((view) => ({
    ...projectItem(view),
    run: () => vscode.commands.executeCommand('autonomous.openConversation', { project: view.name }),
  }));
  const make: Act = {
    label: `$(new-folder) ${vscode.l10n.t('New Project…')}`,
    run: () => vscode.commands.executeCommand('autonomous.newProject'),
  };
  const title = vscode.l10n.t('Projects of this workspace');
  const picked = await vscode.window.showQuickPick([...acts, make], {
    title,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  await picked?.run();
}

/** Returns false if the current project did not change. */
async function switchTo({ engine, extension }: HostContext, target: unknown): Promise<boolean> {
  const { workspaceState: memory } = extension;
  const names = briefProjects(engine.state);
  const current = currentProject(memory, engine.state);
  const named = namedProject(target);
  const picked =
    named ??
    (
      await vscode.window.showQuickPick(
        names.map((name) => ({
          name,
          label: plainWords(name),
          ...(name === current ? { description: vscode.l10n.t('current') } : {}),
        })),
        { title: vscode.l10n.t('In which project are new briefs filed?'), ignoreFocusOut: true },
      )
    )?.name;
  if (picked === undefined) return false;
  if (!names.includes(picked)) {
    void vscode.window.showWarningMessage(plainWords(vscode.l10n.t('Project {0} takes no briefs.', picked)));
    return false;
  }
  await switchProject(memory, picked);
  return true;
}
