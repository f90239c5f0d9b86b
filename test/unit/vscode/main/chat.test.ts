/** The chat participant and the tools for language models, on a stand-in for the editor: what is shown, what is asked, when it ends. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveLine } from '../../../../src/shared/live.ts';
import type { MessageRow } from '../../../../src/shared/project/projects.ts';
import type { State } from '../../../../src/shared/workspace/state.ts';
import type { HostContext } from '../../../../src/vscode/window/context.ts';
import { FakeEmitter } from '../../../support/editor/fakeEditor.ts';
import { fakeWorkspaces } from '../../../support/editor/fakeWorkspace.ts';
import { approvalRow, messageRow, projectRow, sessionRow, stateOf } from '../../../support/state/builders.ts';
import { untilHolds } from '../../../support/time/untilHolds.ts';

type Handler = (request: object, _: unknown, stream: object, token: object) => Promise<object>;
interface Tool {
  prepareInvocation(
    options: object,
  ): Promise<{ readonly confirmationMessages?: { readonly message: { value: string } } }>;
  invoke(options: object): Promise<{ readonly content: readonly { readonly value: string }[] }>;
}

const editor = vi.hoisted(() => ({
  handler: null as unknown as Handler,
  tools: new Map<string, Tool>(),
  settings: {} as Record<string, unknown>,
}));

vi.mock('vscode', () => ({
  l10n: { t: (text: string, ...values: unknown[]) => text.replaceAll(/\{(\d)\}/g, (_, at) => String(values[at])) },
  Disposable: {
    from: (...parts: { dispose(): void }[]) => ({
      dispose: () => {
        for (const part of parts) part.dispose();
      },
    }),
  },
  Uri: { joinPath: () => null },
  workspace: {
    getConfiguration: () => ({ get: (name: string, otherwise: unknown) => editor.settings[name] ?? otherwise }),
  },
  MarkdownString: class {
    readonly value: string;
    constructor(value: string) {
      this.value = value;
    }
  },
  LanguageModelTextPart: class {
    readonly value: string;
    constructor(value: string) {
      this.value = value;
    }
  },
  LanguageModelToolResult: class {
    readonly content: unknown;
    constructor(content: unknown) {
      this.content = content;
    }
  },
  chat: {
    createChatParticipant: (_: string, handler: Handler) => {
      editor.handler = handler;
      return {};
    },
  },
  lm: { registerTool: (name: string, tool: Tool) => editor.tools.set(name, tool) },
}));

const { registerChat } = await import('../../../../src/vscode/main/participant.ts');
const { registerTools } = await import('../../../../src/vscode/main/tools.ts');

const main = projectRow({ id: 'main' });
const asked = (patch: Partial<MessageRow> = {}): MessageRow =>
  messageRow({ id: 1, project_id: 'main', direction: 'in', sender: 'steward', text: 'Well?', ...patch });
const said = (id: number, text: string): MessageRow => messageRow({ id, project_id: 'main', sender: 'main', text });

/** The chat of a window whose engine has this state; `show` gives it another one. */
function chat(state: State = stateOf({})) {
  const changed = new FakeEmitter<void>();
  const live = new FakeEmitter<LiveLine>();
  const cancelled = new FakeEmitter<void>();
  const requests: unknown[] = [];
  const shown: string[] = [];
  const buttons: string[] = [];
  const engine = {
    state,
    atWork: { works: true, jobs: [...state.jobs.keys()], turns: [] },
    blocker: null,
    current: {},
    onDidChange: changed.event,
    onDidLive: live.event,
    request: async (name: string, input: unknown) => {
      requests.push([name, input]);
      return { messageId: 1, jobId: 'job-1' };
    },
  };
  const workspaceState = { get: (_: string, otherwise: unknown) => otherwise };
  const logged: unknown[] = [];
  const log = { error: (text: unknown) => void logged.push(text) };
  registerChat({ engine, log, extension: { workspaceState }, today: () => '2026-11-02' } as unknown as HostContext);
  const stream = {
    markdown: (text: string) => shown.push(text.trim()),
    progress: (text: string) => shown.push(`… ${text}`),
    button: ({ command }: { command: string }) => buttons.push(command),
  };
  const token = { isCancellationRequested: false, onCancellationRequested: cancelled.event };
  const ask = (prompt: string, command?: string): Promise<object> =>
    editor.handler({ prompt, command, model: { vendor: 'copilot', id: 'gpt' } }, null, stream, token);
  const show = (next: State): void => {
    engine.state = next;
    changed.fire();
  };
  return { ask, show, live, cancelled, requests, shown, buttons, engine, logged };
}

