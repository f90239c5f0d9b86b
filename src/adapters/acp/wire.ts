/**
 * Translates lines of an agent into messages of the protocol, and back. Updates are extracted here, in their order;
 * unrequested answers and lines outside the protocol are dropped.
 */
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { lastWords } from '../../core/agent/agentFaults.ts';
import { isFields } from '../../core/text/json.ts';
import type { InteractiveProcess } from '../../engine/session/commandPorts.ts';

/** Limit of a line. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** Limits of lines outside the protocol, before and after its first message of the protocol. */
const MAX_ODD = { before: 100, after: 10_000 };
/** Limit of the agent's unanswered requests. */
const MAX_OPEN = 256;
const NEWLINE = 0x0a;

export interface WireEvents {
  /** Called when bytes arrive. */
  sign(): void;
  /** `params` of a `session/update`. */
  told(params: Readonly<Record<string, unknown>>): void;
  /** The failure for a line that is too long, or for too many open requests. */
  tooMuch(): Error;
  /** The failure if the agent uses another protocol; `line` is its first such line. */
  strange(line: string): Error;
}

/** The stream fails with the error that `events` returns for a flood or for lines outside the protocol. */
export function openWire({ input, output }: Pick<InteractiveProcess, 'input' | 'output'>, events: WireEvents): Stream {
  const asked = new Set<unknown>();
  const open = { requests: 0 };
  const encoder = new TextEncoder();
  const writer = input.getWriter();
  const writable = new WritableStream<AnyMessage>({
    write: (message) => {
      if ('id' in message) {
        if ('method' in message) asked.add(message.id);
        else open.requests--;
      }
      return writer.write(encoder.encode(`${JSON.stringify(message)}\n`));
    },
  });
  const readable = output.pipeThrough(lines(events)).pipeThrough(messages(events, asked, open));
  return { readable, writable };
}

function lines({ sign, tooMuch }: WireEvents): TransformStream<Uint8Array, string> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const take = (end: Uint8Array): string => {
    const line = Buffer.concat([...parts, end]).toString('utf8');
    [parts, size] = [[], 0];
    return line;
  };
  return new TransformStream({
    transform(chunk, controller) {
      sign();
      let start = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, start)) {
        if (size + at - start > MAX_LINE_BYTES) throw tooMuch();
        controller.enqueue(take(chunk.subarray(start, at)));
        start = at + 1;
      }
      size += chunk.length - start;
      if (size > MAX_LINE_BYTES) throw tooMuch();
      if (start < chunk.length) parts.push(chunk.slice(start));
    },
  });
}

function messages(
  { told, strange, tooMuch }: WireEvents,
  asked: Set<unknown>,
  open: { requests: number },
): TransformStream<string, AnyMessage> {
  let spoken = false;
  let odd = 0;
  let firstOdd = '';
  return new TransformStream({
    transform(line, controller) {
      if (line.trim() === '') return;
      const message = messageOf(line);
      if (message === null) {
        if (odd++ === 0) firstOdd = lastWords(line.slice(0, 200));
        if (odd > (spoken ? MAX_ODD.after : MAX_ODD.before)) throw strange(firstOdd);
        return;
      }
      spoken = true;
      if (message['method'] === 'session/update') {
        if (isFields(message['params'])) told(message['params']);
        return;
      }
      if ('method' in message && 'id' in message && ++open.requests > MAX_OPEN) throw tooMuch();
      if (isForUs(message, asked)) controller.enqueue(message as unknown as AnyMessage);
    },
  });
}

function messageOf(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const message: unknown = JSON.parse(line);
    return isFields(message) && message['jsonrpc'] === '2.0' ? message : null;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return null;
    throw thrown;
  }
}

/**
 * A request, its cancellation, or the answer to a request of this side: the library logs an error for any other
 * message.
 */
function isForUs(message: Readonly<Record<string, unknown>>, asked: Set<unknown>): boolean {
  if (typeof message['method'] === 'string') return 'id' in message || message['method'] === '$/cancel_request';
  return 'id' in message && asked.delete(message['id']);
}
