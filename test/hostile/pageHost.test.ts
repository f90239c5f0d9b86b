/** T13: what a page that is taken over can come to: every message that the host takes, with whatever in it, while nobody answers a dialog. */
import { afterAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { APPROVAL_KINDS } from '../../src/shared/approval.ts';
import { fromPage } from '../../src/shared/workspace/pageProtocol.ts';
import { visibleBlock, visibleLine } from '../../src/terminal/text/visible.ts';
import { plainWords } from '../../src/vscode/words/plainWords.ts';
import { approvalRow, featureRow, jobRow, stateOf } from '../support/state/builders.ts';
import { planted } from '../support/suite/planted.ts';
import type { PlantedBug } from '../support/suite/plantedBug.ts';
import { amount, figure, LONG, randomOf, SEED } from '../support/suite/proof.ts';
import { hostWith } from './page/hostBundle.ts';
import { HOSTILE } from './page/payloads.ts';

let tried = 0;
let broken = 0;

afterAll(() => {
  const aim = { atLeast: LONG ? 20_000 : 1_500 };
  figure({
    method: 'T13',
    what: 'hostile inputs tried: messages of a page, and texts in the editor',
    value: tried,
    unit: '',
    aim,
  });
  figure({
    method: 'T13',
    what: 'of these: answers, merges, limits, foreign files, live Markdown',
    value: broken,
    unit: '',
    aim: { atMost: 0 },
  });
});

/** What may happen at a page's word alone: it changes nothing that a person decides. */
const HARMLESS = ['reorderFeature', 'selectJob', 'sendMessage', 'stopTurn', 'markRead', 'tryNow'];
/** Of the commands that it leads to, those that are carried out here. */
const CARRIED_OUT = ['autonomous.approve', 'autonomous.reject', 'autonomous.retryFeature'];

type Handler = (...args: unknown[]) => unknown;

/** An editor in which every dialog is dismissed. */
function dismissing() {
  const handlers = new Map<string, Handler>();
  const none = async () => undefined;
  const nothing = { dispose: () => undefined };
  const editor = {
    l10n: { t: (text: string) => text },
    Uri: Object.assign(class {}, { from: (parts: object) => parts, joinPath: () => ({ fsPath: '/none' }) }),
    Disposable: { from: () => nothing },
    EventEmitter: class {
      readonly event = () => nothing;
    },
    QuickPickItemKind: { Separator: -1 },
    workspace: {
      textDocuments: [],
      openTextDocument: none,
      registerTextDocumentContentProvider: () => nothing,
      getConfiguration: () => ({ get: (_: string, otherwise: unknown) => otherwise }),
    },
    commands: {
      registerCommand: (id: string, run: Handler) => {
        handlers.set(id, run);
        return nothing;
      },
      executeCommand: async (id: string, ...args: unknown[]) =>
        CARRIED_OUT.includes(id) ? handlers.get(id)?.(...args) : undefined,
    },
    window: {
      showQuickPick: none,
      showInputBox: none,
      showInformationMessage: none,
      showWarningMessage: none,
      showErrorMessage: none,
      showTextDocument: none,
    },
  };
  return editor;
}

interface Host {
  pageActs: typeof import('../../src/vscode/page/pageActs.ts').pageActs;
  registerJobCommands: typeof import('../../src/vscode/job/jobCommands.ts').registerJobCommands;
  registerStewardship: typeof import('../../src/vscode/approval/stewardship.ts').registerStewardship;
}

const kinds = fromPage.def.options.map((option) => z.toJSONSchema(option, { unrepresentable: 'any' }));

type Below = (bound: number) => number;

/** Something of this form, or nearly. */
function anything(schema: Record<string, unknown>, below: Below, name = ''): unknown {
  // Mostly of what is there: what is not is refused at once.
  if (name === 'jobId' && below(4) > 0) return 'job-1';
  if (name === 'choice' && below(4) > 0) return [null, 'A', 'branch', 'raise', 'double'][below(5)];
  if (below(40) === 0) return HOSTILE[below(HOSTILE.length)];
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][below(schema['enum'].length)];
  const either = (schema['anyOf'] ?? schema['oneOf']) as Record<string, unknown>[] | undefined;
  if (either !== undefined) return anything(either[below(either.length)] ?? {}, below);
  if (schema['type'] === 'null') return null;
  if (schema['type'] === 'integer' || schema['type'] === 'number') return 1 + below(APPROVAL_KINDS.length + 2);
  if (schema['type'] === 'boolean') return below(2) === 0;
  if (schema['type'] === 'array') return [anything(schema['items'] as Record<string, unknown>, below)];
  if (schema['type'] === 'object') {
    const fields = Object.entries(schema['properties'] as Record<string, Record<string, unknown>>);
    return Object.fromEntries(fields.map(([field, of]) => [field, anything(of, below, field)]));
  }
  const words = [
    'job-1',
    'default',
    'merge',
    'raise',
    'double',
    'branch',
    'A',
    '../../../etc/passwd',
    '/etc/passwd',
    'a'.repeat(64),
  ];
  return below(6) === 0 ? HOSTILE[below(HOSTILE.length)] : words[below(words.length)];
}

