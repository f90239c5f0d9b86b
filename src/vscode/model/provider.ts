/** The editor's language models (Copilot's, for instance) as a provider behind the gateway's door. */
import type * as vscode from 'vscode';
import { LmAnswer, readPart } from '../../core/model/lm/lmAnswer.ts';
import { type LmMessage, type LmRequest, textOfRequest, toLmRequest } from '../../core/model/lm/lmTranslate.ts';
import { byteStream, EVENT_STREAM, errorBody, JSON_BODY } from '../../core/model/messagesEvents.ts';
import type { ModelReply, Provider } from '../../engine/session/gatewayPorts.ts';
import { failure } from '../../shared/errors.ts';
import { findModel } from './models.ts';
import { type Refusal, refusalOf } from './refusals.ts';

/** The part of the editor that is needed. */
export type LanguageModels = Pick<
  typeof vscode,
  | 'lm'
  | 'CancellationTokenSource'
  | 'LanguageModelChatMessage'
  | 'LanguageModelChatToolMode'
  | 'LanguageModelTextPart'
  | 'LanguageModelToolCallPart'
  | 'LanguageModelToolResultPart'
>;

/** Answers with whichever of the editor's models the request names; see `findModel`. The user's consent is the editor's to ask. */
export function languageModelProvider(editor: LanguageModels): Provider {
  let answers = 0;
  return {
    name: 'vscode-lm',
    countsTokens: true,
    async check(names) {
      const found = await Promise.all(names.map(async (name) => ({ name, model: await findModel(editor, name) })));
      return found
        .filter(({ model }) => model === null)
        .map(({ name }) => failure('MODEL_NOT_CHOSEN', noModel(name), { details: { sent: false } }));
    },
    async send(request, signal) {
      if (signal.aborted) throw failure('ABORTED', 'the call was aborted', { details: { sent: false } });
      const translated = toLmRequest(request.body);
      if ('refused' in translated) return errorReply(400, 'invalid_request_error', translated.refused);
      const model = await findModel(editor, translated.request.model);
      if (model === null) return errorReply(404, 'not_found_error', noModel(translated.request.model));
      const counts = request.path.split('?', 1)[0]?.endsWith('/count_tokens') === true;
      const call: Call = { editor, model, request: translated.request, signal, id: `msg_vscode_${++answers}` };
      return counts ? json({ input_tokens: await inputTokens(call) }) : ask(call);
    },
  };
}

interface Call {
  readonly editor: LanguageModels;
  readonly model: vscode.LanguageModelChat;
  readonly request: LmRequest;
  readonly signal: AbortSignal;
  readonly id: string;
}

async function ask(call: Call): Promise<ModelReply> {
  const { editor, model, request, signal, id } = call;
  const inputTokensNow = await inputTokens(call);
  if (inputTokensNow > model.maxInputTokens) {
    const message = `prompt is too long: ${inputTokensNow} tokens, ${model.name} takes ${model.maxInputTokens}`;
    return errorReply(400, 'invalid_request_error', message);
  }
  const source = new editor.CancellationTokenSource();
  const cancel = () => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const done = () => {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  };
  let sent = false;
  try {
    signal.throwIfAborted();
    const messages = request.messages.map((message) => toMessage(editor, message));
    sent = true;
    const response = await model.sendRequest(messages, requestOptions(editor, request), source.token);
    signal.throwIfAborted();
    const answer = new LmAnswer({
      id,
      model: request.model,
      inputTokens: inputTokensNow,
      maxTokens: request.maxTokens,
    });
    const events = eventsOf(answer, response.stream, call, done);
    if (!request.stream) return await whole(answer, events, call);
    return { status: 200, headers: EVENT_STREAM, body: byteStream(events, () => events.return(undefined)) };
  } catch (thrown) {
    done();
    if (signal.aborted) throw failure('ABORTED', 'the call was aborted', sent ? {} : { details: { sent } });
    return refusedReply(refusalOf(thrown));
  }
}

function requestOptions(editor: LanguageModels, request: LmRequest): vscode.LanguageModelChatRequestOptions {
  const mode = editor.LanguageModelChatToolMode;
  return {
    justification: 'Autonomous carries out your brief with this model.',
    modelOptions: { max_tokens: request.maxTokens },
    ...(request.tools.length === 0
      ? {}
      : { tools: [...request.tools], toolMode: request.mustCall ? mode.Required : mode.Auto }),
  };
}

function toMessage(editor: LanguageModels, { role, parts }: LmMessage): vscode.LanguageModelChatMessage {
  if (role === 'assistant') {
    const content = parts.map((part) =>
      part.kind === 'call'
        ? new editor.LanguageModelToolCallPart(part.id, part.name, part.input)
        : new editor.LanguageModelTextPart(part.text),
    );
    return editor.LanguageModelChatMessage.Assistant(content);
  }
  const content = parts.map((part) => {
    if (part.kind === 'result')
      return new editor.LanguageModelToolResultPart(part.id, [new editor.LanguageModelTextPart(part.text)]);
    return new editor.LanguageModelTextPart(part.kind === 'text' ? part.text : `[called ${part.name}]`);
  });
  return editor.LanguageModelChatMessage.User(content);
}

/** Throws when the stream breaks off: a cut answer must not look like a whole one. */
async function* eventsOf(
  answer: LmAnswer,
  parts: AsyncIterable<unknown>,
  call: Call,
  done: () => void,
): AsyncGenerator<string> {
  try {
    yield answer.start();
    for await (const raw of parts) {
      call.signal.throwIfAborted();
      const part = readPart(raw);
      if (part !== null) yield answer.part(part);
    }
    call.signal.throwIfAborted();
    yield answer.end(await tokens(call, answer.text()));
  } finally {
    done();
  }
}

async function whole(answer: LmAnswer, events: AsyncGenerator<string>, call: Call): Promise<ModelReply> {
  for await (const _ of events);
  return { status: 200, headers: JSON_BODY, body: bytes(answer.message(await tokens(call, answer.text()))) };
}

const inputTokens = (call: Call): Promise<number> => tokens(call, textOfRequest(call.request));

/** If the model cannot count, estimates a third of the characters: more than any tokenizer counts for ordinary text. */
async function tokens({ model }: Call, text: string): Promise<number> {
  if (text === '') return 0;
  try {
    return Math.max(1, Math.ceil(await model.countTokens(text)));
  } catch {
    // The count is only a measure: the call itself will say what is wrong.
    return Math.ceil(text.length / 3);
  }
}

const bytes = (text: string): ReadableStream<Uint8Array> => new Blob([text]).stream();
const json = (body: object): ModelReply => ({ status: 200, headers: JSON_BODY, body: bytes(JSON.stringify(body)) });

function errorReply(status: number, type: string, message: string): ModelReply {
  return { status, headers: JSON_BODY, body: bytes(errorBody(type, message)) };
}

function refusedReply(refusal: Refusal): ModelReply {
  if ('failure' in refusal) throw refusal.failure;
  return errorReply(refusal.status, refusal.type, refusal.message);
}

const noModel = (name: string): string =>
  `the editor has no language model ${JSON.stringify(name.slice(0, 100))}; choose one with "Autonomous: Choose Provider"`;
