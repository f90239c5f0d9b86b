/**
 * Serves a session's tools over the Model Context Protocol, line by line; the caller transports the lines. One server
 * for each connection, whose end may never be announced.
 */
import { type JSONRPCMessage, Server, type Tool, type Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { parseJson } from '../../core/text/json.ts';
import type { OurTool } from '../../engine/agent/ports.ts';
import type { Clock } from '../../shared/clock.ts';
import { messageOf } from '../../shared/errors.ts';

export interface SessionMcpOptions {
  readonly tools: readonly OurTool[];
  readonly clock: Clock;
  /** Time after which a call is answered without its result. */
  readonly patienceMs: number;
}

export interface SessionMcp {
  /** The reply to one line of a connection, with its line end; empty if there is none. Never rejects. */
  hear(connection: string, line: string): Promise<string>;
  /** The client of this connection has ended. */
  end(connection: string): Promise<void>;
  close(): Promise<void>;
}

/** Limit of a line, in both directions. */
const MAX_LINE = 1 << 20;
/**
 * Limit of connections; above it, the one that was idle longest is dropped. A new server needs no handshake, so that
 * client may continue.
 */
const MAX_CONNECTIONS = 8;

const CODE = { parse: -32_700, request: -32_600, internal: -32_603 } as const;

type Id = string | number | null;

function complaint(id: Id, code: number, message: string): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`;
}

interface Line {
  readonly message: JSONRPCMessage;
  /** Null for a notification, or for an answer to a request that was never sent. */
  readonly id: Exclude<Id, null> | null;
}

/** A message, or an error reply with the reason why the line is invalid. */
function read(line: string): Line | string {
  const value = parseJson(line);
  if (value === undefined) return complaint(null, CODE.parse, 'this is not JSON');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return complaint(null, CODE.request, 'one message in a line');
  }
  const { jsonrpc, id, method }: { jsonrpc?: unknown; id?: unknown; method?: unknown } = value;
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  if (Buffer.byteLength(line) > MAX_LINE) return complaint(known, CODE.request, `a line may have ${MAX_LINE} bytes`);
  if (jsonrpc !== '2.0' || (id !== undefined && known === null)) {
    return complaint(known, CODE.request, 'this is not a message of JSON-RPC 2.0');
  }
  return { message: value as JSONRPCMessage, id: typeof method === 'string' ? known : null };
}

/**
 * Passes lines to a server, and returns the reply of each. Messages that a server starts are dropped; none of the tools
 * sends any.
 */
class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #waiting = new Map<Exclude<Id, null>, (line: string) => void>();

  async start(): Promise<void> {
    // The caller pushes the lines.
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message || message.id === undefined || message.id === null) return;
    const line = `${JSON.stringify(message)}\n`;
    const fits = Buffer.byteLength(line) <= MAX_LINE;
    this.#answer(message.id, fits ? line : complaint(message.id, CODE.internal, 'the answer is too long'));
  }

  async close(): Promise<void> {
    for (const id of [...this.#waiting.keys()]) this.#answer(id, complaint(id, CODE.internal, 'the session has ended'));
    this.onclose?.();
  }

  hear({ message, id }: Line, clock: Clock, patienceMs: number): Promise<string> {
    if (id === null) {
      this.onmessage?.(message);
      return Promise.resolve('');
    }
    if (this.#waiting.has(id)) return Promise.resolve(complaint(id, CODE.request, 'this id is already in use'));
    return new Promise((resolve) => {
      const tooLong = 'the engine takes too long; what was asked may still happen';
      const cancel = clock.timer(patienceMs, () => this.#answer(id, complaint(id, CODE.internal, tooLong)));
      this.#waiting.set(id, (line) => {
        cancel();
        resolve(line);
      });
      this.onmessage?.(message);
    });
  }

  #answer(id: Exclude<Id, null>, line: string): void {
    this.#waiting.get(id)?.(line);
    this.#waiting.delete(id);
  }
}

/** Version of these tools' schemas. */
const VERSION = '1';

function toolServer(tools: readonly OurTool[]): Server {
  const server = new Server(
    { name: 'autonomous', title: 'Autonomous', version: VERSION },
    { capabilities: { tools: {} } },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema: inputSchema as Tool['inputSchema'],
      // Claude Code hides tools of servers until it has searched for them, but each session needs these.
      _meta: { 'anthropic/alwaysLoad': true },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const answer = (ok: boolean, text: string) => ({ isError: !ok, content: [{ type: 'text' as const, text }] });
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) return answer(false, `there is no tool ${params.name}`);
    try {
      const told = await tool.call(params.arguments ?? {});
      return answer(told.ok, told.text);
    } catch (thrown) {
      return answer(false, messageOf(thrown));
    }
  });
  return server;
}

interface Connection {
  readonly transport: LineTransport;
  close(): Promise<void>;
}

export function openSessionMcp(options: SessionMcpOptions): SessionMcp {
  const { clock, tools, patienceMs } = options;
  /** In the order of their last line. */
  const connections = new Map<string, Connection>();
  let open = true;

  async function end(name: string): Promise<void> {
    const connection = connections.get(name);
    connections.delete(name);
    await connection?.close();
  }

  function connect(): Connection {
    const transport = new LineTransport();
    const serving = serveStdio(() => toolServer(tools), { transport });
    return { transport, close: () => serving.close() };
  }

  function connectionOf(name: string): Connection {
    const connection = connections.get(name) ?? connect();
    connections.delete(name);
    connections.set(name, connection);
    const [silent] = connections.keys();
    if (connections.size > MAX_CONNECTIONS && silent !== undefined) void end(silent);
    return connection;
  }

  return {
    async hear(name, text) {
      const line = read(text);
      if (typeof line === 'string') return line;
      if (!open) return line.id === null ? '' : complaint(line.id, CODE.internal, 'the session has ended');
      return connectionOf(name).transport.hear(line, clock, patienceMs);
    },
    end,
    async close() {
      open = false;
      await Promise.all([...connections.keys()].map(end));
    },
  };
}
