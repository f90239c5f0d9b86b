/** A new project from its questions to its text to what is requested, on a stand-in for the editor. */
import { beforeEach, expect, it, vi } from 'vitest';
import type { HostContext } from '../../../../src/vscode/window/context.ts';
import type { World } from '../../../../src/vscode/window/world.ts';
import { fakeWorkspaces } from '../../../support/editor/fakeWorkspace.ts';
import { projectRow, stateOf } from '../../../support/state/builders.ts';

type Handler = (...args: unknown[]) => Promise<void>;

const { DocumentUri: Uri } = await vi.hoisted(() => import('../../../support/editor/documentUri.ts'));

const editor = vi.hoisted(() => ({
  handlers: new Map<string, Handler>(),
  documents: [] as { readonly uri: InstanceType<typeof Uri>; text: string; getText(): string }[],
  picks: [] as (string | undefined)[],
  types: [] as (string | undefined)[],
  /** What each typed name was said to be wrong with. */
  faults: [] as unknown[],
  folder: undefined as string | undefined,
  told: [] as string[],
  ran: [] as unknown[],
}));

vi.mock('vscode', () => ({
  Uri,
  Range: class {},
  Position: class {},
  Selection: class {},
  CodeLens: class {},
  Disposable: { from: () => ({}) },
  l10n: { t: (text: string, ...values: unknown[]) => text.replaceAll(/\{(\d)\}/g, (_, at) => String(values[at])) },
  languages: { registerCodeLensProvider: () => ({}) },
  commands: {
    registerCommand: (id: string, handler: Handler) => editor.handlers.set(id, handler),
    executeCommand: async (...command: unknown[]) => void editor.ran.push(command),
  },
  workspace: {
    get textDocuments() {
      return editor.documents;
    },
    openTextDocument: async (uri: InstanceType<typeof Uri>) => {
      const document = { uri, text: '', getText: () => document.text };
      editor.documents.push(document);
      return document;
    },
  },
  window: {
    showTextDocument: async (document: { text: string }) => ({
      edit: async (write: (edit: object) => void) =>
        write({
          insert: (_: unknown, text: string) => {
            document.text = text;
          },
        }),
    }),
    showQuickPick: async (items: readonly { readonly label: string }[]) => {
      const label = editor.picks.shift();
      return label === undefined ? undefined : items.find((item) => item.label.endsWith(label));
    },
    showInputBox: async ({ validateInput }: { validateInput?: (text: string) => Promise<unknown> }) => {
      const typed = editor.types.shift();
      if (typed !== undefined && validateInput !== undefined) editor.faults.push(await validateInput(typed));
      return typed;
    },
    showOpenDialog: async () => (editor.folder === undefined ? undefined : [{ fsPath: editor.folder }]),
    showInformationMessage: async (text: string) => void editor.told.push(text),
    showErrorMessage: async (text: string) => void editor.told.push(text),
  },
}));

const { registerProjects } = await import('../../../../src/vscode/project/register.ts');

function open() {
  const requests: unknown[] = [];
  const kept = new Map<string, unknown>();
  const workspaceState = {
    get: (name: string, otherwise: unknown) => kept.get(name) ?? otherwise,
    update: async (name: string, value: unknown) => void kept.set(name, value),
  };
  const engine = {
    state: stateOf({ projects: [projectRow({ id: 'docs' })] }),
    open: async () => null,
    request: async (_: string, input: { readonly name: string }) => {
      requests.push(input);
      return { project: input.name };
    },
  };
  const workspaces = fakeWorkspaces(
    { project: { templates: async () => ['migration'], templateBody: async () => '## Goal\n\nMove {what}.\n' } },
    { nameFault: async (name) => (/^[a-z-]+$/.test(name) ? null : `not ${name}`) },
  );
  registerProjects(
    { engine, extension: { workspaceState }, log: { error: () => undefined } } as unknown as HostContext,
    { load: async () => workspaces, handle: { place: () => ({}) } } as unknown as World,
    () => undefined,
  );
  return requests;
}

const run = async (command: string, ...args: unknown[]): Promise<void> =>
  editor.handlers.get(`autonomous.${command}`)?.(...args);

beforeEach(() => {
  Object.assign(editor, { documents: [], picks: [], types: [], faults: [], folder: undefined, told: [], ran: [] });
});

it('asks for name, text, place and model, and makes it of what was written then', async () => {
  const requests = open();
  editor.types = ['api', ' claude-haiku-5-5 '];
  editor.picks = ['migration', 'Another repository…'];
  editor.folder = '/work/other';
  await run('newProject');
  const [document] = editor.documents;
  expect(document?.uri.path).toBe('/api.project.md');
  expect(document?.text).toBe('## Goal\n\nMove {what}.\n');
  expect(requests).toEqual([]);
  if (document !== undefined) document.text = '## Goal\n\nMove the API.\n';
  await run('createProject', document?.uri);
  expect(requests).toEqual([
    {
      name: 'api',
      template: 'migration',
      body: '## Goal\n\nMove the API.\n',
      workdir: '/work/other',
      model: 'claude-haiku-5-5',
    },
  ]);
  expect(editor.ran).toContainEqual(['autonomous.openConversation', { project: 'api' }]);
});

it('says of each name as it is typed why it cannot be taken', async () => {
  open();
  editor.types = ['docs'];
  await run('newProject');
  editor.types = ['Docs!'];
  await run('newProject');
  expect(editor.faults).toEqual(['There is a project docs already.', 'not Docs!']);
});

it('makes nothing of what was dismissed half way', async () => {
  const requests = open();
  for (const [types, picks] of [
    [[], []],
    [['api'], []],
    [['api'], ['Write it yourself']],
    [['api'], ['Write it yourself', 'Another repository…']],
    [['api'], ['Write it yourself', 'This repository']],
  ] as const) {
    Object.assign(editor, { types: [...types], picks: [...picks] });
    await run('newProject');
  }
  expect([requests, editor.documents]).toEqual([[], []]);
});

it('makes none without a goal, and keeps the text', async () => {
  const requests = open();
  editor.types = ['api', ''];
  editor.picks = ['Write it yourself', 'This repository'];
  await run('newProject');
  const [document] = editor.documents;
  await run('createProject', document?.uri);
  expect(editor.told.join()).toContain('The project has no goal.');
  expect([requests, editor.ran]).toEqual([[], []]);
});

it('takes what it is given with a name, and asks nothing', async () => {
  const requests = open();
  await run('newProject', { name: 'api', goal: 'Move it.' });
  expect(requests).toEqual([{ name: 'api', goal: 'Move it.' }]);
  expect(editor.documents).toEqual([]);
});
