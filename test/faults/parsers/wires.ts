/** What comes over a socket, a pipe or a page, and what lies in our own files. */
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { lastEntry, openConversation } from '../../../src/adapters/files/conversationFile.ts';
import { openTranscript } from '../../../src/adapters/files/transcripts.ts';
import { newStepsSchema, newTaskSchema, reasonSchema, resumeSchema } from '../../../src/adapters/http/bodies.ts';
import { readQuery } from '../../../src/adapters/http/input.ts';
import { frames } from '../../../src/adapters/ipc/frames.ts';
import { isWelcome, readAnswer, readHello, readToken } from '../../../src/adapters/ipc/greeting.ts';
import { peer } from '../../../src/adapters/ipc/rpc.ts';
import { lineSeal } from '../../../src/adapters/log/seal.ts';
import { parseSegment, sealEvent, sealHeader } from '../../../src/adapters/log/segment.ts';
import { openSessionMcp } from '../../../src/adapters/mcp/sessionMcp.ts';
import { parseJson } from '../../../src/core/text/json.ts';
import { repeatedKey } from '../../../src/core/text/repeatedKey.ts';
import { REQUESTS } from '../../../src/engine/state/api.ts';
import type { FileOps, LineSeal } from '../../../src/engine/state/storePorts.ts';
import { isNestedDeeper } from '../../../src/shared/jsonDepth.ts';
import type { Event } from '../../../src/shared/workspace/events.ts';
import { fromPage } from '../../../src/shared/workspace/pageProtocol.ts';
import { FakeClock } from '../../support/time/fakeClock.ts';
import type { Parser } from './judge.ts';

const clock = new FakeClock();
const json = (value: unknown): string => JSON.stringify(value);
const SEAL = lineSeal(Buffer.alloc(32, 7), 'events');
/** Takes every line at its word, so that what is inside is reached. */
const OPEN: LineSeal = { ...SEAL, check: (line) => (line.length > 2 ? 'mac' : null) };
const NAME = { file: '3-1.jsonl', epoch: 3, n: 1 };
const EVENT = { type: 'job_woken', job_id: 'a', seq: 1, epoch: 3, at: '2026-11-02T12:00:00.000Z' } as Event;
const SEGMENT = `${sealHeader(SEAL, NAME, { epoch: 0, seq: 0, mac: '' }).line}\n${sealEvent(SEAL, EVENT, '').line}\n${sealEvent(SEAL, { ...EVENT, seq: 2 }, 'aa').line}\n`;

/** A folder of one file. */
function oneFile(name: string, text: string): FileOps {
  const none = async (): Promise<never> => Promise.reject(new Error('nothing is written here'));
  const bytes = Buffer.from(text);
  return {
    makeDir: async () => undefined,
    stat: async (path) => ({ kind: path.endsWith(name) ? 'file' : 'folder', size: bytes.length, mode: 0o600, uid: 0 }),
    list: async () => [name],
    read: async () => bytes,
    readEnd: async () => bytes,
    create: none,
    openNew: none,
    openAppend: none,
    rename: none,
    link: none,
    remove: none,
    removeFolder: none,
    chmod: none,
    syncDir: none,
  };
}

const ENTRY = { kind: 'user', text: 'hi' };
const TRANSCRIPT = [1, 2].map((n) => OPEN.seal(json({ session: 1, epoch: 3, n, entry: ENTRY })).line).join('\n');
const CONVERSATION = [1, 2]
  .map(
    (n) =>
      OPEN.seal(json({ project: 'web', epoch: 3, n, kind: n === 1 ? 'opening' : 'user', upTo: n, entry: ENTRY })).line,
  )
  .join('\n');

const REPLY = { kind: 'reply', message: { content: [], stop_reason: 'end_turn' } };
const ANSWERED = OPEN.seal(json({ project: 'web', epoch: 3, n: 1, kind: 'reply', upTo: 1, entry: REPLY })).line;

/** What a socket's bytes come to: calls answered, or the socket closed. */
async function ipc(text: string): Promise<unknown> {
  const socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    written: 0,
    destroy: () => undefined as unknown,
    write: (_: string) => true,
  });
  socket.destroy = () => {
    socket.destroyed = true;
  };
  const channel = frames(socket as unknown as Socket, 4_096);
  const told: unknown[] = [];
  const rpc = peer(
    channel,
    { echo: async (params) => params },
    (topic, payload) => told.push(topic, payload),
    () => socket.destroy(),
  );
  const bytes = Buffer.from(text);
  const cut = bytes.length % 61;
  for (const part of [bytes.subarray(0, cut), bytes.subarray(cut)]) if (!socket.destroyed) socket.emit('data', part);
  for (let turns = 0; turns < 8; turns++) await Promise.resolve();
  rpc.close(new Error('over'));
  return [told, socket.destroyed];
}

const report = { name: 'report', description: 'd', inputSchema: { type: 'object' } };
const call = async (): Promise<{ ok: boolean; text: string }> => ({ ok: true, text: 'done' });
const mcp = openSessionMcp({ tools: [{ ...report, call }], clock, patienceMs: 1_000 });
let connections = 0;

