/** What the looking commands take and show, on a stand-in for the editor. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failure } from '../../../../src/shared/errors.ts';
import type { HostContext } from '../../../../src/vscode/window/context.ts';
import type { World } from '../../../../src/vscode/window/world.ts';
import { fakeWorkspaces } from '../../../support/editor/fakeWorkspace.ts';
import { jobRow, stateOf } from '../../../support/state/builders.ts';

interface Shown {
  readonly name: string;
  readonly text: string;
  readonly as: 'source' | 'page';
}

const editor = vi.hoisted(() => ({
  commands: new Map<string, (...args: unknown[]) => Promise<void>>(),
  active: undefined as unknown,
  documents: [] as unknown[],
  typed: undefined as string | undefined,
  asked: 0,
  provider: 'anthropic',
  nothingNext: null as string | null,
  said: [] as string[],
  clipboard: '',
}));

vi.mock('vscode', () => {
  const nothing = { dispose: () => undefined };
  return {
    CodeLens: class {},
    Disposable: { from: () => nothing },
    EventEmitter: class {},
    ProgressLocation: { Notification: 15 },
    Uri: class {},
    version: '1.139.1',
    env: {
      remoteName: undefined,
      clipboard: {
        writeText: async (text: string) => {
          editor.clipboard = text;
        },
      },
    },
    l10n: { t: (text: string, ...values: unknown[]) => text.replaceAll(/\{(\d)\}/g, (_, at) => String(values[at])) },
    commands: {
      registerCommand: (id: string, run: (...args: unknown[]) => Promise<void>) => {
        editor.commands.set(id, run);
        return nothing;
      },
    },
    window: {
      get activeTextEditor() {
        return editor.active;
      },
      showInputBox: async () => {
        editor.asked++;
        return editor.typed;
      },
      showInformationMessage: async (text: string) => void editor.said.push(text),
      withProgress: async (_: unknown, run: (...args: unknown[]) => Promise<unknown>) =>
        run(undefined, { onCancellationRequested: () => undefined }),
    },
    workspace: {
      getConfiguration: () => ({
        get: (name: string, otherwise: unknown) => (name === 'provider' ? editor.provider : otherwise),
      }),
      get textDocuments() {
        return editor.documents;
      },
    },
  };
});

const { registerInspectCommands } = await import('../../../../src/vscode/workspace/inspectCommands.ts');
const { diagnosticsText } = await import('../../../../src/vscode/window/inspectTexts.ts');

const HOME = '/home/somebody';
const KEY = 'sk-ant-api03-not-for-anybody';
const REQUEST = {
  model: 'claude-opus-5-5',
  max_tokens: 32_000,
  system: [{ type: 'text', text: 'You plan.' }],
  tools: [{ name: 'propose_plan' }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Build\n```\n# no heading of ours\n' }] }],
};

function run(command: string, ...args: unknown[]): Promise<Shown[]> {
  const shown: Shown[] = [];
  const state = stateOf({ jobs: [jobRow({ title: 'Secret plan', brief: `In ${HOME}`, job_dir: `${HOME}/jobs/1` })] });
  const context = {
    log: { error: (thrown: unknown) => expect.unreachable(String(thrown)), show: () => undefined },
    engine: {
      state,
      current: null,
      blocker: null,
      projectDir: `${HOME}/work`,
      files: {
        preview: async () => {
          if (editor.nothingNext !== null) throw failure('NOT_PERMITTED', editor.nothingNext);
          return { describes: 'planner of the job', body: JSON.stringify(REQUEST) };
        },
      },
    },
    extension: { extension: { packageJSON: { version: '0.1.0' }, extensionPath: `${HOME}/.vscode` } },
  } as unknown as HostContext;
  const rehearsal = {
    plan: null,
    steps: [
      { at: '', text: 'plan | 1', costUsd: 0.25 },
      { at: '', text: 'phase "![x](https://evil.invalid/x.png)"', costUsd: 0 },
    ],
    costUsd: 0.25,
    lowUsd: 0.25,
    highUsd: 2,
    note: 'Tokens.',
  };
  const workspaces = fakeWorkspaces({
    job: { rehearse: async (_, { brief }) => ({ ...rehearsal, note: `of: ${brief}` }) },
    diagnose: async ({ key }) => [{ name: 'api-key', ok: true, detail: `key: ${key.source}`, fix: '' }],
  });
  const world = {
    documents: {
      show: async (name: string, text: string) => void shown.push({ name, text, as: 'source' }),
      read: async (name: string, text: string) => void shown.push({ name, text, as: 'page' }),
    },
    handle: { settings: async () => ({}), place: () => ({ folder: '/w', jobsDir: null }) },
    key: { value: KEY, source: 'stored' },
    load: async () => workspaces,
  } as unknown as World;
  registerInspectCommands(context, world);
  return Promise.resolve(editor.commands.get(command)?.(...args)).then(() => shown);
}

/** A document in front, with what is selected of it. */
function inFront(uri: { scheme: string; path: string }, text: string, selected = ''): void {
  const document = {
    uri: { ...uri, toString: () => `${uri.scheme}:${uri.path}` },
    getText: (range?: unknown) => (range === undefined ? text : selected),
  };
  editor.documents = [document];
  editor.active = { document, selection: {} };
}

