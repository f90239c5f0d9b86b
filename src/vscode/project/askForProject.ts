/** Asks for the data of a new project before its text is written: name, template, folder, model. */
import * as vscode from 'vscode';
import type { RequestInput } from '../../engine/state/api.ts';
import type { HostContext } from '../window/context.ts';
import type { World } from '../window/world.ts';

/** `body`: its initial text. */
export type Begun = Pick<RequestInput<'createProject'>, 'template' | 'workdir' | 'model' | 'body'> & {
  readonly name: string;
};

/** Returns null if dismissed. */
export async function askForProject(context: HostContext, world: World): Promise<Begun | null> {
  const name = await askName(context, world);
  if (name === undefined) return null;
  const begun = await askTemplate(world);
  if (begun === undefined) return null;
  const workdir = await askWorkdir();
  if (workdir === undefined) return null;
  const model = await askModel();
  if (model === undefined) return null;
  return { name, ...begun, workdir, ...(model === '' ? {} : { model }) };
}

async function askName({ engine }: HostContext, { load }: World): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('New Project (1/4): name'),
    prompt: vscode.l10n.t('Also the name of its folder: a-z, 0-9 and hyphens.'),
    placeHolder: 'api-migration',
    ignoreFocusOut: true,
    validateInput: async (typed) => {
      if (engine.state.projects.has(typed)) return vscode.l10n.t('There is a project {0} already.', typed);
      return (await load()).nameFault(typed);
    },
  });
}

async function askTemplate({ load, handle }: World): Promise<Pick<Begun, 'template' | 'body'> | undefined> {
  const workspaces = await load();
  const names = await workspaces.at(handle.place()).project.templates();
  const own = { label: `$(edit) ${vscode.l10n.t('Write it yourself')}`, template: null };
  const items = [own, ...names.map((template) => ({ label: `$(file) ${template}`, template }))];
  const title = vscode.l10n.t('New Project (2/4): initial text');
  const picked = await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true });
  if (picked === undefined) return undefined;
  const { template } = picked;
  if (template === null) return { template };
  return { template, body: await workspaces.at(handle.place()).project.templateBody(template) };
}

/** Returns null for this workspace. Another repository needs a second confirmation after the project is created. */
async function askWorkdir(): Promise<string | null | undefined> {
  const here = { label: `$(repo) ${vscode.l10n.t('This repository')}`, elsewhere: false };
  const there = {
    label: `$(folder-opened) ${vscode.l10n.t('Another repository…')}`,
    detail: vscode.l10n.t('The project does not run until you trust that folder.'),
    elsewhere: true,
  };
  const title = vscode.l10n.t('New Project (3/4): folder to work in');
  const picked = await vscode.window.showQuickPick([here, there], { title, ignoreFocusOut: true });
  if (picked === undefined || !picked.elsewhere) return picked === undefined ? undefined : null;
  const [folder] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      canSelectMany: false,
      title: vscode.l10n.t('Repository of the project'),
      openLabel: vscode.l10n.t('Choose'),
    })) ?? [];
  return folder?.fsPath;
}

/** Empty for the models of the settings and roles. */
async function askModel(): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('New Project (4/4): model'),
    prompt: vscode.l10n.t('Model of its conversation and its jobs. If empty, each role uses its own setting.'),
    placeHolder: 'claude-sonnet-5-5',
    ignoreFocusOut: true,
  });
  return typed?.trim();
}