beforeEach(() => {
  editor.settings = {};
  editor.tools.clear();
});

describe('a word to the main agent', () => {
  it('streams what it does and says until it rests', async () => {
    const { ask, show, live, requests, shown, buttons } = chat();
    const answered = ask('Well?');
    await untilHolds(() => expect(requests).toEqual([['sendMessage', { project: 'main', text: 'Well?' }]]));
    const sessions = [sessionRow({ id: 5, project_id: 'main', job_id: null, role: 'main', status: 'completed' })];
    show(stateOf({ projects: [main], messages: [asked()], sessions }));
    live.fire({ at: '', jobId: '', sessionId: 5, featureId: null, text: 'list_projects' });
    live.fire({ at: '', jobId: '', sessionId: 6, featureId: null, text: 'of another' });
    show(stateOf({ projects: [main], messages: [asked({ read_at: 'now' }), said(2, 'All is well.')], sessions }));
    expect(await answered).toEqual({});
    expect(shown).toEqual(['… list_projects', 'All is well.']);
    expect(requests).toContainEqual(['markRead', { project: 'main', upTo: 2 }]);
    expect(buttons).toEqual(['autonomous.openBoard']);
  });

  it('is answered by the model of the chat where the models of the editor answer', async () => {
    editor.settings = { provider: 'vscode-lm' };
    const { ask, cancelled, requests } = chat();
    const answered = ask('Well?');
    await untilHolds(() =>
      expect(requests).toEqual([['sendMessage', { project: 'main', text: 'Well?', model: 'copilot/gpt' }]]),
    );
    cancelled.fire();
    await answered;
  });

  it('ends with the question that stands in its way, and answers none', async () => {
    const { ask, show, requests, shown } = chat();
    const answered = ask('Well?');
    await untilHolds(() => expect(requests).toHaveLength(1));
    const question = approvalRow({
      job_id: null,
      project_id: 'main',
      kind: 'provider',
      question: 'No key. Try again?',
    });
    show(stateOf({ projects: [main], messages: [asked()], approvals: [question] }));
    await answered;
    expect(shown.join()).toContain('It needs your input: No key');
    expect(requests).toHaveLength(1);
  });

  it('stops the turn when it is cancelled', async () => {
    const { ask, cancelled, requests, shown } = chat();
    const answered = ask('Well?');
    await untilHolds(() => expect(requests).toHaveLength(1));
    cancelled.fire();
    await answered;
    expect(shown).toEqual(['Stopped. What was done until then is in the conversation.']);
    expect(requests.at(-1)).toEqual(['stopTurn', { project: 'main' }]);
  });
});

describe('a command of the chat', () => {
  it.each([['status', 'Nothing needs your input.'] as const, ['projects', 'api'] as const])(
    'answers /%s from the state alone',
    async (command, words) => {
      const { ask, shown, requests } = chat(stateOf({ projects: [projectRow({ id: 'api' })] }));
      await ask('', command);
      expect(shown.join()).toContain(words);
      expect(requests).toEqual([]);
    },
  );

  it('shows what others wrote as plain text', async () => {
    const body = '[Approve](command:autonomous.approve) ![x](https://site.invalid/x.png)';
    const { ask, shown } = chat(stateOf({ projects: [projectRow({ id: 'api', body })] }));
    await ask('', 'projects');
    expect(shown.join()).not.toMatch(/\]\(/);
  });

  it('files a brief, and writes to a project', async () => {
    const { ask, requests } = chat(stateOf({ projects: [projectRow({ id: 'api' })] }));
    await ask('Add a theme.', 'brief');
    await ask('api Begin with\nthe orders.', 'message');
    await ask('nobody Begin.', 'message');
    await ask('', 'brief');
    expect(requests).toEqual([
      ['submitBrief', { brief: 'Add a theme.', project: 'default' }],
      ['sendMessage', { project: 'api', text: 'Begin with\nthe orders.' }],
    ]);
  });
});

