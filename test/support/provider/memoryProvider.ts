/** The simulated model as Anthropic's, without a server: it goes wrong where it is told to. */
import { SimulatedModel } from '../../../src/adapters/simulated/model.ts';
import { encodeEvent, jsonBody } from '../../../src/adapters/simulated/provider.ts';
import { toEvents } from '../../../src/adapters/simulated/reply.ts';
import type { Scenario } from '../../../src/adapters/simulated/scenario.ts';
import type { ModelReply, Provider } from '../../../src/engine/session/gatewayPorts.ts';
import { errorBody, type Fault, type ServedRequest } from './messagesServer.ts';

interface Options {
  readonly scenario: Scenario;
  readonly faults: (request: ServedRequest) => Fault | null;
  /** Those that came are added. */
  readonly requests: ServedRequest[];
}

export function faultyProvider({ scenario, faults, requests }: Options): Provider {
  const model = new SimulatedModel(scenario);
  let messages = 0;
  return {
    name: 'anthropic',
    countsTokens: true,
    async send({ path, headers, body }, signal) {
      signal.throwIfAborted();
      const counts = path.split('?', 1)[0] !== '/v1/messages';
      const request = { index: counts ? messages : messages++, path, headers, body };
      requests.push(request);
      const fault = counts ? null : faults(request);
      if (fault?.kind === 'status') return json(fault.status, errorBody(fault.status, fault.type), fault.headers);
      const answer = model.answer(path, body);
      if (answer.kind !== 'reply') return json(answer.kind === 'error' ? answer.status : 200, jsonBody(answer));
      const reply = fault?.kind === 'stopReason' ? { ...answer.reply, stopReason: fault.stopReason } : answer.reply;
      if (!answer.stream) return json(200, jsonBody({ ...answer, reply }));
      const events = toEvents(reply).map(encodeEvent);
      const whole = fault?.kind !== 'stall';
      return streamed(whole ? events : events.slice(0, fault.afterEvents), whole, signal);
    },
  };
}

function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): ModelReply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: new Blob([JSON.stringify(body)]).stream(),
  };
}

/** One that is not whole goes on only when it is aborted. */
function streamed(events: readonly string[], whole: boolean, signal: AbortSignal): ModelReply {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const event of events) controller.enqueue(encoder.encode(event));
      if (whole) return controller.close();
      signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
    },
  });
  return { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' }, body };
}