beforeEach(() => {
  editor.active = undefined;
  editor.documents = [];
  editor.typed = undefined;
  editor.asked = 0;
  editor.provider = 'anthropic';
  editor.nothingNext = null;
  editor.said = [];
});

describe('Dry Run', () => {
  const BRIEF = { scheme: 'untitled', path: '1.brief.md' };
  const FILE = { scheme: 'file', path: '/a.md' };

  it('takes the brief in front, whole, without asking', async () => {
    inFront(BRIEF, 'Write a stack\nwith tests');
    const [shown] = await run('autonomous.dryRun');
    expect(editor.asked).toBe(0);
    expect(shown).toMatchObject({ name: 'dry-run.md', as: 'page' });
    expect(shown?.text).toContain('```text\nWrite a stack\nwith tests\n```');
    expect(shown?.text).toContain('| plan   1 | $0.2500 |');
    expect(shown?.text).toContain('between $0.2500 and $2.00');
    // What a model named cannot make the page load anything.
    expect(shown?.text).not.toContain('![x](');
  });

  it('takes what is selected elsewhere', async () => {
    inFront(FILE, 'much text', 'Only this');
    expect((await run('autonomous.dryRun'))[0]?.text).toContain('of: Only this');
    expect(editor.asked).toBe(0);
  });

  it('asks where there is neither, and does nothing when it is dismissed', async () => {
    inFront(FILE, 'much text');
    expect(await run('autonomous.dryRun')).toEqual([]);
    editor.typed = 'Typed';
    expect((await run('autonomous.dryRun'))[0]?.text).toContain('of: Typed');
    expect(editor.asked).toBe(2);
    editor.typed = '  ';
    expect(await run('autonomous.dryRun')).toEqual([]);
  });
});

it('Preview Next Prompt is readable, and has the request as it is at its end', async () => {
  const [shown] = await run('autonomous.previewNextPrompt');
  const text = shown?.text ?? '';
  expect(shown).toMatchObject({ name: 'next-prompt.md', as: 'source' });
  expect(text).toContain('| For | planner of the job |');
  expect(text).toContain('`claude-opus-5-5`');
  expect(text).toContain('`propose_plan`');
  expect(text).toContain('```text\nYou plan.\n```');
  // What the request says cannot leave its block.
  expect(text).toContain('````text\nBuild\n```\n# no heading of ours\n````');
  const whole = /````json\n([\s\S]*)\n````\n$/.exec(text)?.[1] ?? '';
  expect(JSON.parse(whole)).toEqual(REQUEST);
});

it('Doctor is a page to read, and knows the stored key and a provider that needs none', async () => {
  const [shown] = await run('autonomous.doctor');
  expect(shown).toMatchObject({ name: 'doctor.md', as: 'page', text: expect.stringContaining('stored') });
  editor.provider = 'simulated';
  expect((await run('autonomous.doctor'))[0]?.text).toContain('unneeded');
});

it('Preview Next Prompt says that nothing is sent next, and shows no error', async () => {
  editor.nothingNext = 'there is no next request to show: the steward is asked first';
  expect(await run('autonomous.previewNextPrompt')).toEqual([]);
  expect(editor.said).toEqual(['There is no next request to show: the steward is asked first.']);
});

it('Doctor names what is missing first, and how to mend it', () => {
  const diagnostics = [
    { name: 'git', ok: true, detail: '2.50', fix: '' },
    { name: 'bwrap', ok: false, detail: 'bwrap is not installed', fix: 'install bubblewrap' },
  ];
  const text = diagnosticsText(diagnostics);
  expect(text).toContain('1 of 2 checks failed.');
  expect(text.indexOf('### bwrap')).toBeLessThan(text.indexOf('**git**'));
  expect(text).toContain('**How to fix it**\n\n```text\ninstall bubblewrap\n```');
  expect(diagnosticsText(diagnostics.slice(0, 1))).toContain('Nothing is missing: all 1 checks passed.');
});

it('Copy Diagnostics holds no key, path, title or brief', async () => {
  await run('autonomous.copyDiagnostics');
  const facts = JSON.parse(editor.clipboard) as Record<string, unknown>;
  expect(facts).toMatchObject({
    version: '0.1.0',
    editor: '1.139.1',
    key: 'stored',
    mode: 'none',
    counts: { jobs: 1 },
  });
  for (const secret of [KEY, HOME, 'somebody', 'Secret plan', 'sk-ant']) expect(editor.clipboard).not.toContain(secret);
});