describe('the tools for language models', () => {
  function registered(call: (name: string, input: unknown) => Promise<string>) {
    const opened = vi.fn();
    const looked = vi.fn();
    const names = ['list_jobs', 'submit_brief', 'long_running_task'];
    const languageModelTools = names.map((name) => ({ name: `autonomous_${name}` }));
    const context = {
      extension: { extension: { packageJSON: { contributes: { languageModelTools } } } },
      engine: { state: stateOf({}), current: null, open: opened, look: looked },
    };
    const workspaces = fakeWorkspaces({}, { callTool: (_, name, input) => call(name, input) });
    const world = { load: async () => workspaces, handle: { request: () => null } };
    registerTools(context as unknown as HostContext, world as never);
    return { opened, looked };
  }
  const tool = (name: string): Tool => {
    const found = editor.tools.get(name);
    if (found === undefined) throw new Error(`${name} is not registered`);
    return found;
  };

  it('confirm what changes something, with its input as it is', async () => {
    registered(async () => '');
    expect(await tool('autonomous_list_jobs').prepareInvocation({ input: {} })).toEqual({
      invocationMessage: 'List the jobs',
    });
    const input = { brief: '```\n[x](command:y)' };
    const task = tool('autonomous_long_running_task');
    const asked = async (action: string) =>
      'confirmationMessages' in (await task.prepareInvocation({ input: { action } }));
    expect([await asked('start'), await asked('get_progress'), await asked('get_report')]).toEqual([
      true,
      false,
      false,
    ]);
    const { confirmationMessages } = await tool('autonomous_submit_brief').prepareInvocation({ input });
    expect(confirmationMessages?.message.value).toMatch(/^````*json\n/);
    expect(confirmationMessages?.message.value).toContain('command:y');
  });

  it('look without becoming the owner, and change as the owner or its client', async () => {
    const called: unknown[] = [];
    const { opened, looked } = registered(async (...call) => {
      called.push(call);
      return 'text';
    });
    const { content } = await tool('autonomous_list_jobs').invoke({ input: { open: true } });
    expect(content.map(({ value }) => value)).toEqual(['text']);
    expect([opened.mock.calls.length, looked.mock.calls.length]).toEqual([0, 1]);
    await tool('autonomous_submit_brief').invoke({ input: { brief: 'x' } });
    expect([opened.mock.calls.length, looked.mock.calls.length]).toEqual([1, 1]);
    expect(called).toEqual([
      ['list_jobs', { open: true }],
      ['submit_brief', { brief: 'x' }],
    ]);
  });

  it('say to the model what was wrong', async () => {
    registered(async () => {
      throw new Error('no such job');
    });
    await expect(tool('autonomous_list_jobs').invoke({ input: {} })).rejects.toThrow('no such job');
  });
});

it('logs and shows what is thrown without secrets and control characters', async () => {
  const { ask, engine, logged } = chat();
  const secret = `sk-ant-api03-${'a'.repeat(40)}`;
  engine.request = async () => {
    throw new Error(`no\u001b[2J: ${secret}`);
  };
  const answered = await ask('Add a dark theme', 'brief');
  const texts = [JSON.stringify(answered), ...logged.map(String)];
  expect(texts).toHaveLength(2);
  for (const text of texts) {
    expect(text).toMatch(/[Nn]o<U\+001B>\[2J: /);
    expect(text).not.toContain(secret);
  }
});
