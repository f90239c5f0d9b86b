/** The door of a worker thread: a real Worker, the real SDK in it, and a server on this machine. */
import { MessageChannel, Worker } from 'node:worker_threads';
import { describe, expect, inject, it } from 'vitest';
import { serveGateway } from '../../../src/adapters/gateway/door/serveGateway.ts';
import type { WorkerAccount, WorkerOrder } from '../../support/process/gatewayWorker.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';
import {
  apiError,
  cut,
  hang,
  type Script,
  sse,
  textEvents,
  toolEvents,
} from '../../support/provider/scriptedServer.ts';
import { setLimits } from '../../support/state/memoryStore.ts';
import { EVENTS, KEY, OK, rows, statuses, until, type World, world } from '../../support/world/gatewayWorld.ts';

const { program, compiled } = await testPrograms(inject('tempRoot'));

interface Run {
  readonly worker: Worker;
  readonly heard: string[];
  readonly done: Promise<WorkerAccount>;
  readonly exited: Promise<void>;
}

function run(at: World, what: WorkerOrder['what']): Run {
  const { port1, port2 } = new MessageChannel();
  serveGateway(port1, at.gateway);
  const order: WorkerOrder = { door: port2, sessionId: at.session, what };
  const worker = new Worker(program('gatewayWorker'), {
    workerData: order,
    transferList: [port2],
    env: { NODE_COMPILE_CACHE: compiled },
  });
  const heard: string[] = [];
  const { promise: done, resolve, reject } = Promise.withResolvers<WorkerAccount>();
  worker.on('message', (message: { readonly heard?: string; readonly done?: WorkerAccount }) => {
    if (message.heard !== undefined) heard.push(message.heard);
    if (message.done !== undefined) resolve(message.done);
  });
  worker.on('error', reject);
  const exited = new Promise<void>((over) => worker.once('exit', () => over()));
  return { worker, heard, done, exited };
}

/** Starts a worker, waits for its account and for its end, which comes by itself. */
async function account(
  scripts: readonly Script[],
  what: WorkerOrder['what'],
): Promise<{ at: World; told: WorkerAccount }> {
  const at = await world(scripts);
  const { done, exited } = run(at, what);
  const told = await done;
  await exited;
  return { at, told };
}

describe('a worker', () => {
  it('streams, and is settled, without ever seeing the key', async () => {
    const { at, told } = await account([OK], 'stream');
    expect(told).toMatchObject({ text: 'hello', failure: null });
    expect(told.sees).not.toContain(KEY);
    expect(at.server.seen[0]?.headers['x-api-key']).toBe(KEY);
    expect(rows(at)).toMatchObject([{ status: 'settled', settled_micro_usd: 10 * 2 + 20 * 10 }]);
  });

  it('runs tools in a loop, each turn a call of the ledger', async () => {
    const { at, told } = await account([sse(toolEvents('add', { a: 2, b: 3 })), sse(textEvents('five'))], 'tools');
    expect(told).toMatchObject({ text: 'five', calls: ['2+3'], failure: null });
    expect(JSON.parse(at.server.seen[1]?.body ?? '')).toMatchObject({
      messages: [{}, { role: 'assistant' }, { role: 'user', content: [{ type: 'tool_result', content: '5' }] }],
    });
    expect(statuses(at)).toEqual(['settled', 'settled']);
  });

  it('may have several calls in one port', async () => {
    const { at, told } = await account([OK], 'both');
    expect(told.text).toBe('hello|hello');
    expect(statuses(at)).toEqual(['settled', 'settled']);
  });

  it('learns why a call was refused', async () => {
    const { at, told } = await account([apiError(401, 'authentication_error', `bad ${KEY}`)], 'stream');
    expect(told.failure).toMatchObject({
      name: expect.stringMatching(/^APIConnectionError/),
      code: 'KEY_REFUSED',
      details: { status: 401 },
    });
    expect(told.sees).not.toContain(KEY);
    expect(at.server.seen).toHaveLength(1);
    expect(statuses(at)).toEqual(['released']);
  });

  it('learns which limit is reached, and until when', async () => {
    const at = await world([OK]);
    await setLimits(at.store, { dayMicroUsd: 1 });
    const { failure } = await run(at, 'stream').done;
    expect(failure).toMatchObject({
      code: 'LIMIT_REACHED',
      details: { limit: 'day', resetsAt: expect.stringMatching(/Z$/) },
    });
  });

  it('learns that a stream broke, and runs no half tool', async () => {
    const events = toolEvents('add', { a: 2, b: 3 });
    for (const kept of [2, 4, 5, 6]) {
      const { at, told } = await account([cut(events.slice(0, kept))], 'tools');
      expect(told).toMatchObject({ calls: [], failure: { code: 'MODEL_STREAM_BROKEN', details: { reason: 'cut' } } });
      expect(statuses(at)).toEqual(['unsettled']);
    }
  });

  it.each(['abort', 'leave'] as const)('hangs up in mid-stream (%s)', async (what) => {
    const at = await world([hang(EVENTS.slice(0, 4))]);
    const { worker, heard, done, exited } = run(at, what);
    await until(() => heard.length === 1);
    if (what === 'abort') worker.postMessage('abort');
    await done;
    await exited;
    await until(() => statuses(at)[0] === 'unsettled' && at.server.hungUp() === 1);
  });

  it('that dies hangs up too', async () => {
    const at = await world([hang(EVENTS.slice(0, 4))]);
    const { worker, heard } = run(at, 'stream');
    await until(() => heard.length === 1);
    await worker.terminate();
    await until(() => statuses(at)[0] === 'unsettled' && at.server.hungUp() === 1);
  });

  it('is told when the owner closes its gateway in mid-stream', async () => {
    const at = await world([hang(EVENTS.slice(0, 4))]);
    const { heard, done } = run(at, 'stream');
    await until(() => heard.length === 1);
    await at.gateway.close();
    expect((await done).failure).toMatchObject({ code: 'ABORTED' });
    expect(statuses(at)).toEqual(['unsettled']);
  });
});
