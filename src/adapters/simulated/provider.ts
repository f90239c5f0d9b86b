/** Offers the simulated model as a provider of the gateway. */
import type { ModelReply, ModelRequest, Provider } from '../../engine/session/gatewayPorts.ts';
import type { Clock } from '../../shared/clock.ts';
import { failure } from '../../shared/errors.ts';
import { type Answer, SimulatedModel } from './model.ts';
import { type StreamEvent, toEvents, toMessage } from './reply.ts';
import type { Scenario } from './scenario.ts';

interface Options {
  readonly scenario: Scenario;
  readonly clock: Clock;
  /** Delay before each reply. Default: the scenario's. */
  readonly delayMs?: number;
}

/** Marks every answer as simulated; ids of messages and tool calls do so too. */
const MARK = { 'x-autonomous-simulated': '1' } as const;

/** A provider that answers from one scenario. Throws SCENARIO_EXHAUSTED if the scenario has no answer. */
export function simulatedProvider({ scenario, clock, delayMs = scenario.delayMs }: Options): Provider {
  const model = new SimulatedModel(scenario);
  return {
    name: 'simulated',
    countsTokens: true,
    async send(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
      signal.throwIfAborted();
      const answer = model.answer(request.path, request.body);
      if (answer.kind === 'error' && answer.exhausted) {
        throw failure('SCENARIO_EXHAUSTED', answer.message, {
          hint: 'The simulated model has only the answers of its scenario; extend the scenario.',
          details: { scenario: scenario.title, sessionId: request.sessionId },
        });
      }
      if (answer.kind === 'reply' && delayMs > 0) await clock.sleep(delayMs, signal);
      return toModelReply(answer, signal);
    },
  };
}

function toModelReply(answer: Answer, signal: AbortSignal): ModelReply {
  if (answer.kind === 'reply' && answer.stream) {
    const headers = {
      'content-type': 'text/event-stream; charset=utf-8',
      'request-id': requestId(answer.reply.id),
      ...MARK,
    };
    return { status: 200, headers, body: byteStream(toEvents(answer.reply).map(encodeEvent), signal) };
  }
  const headers = { 'content-type': 'application/json', ...MARK };
  const status = answer.kind === 'error' ? answer.status : 200;
  return { status, headers, body: byteStream([JSON.stringify(jsonBody(answer))], signal) };
}

/** The JSON body of an unstreamed answer. */
export function jsonBody(answer: Answer): Readonly<Record<string, unknown>> {
  if (answer.kind === 'reply') return toMessage(answer.reply);
  if (answer.kind === 'tokens') return { input_tokens: answer.inputTokens };
  return { type: 'error', error: { type: answer.type, message: answer.message }, request_id: null };
}

/** One event in its wire format. */
export function encodeEvent({ event, data }: StreamEvent): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function requestId(messageId: string): string {
  return messageId.replace(/^msg/, 'req');
}

/** One chunk per pull, so that an abort between two events takes effect. */
function byteStream(chunks: readonly string[], signal: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks[next++];
      if (signal.aborted) controller.error(signal.reason);
      else if (chunk === undefined) controller.close();
      else controller.enqueue(encoder.encode(chunk));
    },
  });
}