/** What a page got that it must not get. */
async function taken(bug: PlantedBug | null, messages: number): Promise<string[]> {
  const modules = [
    'src/vscode/page/pageActs.ts',
    'src/vscode/job/jobCommands.ts',
    'src/vscode/approval/stewardship.ts',
  ];
  const host = await hostWith<Host>(inject('tempRoot'), modules, dismissing(), bug);
  const found: string[] = [];
  const approvals = APPROVAL_KINDS.map((kind, at) =>
    approvalRow({
      id: at + 1,
      kind,
      job_id: 'job-1',
      choices: kind === 'limit' ? ['raise', 'double'] : at % 3 === 0 ? ['A', 'branch'] : [],
      executables: [],
    }),
  );
  const state = stateOf({
    jobs: [jobRow({ id: 'job-1' })],
    features: [featureRow({ id: 1, status: 'failed' })],
    approvals,
  });
  const request = async (name: string, input: unknown) => {
    // A no to what nothing goes on by is no answer that gives anything.
    const refuses = name === 'decide' && (input as { decision: string }).decision === 'rejected';
    // As its job says: what was granted with the brief.
    const restores = name === 'chooseExecutors' && (input as { executors: unknown }).executors === null;
    if (!refuses && !restores && !HARMLESS.includes(name)) found.push(`request ${name}: ${JSON.stringify(input)}`);
    return {};
  };
  const files = {
    artifact: async (name: string) => {
      if (!/^[0-9a-z.-]+$/.test(name)) found.push(`file ${name}`);
      return null;
    },
    transcript: async (id: unknown) => {
      if (!Number.isSafeInteger(id)) found.push(`transcript ${String(id)}`);
      return '';
    },
  };
  const log = { warn: () => undefined, error: () => undefined };
  const engine = {
    state,
    request,
    files,
    open: async () => null,
    blocker: null,
    onDidChange: () => ({ dispose: () => undefined }),
  };
  const context = { engine, log, agents: { seen: null } } as never;
  host.registerJobCommands(context);
  host.registerStewardship(context);
  const documents = {
    show: async (name: string) => {
      if (/[\\/]/.test(name)) found.push(`document ${name}`);
    },
  };
  const handle = { jobDiff: async () => '' };
  const act = host.pageActs({ context, handle: handle as never, documents: documents as never });
  const below = randomOf(SEED);
  for (let at = 0; at < messages; at++) {
    const message = anything(kinds[at % kinds.length] as Record<string, unknown>, below);
    const parsed = fromPage.safeParse(message);
    if (!parsed.success) continue;
    // What it refuses it says; what it did before that counts.
    await act(parsed.data).catch(() => undefined);
  }
  return found;
}

describe(`a page that is taken over, seed ${SEED},`, () => {
  it('approves nothing, merges nothing, raises no limit and opens no other file', async () => {
    const messages = amount({ short: 1_000, long: 20_000 });
    const found = await taken(null, messages);
    tried += messages;
    broken += found.length;
    expect(found).toEqual([]);
  });

  planted('an answer of the page that no dialog confirms', async () => {
    const bug = { file: 'src/vscode/page/pageActs.ts', find: 'confirm: true }', put: 'confirm: false }' };
    expect((await taken(bug, 1_000)).join('\n')).toMatch(/request decide: .*"approved"/);
  });

  planted('retries and agents granted by the page alone', async () => {
    const find = 'return (await vscode.window.showWarningMessage(plainWords(question), shown, go)) === go;';
    const bug = { file: 'src/vscode/page/pageConfirm.ts', find, put: 'return shown.modal;' };
    const found = (await taken(bug, 5_000)).join('\n');
    expect(found).toMatch(/request setFeature: .*"pending"/);
    expect(found).toMatch(/request chooseExecutors: /);
  });
});

