/** Registers the commands about projects, and the lens above the text of a new one. Handlers are loaded with the first command. */
import * as vscode from 'vscode';
import type { HostContext } from '../window/context.ts';
import type { Handlers } from '../window/handlers.ts';
import { registerCommands } from '../window/report.ts';
import type { World } from '../window/world.ts';
import type { CommandId } from '../words/commandList.ts';
import { PROJECT_TEXT, projectNamed } from './projectText.ts';

const COMMANDS = [
  'autonomous.newProject',
  'autonomous.createProject',
  'autonomous.showProjects',
  'autonomous.switchProject',
  'autonomous.openConversation',
  'autonomous.messageProject',
  'autonomous.suspendProject',
  'autonomous.resumeProject',
  'autonomous.unparkProject',
  'autonomous.completeProject',
  'autonomous.archiveProject',
  'autonomous.openProjectDefinition',
  'autonomous.openProjectMemory',
  'autonomous.openProjectSkills',
] as const satisfies readonly CommandId[];

type All = Required<Pick<Handlers, (typeof COMMANDS)[number]>>;

/** Calls `switched` after another project becomes the target of new briefs. */
export function registerProjects(context: HostContext, world: World, switched: () => void): vscode.Disposable {
  let loaded: Promise<All> | null = null;
  const handlers = COMMANDS.map((id) => [
    id,
    async (target: unknown): Promise<void> => {
      loaded ??= load(context, world, switched);
      await (await loaded)[id](target);
    },
  ]);
  return vscode.Disposable.from(
    registerCommands(context.log, Object.fromEntries(handlers)),
    vscode.languages.registerCodeLensProvider(
      { scheme: 'untitled', pattern: `**/*${PROJECT_TEXT}` },
      { provideCodeLenses: ({ uri }) => lensFor(uri) },
    ),
  );
}

async function load(context: HostContext, world: World, switched: () => void): Promise<All> {
  const [{ talkHandlers, lifeHandlers }, { newProjectHandlers }, files] = await Promise.all([
    import('./projectCommands.ts'),
    import('./newProject.ts'),
    import('./projectFiles.ts'),
  ]);
  return {
    ...talkHandlers(context, world, switched),
    ...lifeHandlers(context),
    ...newProjectHandlers(context, world),
    'autonomous.openProjectDefinition': (target) => files.openDefinition(context, target),
    'autonomous.openProjectMemory': (target) => files.browseMemory(context, target),
    'autonomous.openProjectSkills': (target) => files.browseSkills(context, target),
  };
}

function lensFor(uri: vscode.Uri): vscode.CodeLens[] {
  return [
    new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
      title: vscode.l10n.t('$(check) Create project {0}', projectNamed(uri)),
      tooltip: vscode.l10n.t('Its conversation and its jobs follow this text'),
      command: 'autonomous.createProject',
      arguments: [uri],
    }),
  ];
}
