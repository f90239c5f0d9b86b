/** A brief from its document to its job, on a stand-in for the editor: filed once, and with what was chosen for it. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProjectStatus } from '../../../../../src/shared/project/projects.ts';
import type { State } from '../../../../../src/shared/workspace/state.ts';
import type { HostContext } from '../../../../../src/vscode/window/context.ts';
import { switchProject } from '../../../../../src/vscode/window/currentProject.ts';
import { projectRow, stateOf } from '../../../../support/state/builders.ts';

interface Document {
  readonly uri: { readonly scheme: string; readonly path: string };
  getText(): string;
}
type Handler = (...args: unknown[]) => Promise<void>;

const { DocumentUri: Uri } = await vi.hoisted(() => import('../../../../support/editor/documentUri.ts'));

const editor = vi.hoisted(() => ({
  documents: [] as Document[],
  handlers: new Map<string, Handler>(),
  lenses: [] as ((document: Document) => { readonly command: { readonly title: string } }[])[],
  closed: [] as ((document: Document) => void)[],
  changed: [] as ((change: { document: Document }) => void)[],
  /** What is shown in each brief without being part of it, by path. */
  hints: new Map<string, string>(),
  inserted: [] as string[],
  /** What is picked of a list, by label; then it is dismissed. */
  picks: [] as string[],
  told: [] as string[],
  ran: [] as unknown[][],
  state: null as unknown as State,
}));

vi.mock('vscode', () => {
  class CodeLens {
    readonly command: unknown;
    constructor(_: unknown, command: unknown) {
      this.command = command;
    }
  }
  return {
    Uri,
    CodeLens,
    Range: class {},
    Position: class {},
    ThemeColor: class {},
    EventEmitter: class {
      readonly fire = () => undefined;
    },
    Disposable: { from: () => ({}) },
    ProgressLocation: { Window: 10 },
    l10n: { t: (text: string, ...values: unknown[]) => text.replaceAll(/\{(\d)\}/g, (_, at) => String(values[at])) },
    languages: {
      registerCodeLensProvider: (_: unknown, provider: { provideCodeLenses: (typeof editor.lenses)[number] }) =>
        editor.lenses.push(provider.provideCodeLenses),
    },
    commands: {
      executeCommand: async (...command: unknown[]) => void editor.ran.push(command),
      registerCommand: (id: string, handler: Handler) => editor.handlers.set(id, handler),
    },
    workspace: {
      get textDocuments() {
        return editor.documents;
      },
      getConfiguration: () => ({ get: (_: string, otherwise: unknown) => otherwise }),
      onDidChangeTextDocument: (listener: (change: { document: Document }) => void) => editor.changed.push(listener),
      onDidOpenTextDocument: () => ({}),
      onDidCloseTextDocument: (listener: (document: Document) => void) => editor.closed.push(listener),
      openTextDocument: async (uri: Document['uri']) => written(uri.path, ''),
    },
    window: {
      createTextEditorDecorationType: (look: { after: { contentText: string } }) => look,
      get visibleTextEditors() {
        return editor.documents.map((document) => ({
          document,
          setDecorations: (look: { after: { contentText: string } }, at: unknown[]) =>
            void editor.hints.set(document.uri.path, at.length === 0 ? '' : look.after.contentText),
        }));
      },
      onDidChangeVisibleTextEditors: () => ({}),
      showTextDocument: async () => ({
        edit: async (change: (edit: { insert(at: unknown, text: string): void }) => void) =>
          change({ insert: (_, text) => void editor.inserted.push(text) }),
      }),
      showQuickPick: async (items: readonly { readonly label: string }[]) => {
        const label = editor.picks.shift();
        return items.find((item) => item.label === label);
      },
      showErrorMessage: async (text: string) => void editor.told.push(text),
      withProgress: (_: unknown, work: () => Promise<unknown>) => work(),
    },
  };
});

const { registerBrief } = await import('../../../../../src/vscode/job/brief/brief.ts');

const SIMULATION = ['Provider', 'simulation'];
const PATH = '/1.brief.md';

function written(path: string, text: string): Document {
  const document = { uri: Uri.from({ scheme: 'untitled', path }), getText: () => text };
  editor.documents.push(document);
  return document;
}

function close(document: Document): void {
  editor.documents = editor.documents.filter((one) => one !== document);
  for (const listener of editor.closed) listener(document);
}