async function mcpLine(text: string): Promise<unknown> {
  const name = `c${++connections}`;
  const answers = text.split('\n').map((line) => mcp.hear(name, line));
  await Promise.resolve();
  // What nobody answers is answered in time.
  for (let turns = 0; turns < 20; turns++) await Promise.resolve();
  clock.advance(2_000);
  const heard = await Promise.all(answers);
  await mcp.end(name);
  return heard;
}

const TASK = { name: 'T', project: 'web', steps: [{ name: 'A', action: 'notify', params: { title: 't' } }] };

export const WIRES: readonly Parser[] = [
  {
    name: 'segment of the log',
    corpus: [SEGMENT],
    words: ['\n', '\0\0\0\0', ',"mac":"', '"seq":2'],
    read: (text) => parseSegment(NAME, Buffer.from(text), SEAL),
  },
  {
    name: 'segment of the log whose seal holds',
    corpus: [SEGMENT],
    words: ['\n', '"seq":', '"epoch":3', '"v":1', '"after":{}'],
    read: (text) => parseSegment(NAME, Buffer.from(text), OPEN),
  },
  {
    name: 'transcript',
    corpus: [TRANSCRIPT],
    words: ['\n', '"n":1', '"session":1', '{'],
    read: async (text) =>
      (await openTranscript({ stateDir: '/s', sessionId: 1, epoch: 4, ops: oneFile('1.3.jsonl', text), seal: SEAL }))
        .problems,
  },
  {
    name: 'conversation of a project',
    corpus: [CONVERSATION],
    words: ['\n', '"n":1', '"kind":"compacted"'],
    read: async (text) =>
      (
        await openConversation({
          folder: '/s',
          projectId: 'web',
          epoch: 4,
          ops: oneFile('current.jsonl', text),
          seal: SEAL,
          clock,
        })
      ).problems,
  },
  {
    name: 'end of a conversation',
    corpus: [CONVERSATION, `${ANSWERED}\n`],
    words: ['\n', '"stop_reason":"end_turn"', '"kind":"reply"'],
    read: (text) => lastEntry({ folder: '/s', projectId: 'web', ops: oneFile('current.jsonl', text), seal: SEAL }),
  },
  {
    name: 'frames of a socket',
    corpus: [
      '{"m":"call","a":["echo",{"a":1}],"i":"1","t":"q"}\n',
      '{"i":"1","t":"s","r":1}\n',
      '{"m":"tell","a":["x",{}],"t":"q"}\n{}\n',
    ],
    words: ['\n', '"t":"q"', '"e":{"code":"DISK","message":"m"}', '"m":"__proto__"', '"a":["toString",{}]'],
    read: ipc,
  },
  {
    name: 'greeting of a socket',
    corpus: [
      json({ hello: 1, nonce: 'a'.repeat(64) }),
      json({ owner: 1, proof: 'b'.repeat(64) }),
      json({ token: 'c'.repeat(64) }),
      json({ welcome: true }),
    ],
    read: (text) => [readHello, readAnswer, readToken, isWelcome].map((read) => read(parseJson(text))),
  },
  {
    name: 'lines of MCP',
    corpus: [
      json({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'report', arguments: {} } }),
      json({ jsonrpc: '2.0', id: 2, method: 'tools/list' }),
      json({
        jsonrpc: '2.0',
        id: 3,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
      }),
    ],
    words: ['"method":"tools/call"', '"id":1', '"jsonrpc":"2.0"', '\n'],
    read: mcpLine,
  },
  {
    name: 'message of a page',
    corpus: [
      json({ kind: 'ready' }),
      json({ kind: 'look', featureId: 1, costs: true, conversation: null, messages: 5, task: null, step: null }),
      json({ kind: 'retryFeature', featureId: 3 }),
    ],
    words: ['"kind":"approve"', '"id":1'],
    read: (text) => fromPage.safeParse(parseJson(text)).data,
  },
  {
    name: 'body of the HTTP API',
    corpus: [
      json(TASK),
      json({ steps: TASK.steps }),
      json({ reason: 'r' }),
      json({ template: 'x', project: 'web', values: { a: 'b' } }),
    ],
    words: ['"params":{"__proto__":{}}', '"steps":[]'],
    read: (text) =>
      isNestedDeeper(text, 64)
        ? null
        : [newTaskSchema, newStepsSchema, reasonSchema, resumeSchema].map(
            (schema) => schema.safeParse(parseJson(text)).data,
          ),
  },
  {
    name: 'query of the HTTP API',
    corpus: ['status=RUNNING&limit=5', 'a=1&b=2&a=3'],
    words: ['&', '=', '%', '__proto__=1'],
    read: (text) => readQuery(new URLSearchParams(text)),
  },
  {
    name: 'requests of a client',
    isDear: true,
    corpus: [
      json({ project: 'web', text: 'hi', from: 'steward' }),
      json({ jobId: 'a', reason: 'r', by: 'steward' }),
      json({ id: 1, decision: 'approved', choice: null, feedback: null, by: 'steward' }),
    ],
    read: (text) => {
      const value = parseJson(text);
      return Object.values(REQUESTS).map((schema) => schema.safeParse(value).data);
    },
  },
  {
    name: 'names that come twice',
    corpus: ['{"a":1,"b":{"a":2}}', '[{"a":"\\"","\\u0061":1}]'],
    read: (text) => (parseJson(text) === undefined ? null : repeatedKey(text)),
  },
];
