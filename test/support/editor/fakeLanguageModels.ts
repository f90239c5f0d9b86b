/** The editor's language models without an editor: scripted answers, and what was asked. */
import type { LanguageModels } from '../../../src/vscode/model/provider.ts';

/** What a part of an answer is: text, a call, anything else as it is, or an error that breaks the stream. */
export type ScriptedPart = string | { readonly callId: string; readonly name: string; readonly input: object } | Error;

export interface Asked {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: unknown }[];
  readonly options: Readonly<Record<string, unknown>>;
  cancelled: boolean;
}

export interface FakeLanguageModels {
  readonly editor: LanguageModels;
  readonly asked: Asked[];
}

class TextPart {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}
class ToolCallPart {
  readonly callId: string;
  readonly name: string;
  readonly input: object;
  constructor(callId: string, name: string, input: object) {
    this.callId = callId;
    this.name = name;
    this.input = input;
  }
}
class ToolResultPart {
  readonly callId: string;
  readonly content: unknown[];
  constructor(callId: string, content: unknown[]) {
    this.callId = callId;
    this.content = content;
  }
}

class CancelSource {
  readonly #listeners: (() => void)[] = [];
  readonly token = {
    isCancellationRequested: false,
    onCancellationRequested: (run: () => void) => this.#listeners.push(run),
  };
  cancel(): void {
    this.token.isCancellationRequested = true;
    for (const run of this.#listeners) run();
  }
  dispose(): void {
    this.#listeners.length = 0;
  }
}

const MESSAGES = {
  User: (content: unknown) => ({ role: 'user', content }),
  Assistant: (content: unknown) => ({ role: 'assistant', content }),
};

/** Each entry answers one request: parts, or an error instead of an answer. `hang` never goes on until it is cancelled. */
export function fakeLanguageModels(
  ...answers: readonly (readonly ScriptedPart[] | Error | 'hang')[]
): FakeLanguageModels {
  const asked: Asked[] = [];
  const model = {
    name: 'Fake 1',
    id: 'fake-1',
    vendor: 'test',
    family: 'fake',
    version: '1',
    maxInputTokens: 10_000,
    countTokens: async (text: string) => Math.ceil(text.length / 4),
    sendRequest: async (messages: Asked['messages'], options: Asked['options'], token: CancelSource['token']) => {
      const answer = answers[asked.length];
      const entry: Asked = { messages, options, cancelled: false };
      asked.push(entry);
      const cancelled = Promise.withResolvers<never>();
      cancelled.promise.catch(() => undefined);
      token.onCancellationRequested(() => {
        entry.cancelled = true;
        cancelled.reject(new Error('Canceled'));
      });
      if (answer instanceof Error) throw answer;
      return { stream: stream(answer ?? [], cancelled.promise) };
    },
  };
  const editor = {
    lm: { selectChatModels: async () => [model] },
    CancellationTokenSource: CancelSource,
    LanguageModelChatMessage: MESSAGES,
    LanguageModelChatToolMode: { Auto: 1, Required: 2 },
    LanguageModelTextPart: TextPart,
    LanguageModelToolCallPart: ToolCallPart,
    LanguageModelToolResultPart: ToolResultPart,
  };
  return { editor: editor as unknown as LanguageModels, asked };
}

async function* stream(answer: readonly ScriptedPart[] | 'hang', cancelled: Promise<never>): AsyncGenerator<unknown> {
  if (answer === 'hang') {
    yield new TextPart('I think');
    await cancelled;
    return;
  }
  for (const part of answer) {
    if (part instanceof Error) throw part;
    yield typeof part === 'string' ? new TextPart(part) : part;
  }
}

/** As the editor makes them: told apart by `code`. */
export function languageModelError(code: string): Error {
  return Object.assign(new Error(`the editor says ${code}`), { code });
}