/** By Unicode's own tables: what is not seen, and what turns a text around. */
const HIDDEN =
  /(?!\n|\t|[\ufe00-\ufe0f])(?:\p{Cc}|\p{Cs}|\p{Bidi_Control}|\p{Default_Ignorable_Code_Point}|\u2028|\u2029)/u;

describe('a text', () => {
  const ways: readonly (readonly [string, (text: string) => string])[] = [
    ['a line of the terminal', visibleLine],
    ['a block of the terminal', visibleBlock],
    // A space of no width of our own holds the halves of a link apart.
    ['a message of the editor', (text) => plainWords(text).replaceAll(']\u200b(', '] (')],
  ];
  it.each(ways)('hides nothing and moves nothing in %s', (_, show) => {
    // `](` is a link in messages alone.
    const links = show === ways[2]?.[1];
    const found = HOSTILE.map(show).filter((shown) => HIDDEN.test(shown) || (links && shown.includes('](')));
    tried += HOSTILE.length;
    broken += found.length;
    expect(found).toEqual([]);
  });
});

interface Markdown {
  readonly value: string;
  readonly isTrusted?: unknown;
  readonly supportHtml?: unknown;
  readonly supportThemeIcons?: unknown;
}

/** The hover of a line with these notes, as the editor is given it. */
async function hoverOf(notes: readonly string[], bug: PlantedBug | null): Promise<readonly Markdown[]> {
  const given: { hover: null | { provideHover(document: unknown, at: object): { contents: Markdown[] } } } = {
    hover: null,
  };
  const nothing = { dispose: () => undefined };
  const editor = {
    ...dismissing(),
    MarkdownString: class {
      readonly value: string;
      constructor(value: string) {
        this.value = value;
      }
    },
    Hover: class {
      readonly contents: Markdown[];
      constructor(contents: Markdown[]) {
        this.contents = contents;
      }
    },
    Range: class {},
    languages: {
      registerHoverProvider: (_: unknown, provider: NonNullable<typeof given.hover>) => {
        given.hover = provider;
        return nothing;
      },
      registerCodeLensProvider: () => nothing,
    },
  };
  Object.assign(editor.workspace, { onDidChangeConfiguration: () => nothing });
  interface Hints {
    registerNoteHints: typeof import('../../src/vscode/note/noteHints.ts').registerNoteHints;
  }
  const { registerNoteHints } = await hostWith<Hints>(
    inject('tempRoot'),
    ['src/vscode/note/noteHints.ts'],
    editor,
    bug,
  );
  const shown = notes.map((content, at) => ({
    line: 1,
    path: 'a.ts',
    featureId: null,
    category: null,
    notes: [{ note: { id: at + 1, content, feature_id: null, category: null } }],
  }));
  const threads = { in: () => shown, onDidChange: () => nothing };
  registerNoteHints({ engine: { state: stateOf({}) } } as never, threads as never);
  return given.hover?.provideHover({ lineAt: () => ({ range: null }) }, { line: 0 }).contents ?? [];
}

/** Marks of Markdown that were not taken for text: what is escaped is gone, and our own bold title and quote marks. */
const alive = ({ value, ...flags }: Markdown): string[] => [
  ...Object.entries(flags).flatMap(([name, set]) => (set === undefined || set === false ? [] : [`${name} is set`])),
  ...(/[<>[\]!`*_$&|]|https?:\/\//.test(
    value
      .replaceAll(/\\[!-/:-@[-`{-~]/g, '')
      .replace(/^\*\*.*?\*\*/s, '')
      .replaceAll(/^> /gm, ''),
  )
    ? [`live: ${value.slice(0, 200)}`]
    : []),
];

describe('a note in a hover', () => {
  it('is text, whatever it holds', async () => {
    const contents = await hoverOf(HOSTILE, null);
    expect(contents).toHaveLength(HOSTILE.length);
    const found = contents.flatMap(alive);
    tried += contents.length;
    broken += found.length;
    expect(found).toEqual([]);
  });

  planted('Markdown that is trusted', async () => {
    const trusted: PlantedBug = {
      file: 'src/vscode/note/noteHints.ts',
      find: 'return new vscode.MarkdownString(',
      put: 'return ((text: string) => Object.assign(new vscode.MarkdownString(text), { isTrusted: true }))(',
    };
    await expect(hoverOf(HOSTILE.slice(0, 3), trusted)).resolves.toSatisfy((contents: readonly Markdown[]) =>
      contents.flatMap(alive).some((fault) => fault.startsWith('isTrusted')),
    );
  });
});
