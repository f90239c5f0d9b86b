/**
 * Creates a project: asks a few questions, then opens its text in a separate document. The lens on the first line creates it. `autonomous.newProject`
 * takes `{name, …}` like the request, and does not ask for the given fields.
 */
import * as vscode from 'vscode';
import type { RequestInput } from '../../engine/state/api.ts';
import { failure } from '../../shared/errors.ts';
import { given } from '../window/command.ts';
import type { HostContext } from '../window/context.ts';
import type { Handlers } from '../window/handlers.ts';
import { oneByKey } from '../window/oneByKey.ts';
import type { World } from '../window/world.ts';
import { plainWords } from '../words/plainWords.ts';
import { askForProject, type Begun } from './askForProject.ts';
import { isProjectText, PROJECT_TEXT, projectNamed } from './projectText.ts';

const KEPT = 'autonomous.newProjects';
const FIRST_TEXT = ['## Goal', '', '', '', '## Background', '', '', '', '## Constraints', '', ''].join('\n');

type Kept = Readonly<Record<string, Begun>>;

export function newProjectHandlers(context: HostContext, world: World) {
  const memory = context.extension.workspaceState;
  const creating = oneByKey();
  const kept = (): Kept => memory.get<Kept>(KEPT, {});
  const keep = async (name: string, begun: Begun | null): Promise<void> => {
    const { [name]: _, ...rest } = kept();
    await memory.update(KEPT, begun === null ? rest : { ...rest, [name]: begun });
  };
  return {
    'autonomous.newProject': async (target) => {
      if (typeof given(target, 'name') === 'string') return create(context, target as RequestInput<'createProject'>);
      await context.engine.open();
      const begun = await askForProject(context, world);
      if (begun === null) return;
      await keep(begun.name, begun);
      await openText(begun.name, begun.body ?? FIRST_TEXT);
    },
    'autonomous.createProject': async (target) => {
      const document = documentAt(target);
      if (document === null) return;
      const name = projectNamed(document.uri);
      await creating.run(name, async () => {
        const body = document.getText();
        if (body.replaceAll(/^#.*$/gm, '').trim() === '') {
          throw failure('INVALID_INPUT', vscode.l10n.t('The project has no goal.'), {
            hint: vscode.l10n.t('Say what it is for and when it is done.'),
          });
        }
        await create(context, { ...kept()[name], name, body });
        await keep(name, null);
        await vscode.window.showTextDocument(document);
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
        await vscode.commands.executeCommand('autonomous.openConversation', { project: name });
      });
    },
  } satisfies Handlers;
}

async function create({ engine }: HostContext, input: RequestInput<'createProject'>): Promise<void> {
  const { project } = await engine.request('createProject', input);
  const text = vscode.l10n.t('Project {0} was created. Send it a message or a brief to start.', project);
  void vscode.window.showInformationMessage(plainWords(text));
}

async function openText(name: string, text: string): Promise<void> {
  // With a slash in front: without it the editor finds no backup of it after a reload.
  const uri = vscode.Uri.from({ scheme: 'untitled', path: `/${name}${PROJECT_TEXT}` });
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  if (document.getText() === '') await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text));
  const first = document
    .getText()
    .split('\n')
    .findIndex((line, at) => at > 0 && line.trim() === '');
  const at = new vscode.Position(Math.max(first, 0) + (first > 0 ? 1 : 0), 0);
  editor.selection = new vscode.Selection(at, at);
}

/** Returns the given document, or the one in the active editor. */
function documentAt(target: unknown): vscode.TextDocument | null {
  const uri = target instanceof vscode.Uri ? target : vscode.window.activeTextEditor?.document.uri;
  const found = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri?.toString());
  if (found !== undefined && isProjectText(found.uri)) return found;
  void vscode.window.showInformationMessage(
    vscode.l10n.t('No new project is open in the active editor. Run New Project to create one.'),
  );
  return null;
}
