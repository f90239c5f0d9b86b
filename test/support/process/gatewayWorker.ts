/** A worker thread that works as a project worker does: the real SDK over the gateway's fetch. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import Anthropic from '@anthropic-ai/sdk';
import { gatewayFetch } from '../../../src/adapters/gateway/door/gatewayClient.ts';
import { findFailure } from '../../../src/shared/errors.ts';

export interface WorkerOrder {
  readonly door: MessagePort;
  readonly sessionId: number;
  readonly what: 'stream' | 'tools' | 'abort' | 'leave' | 'both';
}

/** What the worker tells when it is done. */
export interface WorkerAccount {
  readonly text: string;
  readonly calls: readonly string[];
  readonly failure: { readonly name: string; readonly code: string | null; readonly details: unknown } | null;
  /** Everything that the thread can see of its surroundings. */
  readonly sees: string;
}

const { door, sessionId, what } = workerData as WorkerOrder;
const client = new Anthropic({
  apiKey: 'unused',
  authToken: null,
  baseURL: 'http://gateway.invalid',
  maxRetries: 0,
  fetch: gatewayFetch(door, sessionId),
});
const ASK = { model: 'claude-sonnet-5-5', max_tokens: 1000, messages: [{ role: 'user' as const, content: 'hi' }] };
const calls: string[] = [];

async function stream(signal?: AbortSignal): Promise<string> {
  let text = '';
  const events = await client.messages.create({ ...ASK, stream: true }, { signal: signal ?? null });
  for await (const event of events) {
    if (event.type !== 'content_block_delta' || event.delta.type !== 'text_delta') continue;
    text += event.delta.text;
    parentPort?.postMessage({ heard: text });
    if (what === 'leave') break;
  }
  return text;
}

async function tools(): Promise<string> {
  const add = {
    name: 'add',
    description: 'adds',
    input_schema: { type: 'object' as const, properties: {} },
    parse: (input: unknown) => input as { readonly a: number; readonly b: number },
    run: async ({ a, b }: { readonly a: number; readonly b: number }) => {
      calls.push(`${a}+${b}`);
      return String(a + b);
    },
  };
  const runner = client.beta.messages.toolRunner({ ...ASK, tools: [add], stream: true, thread: false });
  let text = '';
  for await (const turn of runner) {
    const message = await turn.finalMessage();
    text = message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  }
  return text;
}

async function work(): Promise<string> {
  if (what === 'tools') return tools();
  if (what === 'both') return (await Promise.all([stream(), stream()])).join('|');
  if (what !== 'abort') return stream();
  const abort = new AbortController();
  parentPort?.once('message', () => abort.abort());
  return stream(abort.signal);
}

function account(text: string, thrown?: unknown): WorkerAccount {
  const found = findFailure(thrown);
  const failure =
    thrown instanceof Error
      ? { name: thrown.constructor.name, code: found?.code ?? null, details: found?.details }
      : null;
  const sees = JSON.stringify([process.env, process.argv, workerData, String(thrown), found?.message, found?.cause]);
  return { text, calls, failure, sees };
}

const done = await work().then(
  (text) => account(text),
  (thrown: unknown) => account('', thrown),
);
parentPort?.postMessage({ done });