/** What the editor keeps for a folder. */
function memento(): HostContext['extension']['workspaceState'] {
  const kept = new Map<string, unknown>();
  return {
    get: (key: string, otherwise: unknown) => kept.get(key) ?? otherwise,
    update: async (key: string, value: unknown) => void kept.set(key, value),
  } as unknown as HostContext['extension']['workspaceState'];
}

/** A window; its engine answers a request when `answers` says how. */
function open(workspaceState = memento(), probes: readonly object[] = []) {
  const known = { agents: probes.map((probe) => ({ probe })), faults: [] };
  const agents = { seen: null, look: async () => known };
  const requests: unknown[] = [];
  const answers: PromiseWithResolvers<void>[] = [];
  /** To the request with this index, which may come later. */
  const answer = (index: number): PromiseWithResolvers<void> => (answers[index] ??= Promise.withResolvers());
  const request = async (_: string, input: unknown): Promise<{ jobId: string }> => {
    const count = requests.push(input);
    await answer(count - 1).promise;
    return { jobId: `job-${count}` };
  };
  editor.handlers.clear();
  editor.lenses.length = 0;
  editor.closed.length = 0;
  editor.changed.length = 0;
  const engine = {
    request,
    get state() {
      return editor.state;
    },
  };
  registerBrief({ engine, agents, extension: { workspaceState }, log: { error: () => undefined } } as never);
  return { requests, answer };
}

const run = (command: string, ...args: unknown[]): Promise<void> | undefined => editor.handlers.get(command)?.(...args);
const start = (brief: Document): Promise<void> | undefined => run('autonomous.startBrief', brief.uri);
const lens = (brief: Document): string =>
  editor.lenses.flatMap((of) => of(brief).map((one) => one.command.title)).join();

beforeEach(() => {
  editor.documents = [];
  editor.picks = [];
  editor.told = [];
  editor.ran = [];
  editor.hints.clear();
  editor.inserted = [];
  editor.state = stateOf({});
});

describe('an empty brief', () => {
  it('shows a hint with an example, which is no part of it', async () => {
    const brief = written(PATH, '');
    const { requests } = open();
    expect(editor.hints.get(PATH)).toMatch(/^Describe what should be done, .* Example: Add the option --json/);
    await start(brief);
    expect(requests).toEqual([]);
    expect(editor.told.join()).toContain('The brief is empty.');
    editor.documents = [];
    const document = written(PATH, 'Write a guide.');
    for (const listener of editor.changed) listener({ document });
    expect(editor.hints.get(PATH)).toBe('');
  });

  it('offers the example, which cannot be started as it is', async () => {
    const { requests, answer } = open();
    const brief = written(PATH, '');
    expect(lens(brief)).toContain('$(lightbulb) Insert Example');
    await run('autonomous.insertExampleBrief', brief.uri);
    const [example = ''] = editor.inserted;
    editor.documents = [];
    const unchanged = written(PATH, `${example}\n`);
    expect(lens(unchanged)).not.toContain('Insert Example');
    await start(unchanged);
    expect(requests).toEqual([]);
    expect(editor.told.join()).toContain('The brief is still the example.');
    editor.documents = [];
    const edited = start(written(PATH, `${example} Keep the order.`));
    answer(0).resolve();
    await edited;
    expect(requests).toHaveLength(1);
  });
});

describe('Start', () => {
  it('pressed twice files one job, and says so above the brief', async () => {
    const { requests, answer } = open();
    const brief = written(PATH, 'Write a guide.');
    const first = start(brief);
    await start(brief);
    expect(lens(brief)).toBe('$(loading~spin) Filing…');
    answer(0).resolve();
    await first;
    expect(requests).toEqual([{ brief: 'Write a guide.' }]);
  });

  it('opens the board on the job that it filed', async () => {
    const { answer } = open();
    const started = start(written(PATH, 'Write a guide.'));
    answer(0).resolve();
    await started;
    expect(editor.ran.at(-1)).toEqual(['autonomous.openBoard', { jobId: 'job-1' }]);
  });

  it('may be pressed again after it failed', async () => {
    const { requests, answer } = open();
    const brief = written(PATH, 'Write a guide.');
    const first = start(brief);
    answer(0).reject(new Error('the disk is full'));
    await first;
    expect(editor.told.join()).toContain('The disk is full.');
    expect(lens(brief)).toContain('Start');
    const second = start(brief);
    answer(1).resolve();
    await second;
    expect(requests).toHaveLength(2);
  });

  it('does not keep another brief from being filed', async () => {
    const { requests, answer } = open();
    const both = [start(written(PATH, 'One')), start(written('/2.brief.md', 'Two'))];
    for (const index of [0, 1]) answer(index).resolve();
    await Promise.all(both);
    expect(requests).toEqual([{ brief: 'One' }, { brief: 'Two' }]);
  });
});

