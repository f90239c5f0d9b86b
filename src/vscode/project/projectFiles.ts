/** The files of a project in the editor: its definition to be edited, its memory and skills to be looked through. */
import * as vscode from 'vscode';
import { failure } from '../../shared/errors.ts';
import { DEFAULT_PROJECT, MAIN_PROJECT } from '../../shared/project/projects.ts';
import type { HostContext } from '../window/context.ts';
import { blockedBy } from '../window/folder.ts';
import { plainWords } from '../words/plainWords.ts';
import { pickProject } from './pickProject.ts';
import { shownName } from './projectTexts.ts';

/** Per folder. Memory and skills are lists for people to read. */
const MOST_FILES = 500;
const MOST_DEPTH = 4;

export async function browseMemory(context: HostContext, target: unknown): Promise<void> {
  const project = await ofWhich(context, target, vscode.l10n.t('Browse the memory of which project?'));
  if (project === null) return;
  const title = vscode.l10n.t('Memory of {0}', shownName(project));
  await browse([homeOf(context, project, 'memory')], title, vscode.l10n.t('Its memory is empty.'));
}

export async function browseSkills(context: HostContext, target: unknown): Promise<void> {
  const project = await ofWhich(context, target, vscode.l10n.t('Browse the skills of which project?'));
  if (project === null) return;
  const own = project === MAIN_PROJECT ? [] : [homeOf(context, project, 'skills')];
  const title = vscode.l10n.t('Skills of {0}', shownName(project));
  await browse([...own, homeOf(context, MAIN_PROJECT, 'skills')], title, vscode.l10n.t('It has no skills yet.'));
}

function stateFolder({ engine }: HostContext): vscode.Uri {
  const { projectDir } = engine;
  if (projectDir === null) throw blockedBy('no_folder');
  return vscode.Uri.joinPath(vscode.Uri.file(projectDir), '.autonomous');
}

/** Files that belong to no project are stored beside the projects' folders. */
function homeOf(context: HostContext, project: string, part: string): vscode.Uri {
  const folder = stateFolder(context);
  return project === MAIN_PROJECT
    ? vscode.Uri.joinPath(folder, part)
    : vscode.Uri.joinPath(folder, 'projects', project, part);
}

async function ofWhich(context: HostContext, target: unknown, title: string): Promise<string | null> {
  if (context.engine.current === null) await context.engine.look();
  const none = vscode.l10n.t('There is no project yet.');
  return pickProject(context, target, { title, none, fits: () => true });
}

/** Saving the document asks whether to apply the edit, which has no effect before. */
export async function openDefinition(context: HostContext, target: unknown): Promise<void> {
  const { engine } = context;
  await engine.open();
  const project = await pickProject(context, target, {
    title: vscode.l10n.t('Edit the definition of which project?'),
    none: vscode.l10n.t('There is no project yet.'),
    fits: ({ status }) => status === 'active' || status === 'suspended',
  });
  if (project === null) return;
  const file = homeOf(context, project, 'PROJECT.md');
  if (!(await isThere(file))) {
    if (project !== DEFAULT_PROJECT) {
      throw failure('NOT_FOUND', vscode.l10n.t('The PROJECT.md of {0} is missing.', project), {
        hint: vscode.l10n.t('Unpark the project to write the file again.'),
      });
    }
    const write = vscode.l10n.t('Write One');
    const text = vscode.l10n.t('The default project has no PROJECT.md. If you create one, its sessions read it.');
    if ((await vscode.window.showInformationMessage(plainWords(text), write)) !== write) return;
    await engine.request('defineProject', { project, body: '## Goal\n\n## Constraints\n' });
  }
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
}

async function isThere(file: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(file);
    return true;
  } catch (thrown) {
    if (thrown instanceof vscode.FileSystemError && thrown.code === 'FileNotFound') return false;
    throw thrown;
  }
}

interface Found {
  readonly path: string;
  readonly uri: vscode.Uri;
}

/** Files below a folder, by path. Skips links, which may lead anywhere. Returns an empty list if the folder does not exist. */
async function filesBelow(folder: vscode.Uri, below = '', depth = 1): Promise<Found[]> {
  if (!(await isThere(folder))) return [];
  const found: Found[] = [];
  const entries = [...(await vscode.workspace.fs.readDirectory(folder))].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, type] of entries) {
    const path = below === '' ? name : `${below}/${name}`;
    const uri = vscode.Uri.joinPath(folder, name);
    if (type === vscode.FileType.File) found.push({ path, uri });
    else if (type === vscode.FileType.Directory && depth < MOST_DEPTH)
      found.push(...(await filesBelow(uri, path, depth + 1)));
    if (found.length >= MOST_FILES) return found.slice(0, MOST_FILES);
  }
  return found;
}

async function browse(folders: readonly vscode.Uri[], title: string, none: string): Promise<void> {
  const all = (await Promise.all(folders.map((folder) => filesBelow(folder)))).flat();
  if (all.length === 0) {
    void vscode.window.showInformationMessage(plainWords(none));
    return;
  }
  const items = all.map(({ path, uri }) => ({ label: plainWords(path), uri }));
  const picked = await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true });
  if (picked === undefined) return;
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(picked.uri), { preview: true });
}
