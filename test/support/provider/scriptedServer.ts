/** A loopback HTTP server that answers each request as the test says, and keeps what it saw. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PATIENT } from './patientServer.ts';

export interface SeenRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Answers one request; it may leave the response open, or destroy it. */
export type Script = (response: ServerResponse, request: SeenRequest) => void | Promise<void>;

export interface ScriptedServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly seen: SeenRequest[];
  /** Connections that the other side closed before the answer was over. */
  readonly hungUp: () => number;
}

/** `scripts` are used up in order; the last one stays. */
export async function scriptedServer(...scripts: readonly Script[]): Promise<ScriptedServer> {
  const seen: SeenRequest[] = [];
  let hungUp = 0;
  const server = createServer(PATIENT, (incoming, response) => {
    const chunks: Buffer[] = [];
    response.on('close', () => {
      if (!response.writableFinished) hungUp++;
    });
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = {
        url: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      const script = scripts[Math.min(seen.push(request), scripts.length) - 1];
      void script?.(response, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    hungUp: () => hungUp,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface ReportedUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_read_input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
  readonly cache_creation?: { readonly ephemeral_5m_input_tokens: number; readonly ephemeral_1h_input_tokens: number };
}

const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-5-5',
  content: [] as unknown[],
  stop_reason: null as string | null,
  stop_sequence: null,
};

const event = (data: { readonly type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

/** The events of one streamed text, each as it goes over the wire. Usage is cumulative, as the API reports it. */
export function textEvents(text: string, usage: ReportedUsage = {}, model = MESSAGE.model): string[] {
  const start = { input_tokens: 10, output_tokens: 1, ...usage };
  return [
    event({ type: 'message_start', message: { ...MESSAGE, model, usage: { ...start, output_tokens: 1 } } } as never),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as never),
    event({ type: 'ping' }),
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } } as never),
    event({ type: 'content_block_stop', index: 0 } as never),
    event({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: usage.output_tokens ?? 20 },
    } as never),
    event({ type: 'message_stop' }),
  ];
}

/** The events of one streamed tool call. */
export function toolEvents(name: string, input: unknown, usage: ReportedUsage = {}): string[] {
  const events = textEvents('', usage);
  const block = { type: 'tool_use', id: 'toolu_1', name, input: {} };
  events[1] = event({ type: 'content_block_start', index: 0, content_block: block } as never);
  events[3] = event({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
  } as never);
  events[5] = (events[5] ?? '').replace('end_turn', 'tool_use');
  return events;
}

export function errorEvent(type: string): string {
  return event({ type: 'error', error: { type, message: type } } as never);
}

/** A stream of these events that ends well. */
export function sse(events: readonly (string | Uint8Array)[]): Script {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const one of events) response.write(one);
    response.end();
  };
}

/** A stream of these events after which the connection is lost. */
export function cut(events: readonly string[]): Script {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(events.join(''), () => response.destroy());
  };
}

/** A stream of these events that then says nothing more. */
export function hang(events: readonly string[]): Script {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(events.join(''));
  };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Script {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

export function apiError(status: number, type: string, message = type, headers: Record<string, string> = {}): Script {
  return json(status, { type: 'error', error: { type, message } }, headers);
}

/** A whole message in one piece. */
export function message(
  text: string,
  usage: ReportedUsage = { input_tokens: 10, output_tokens: 20 },
  model = MESSAGE.model,
): Script {
  return json(200, { ...MESSAGE, model, content: [{ type: 'text', text }], stop_reason: 'end_turn', usage });
}