it('is filed for the agents that were chosen for it, which stand above it', async () => {
  const cline = {
    name: 'cline',
    title: 'Cline',
    state: 'ready',
    detail: '',
    version: '3.0.65',
    can: [],
    lacks: [],
    priced: true,
  };
  const { requests, answer } = open(memento(), [cline]);
  const brief = written(PATH, 'Write a guide.');
  editor.picks = ['Agents', 'Worker', '$(check) Cline'];
  await run('autonomous.briefOptions', brief.uri);
  expect(editor.told).toEqual([]);
  expect(lens(brief)).toContain('Anthropic · Worker: cline');
  const started = start(brief);
  answer(0).resolve();
  await started;
  expect(requests).toEqual([{ brief: 'Write a guide.', executors: { worker: 'cline' } }]);
});

describe('the project of a brief', () => {
  const withProject = (status: ProjectStatus = 'active'): State =>
    stateOf({ projects: [projectRow({ id: 'api', status })] });

  async function filed(folder: ReturnType<typeof memento>, begin: () => Promise<void> | undefined): Promise<unknown> {
    const { requests, answer } = open(folder);
    await begin();
    const [brief] = editor.documents;
    if (brief === undefined) throw new Error('no brief was opened');
    editor.documents = [];
    const started = start(written(brief.uri.path, 'Write a guide.'));
    answer(0).resolve();
    await started;
    return requests[0];
  }

  it('is the one that was switched to when it was begun', async () => {
    editor.state = withProject();
    const folder = memento();
    await switchProject(folder, 'api');
    expect(await filed(folder, () => run('autonomous.newBrief', { text: '' }))).toMatchObject({ project: 'api' });
  });

  it('is the one that it was begun in from a page or the tree', async () => {
    editor.state = withProject();
    expect(await filed(memento(), () => run('autonomous.newBrief', { project: 'api' }))).toMatchObject({
      project: 'api',
    });
  });

  it('is the default one where the one that was switched to is over', async () => {
    editor.state = withProject('completed');
    const folder = memento();
    await switchProject(folder, 'api');
    expect(await filed(folder, () => run('autonomous.newBrief', { text: '' }))).not.toHaveProperty('project');
  });

  it('is named above it, and among its options, only where there is a choice', async () => {
    open();
    const brief = written(PATH, 'Write a guide.');
    expect(lens(brief)).not.toContain('project');
    editor.state = withProject();
    expect(lens(brief)).toContain('project: default');
    editor.picks = ['Project', 'api'];
    await run('autonomous.briefOptions', brief.uri);
    expect(lens(brief)).toContain('project: api');
  });
});

describe('what was chosen for a brief', () => {
  it('is filed with it after the window was loaded anew', async () => {
    const folder = memento();
    open(folder);
    const brief = written(PATH, 'Write a guide.');
    editor.picks = [...SIMULATION];
    await run('autonomous.briefOptions', brief.uri);
    const { requests, answer } = open(folder);
    expect(lens(brief)).toContain('simulation');
    const filed = start(brief);
    answer(0).resolve();
    await filed;
    expect(requests).toEqual([{ brief: 'Write a guide.', provider: 'simulated' }]);
  });

  it('stays when the editor closes the document and opens it again, as a reload may', async () => {
    open();
    const brief = written(PATH, 'Write a guide.');
    editor.picks = [...SIMULATION];
    await run('autonomous.briefOptions', brief.uri);
    close(brief);
    expect(lens(written(PATH, 'Write a guide.'))).toContain('simulation');
  });

  it('is not for a new brief with the name of one that was closed', async () => {
    const folder = memento();
    open(folder);
    editor.picks = [...SIMULATION];
    await run('autonomous.briefOptions', written(PATH, 'Write a guide.').uri);
    editor.documents = [];
    open(folder);
    await run('autonomous.newBrief', { text: '' });
    const [brief] = editor.documents;
    expect(brief?.uri.path).toBe(PATH);
    expect(brief && lens(brief)).toContain('Anthropic');
  });
});
