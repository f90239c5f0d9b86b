/** Calls Anthropic's Messages API, or a compatible server, over HTTP. Holds the key for the length of a request. */

import { SHORTEST_KNOWN } from '../../../core/guard/knownSecrets.ts';
import { printsOf } from '../../../core/guard/secretPrints.ts';
import { dataWithoutSecrets, withoutSecrets } from '../../../core/guard/secrets.ts';
import { KEY_MISSING, SLOW } from '../../../core/workspace/notReady.ts';
import type { ModelReply, ModelRequest, Provider } from '../../../engine/session/gatewayPorts.ts';
import type { Clock } from '../../../shared/clock.ts';
import { type AutonomousError, asFailure, type ErrorDetails, failure } from '../../../shared/errors.ts';
import { connectionFailure } from './connectionFailure.ts';

export interface AnthropicOptions {
  /** `https://api.anthropic.com`, optionally with a path. Plain http only to this machine. */
  readonly baseUrl: string;
  /** Read for each request; undefined or empty if there is no key. */
  readonly key: () => Promise<string | undefined>;
  /** Limits the time of `check` for the server's reply. Without it, `check` validates only the key. */
  readonly clock?: Pick<Clock, 'timer'>;
  /** Sends through the proxy of the environment; without it the global `fetch` is used. */
  readonly proxy?: typeof fetch | null;
}

export const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const MAX_ERROR_BYTES = 64 * 1024;

/** Throws INVALID_INPUT for a base URL that would reveal the key. */
export function anthropicProvider({ baseUrl, key, clock, proxy = null }: AnthropicOptions): Provider {
  const base = checkedBase(baseUrl);
  return {
    name: 'anthropic',
    countsTokens: true,
    async check() {
      try {
        await usableKey(key);
      } catch (thrown) {
        // Without a key no request leaves, so the server is not checked.
        return [asFailure(thrown)];
      }
      const unreached = clock === undefined ? null : await reach(base, clock, proxy);
      return unreached === null ? [] : [unreached];
    },
    async send(request, signal) {
      const secret = await usableKey(key);
      if (signal.aborted) throw failure('ABORTED', 'the call was aborted', { details: { sent: false } });
      return withoutSecret(await post(base, request, secret, { signal, proxy }), secret);
    },
  };
}

function checkedBase(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const safe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (url === null || !safe || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw failure('INVALID_INPUT', 'the base URL of the model server cannot be used', {
      hint: 'It must be https, or http to this machine, without credentials, query or fragment.',
    });
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

async function usableKey(key: () => Promise<string | undefined>): Promise<string> {
  const secret = (await key())?.trim() ?? '';
  if (secret === '') {
    throw failure('KEY_MISSING', KEY_MISSING.message, {
      hint: KEY_MISSING.hint,
      details: { sent: false },
    });
  }
  // A header with invalid characters would be quoted in the error.
  if (!/^[\x21-\x7e]+$/.test(secret)) {
    throw failure('KEY_REFUSED', 'the API key has characters that no key has', {
      hint: 'Set the key again, without spaces or line breaks.',
      details: { sent: false },
    });
  }
  return secret;
}

async function post(
  base: string,
  request: ModelRequest,
  secret: string,
  { signal, proxy }: { readonly signal: AbortSignal; readonly proxy: typeof fetch | null },
): Promise<ModelReply> {
  try {
    const response = await (proxy ?? fetch)(base + request.path, {
      method: request.method,
      headers: { 'anthropic-version': '2023-06-01', ...request.headers, 'x-api-key': secret },
      body: request.method === 'GET' ? null : request.body,
      // A redirect would send the key to another server.
      redirect: 'manual',
      signal,
    });
    const body = response.body ?? new Blob([]).stream();
    return { status: response.status, headers: Object.fromEntries(response.headers), body };
  } catch (thrown) {
    throw signal.aborted ? failure('ABORTED', 'the call was aborted') : connectionFailure(thrown, proxy !== null);
  }
}

const REACH_MS = 5_000;

/** Sends an empty request without the key: any answer shows that requests arrive. Null if the server answers. */
async function reach(base: string, clock: Pick<Clock, 'timer'>, proxy: typeof fetch | null) {
  const limit = new AbortController();
  const cancel = clock.timer(REACH_MS, () => limit.abort());
  const hint = `Check the network and the base URL (ANTHROPIC_BASE_URL, or the setting autonomous.baseUrl): curl -I ${base}`;
  const said = (what: string, details: ErrorDetails): AutonomousError =>
    failure('MODEL_UNAVAILABLE', `the model server ${base} ${what}`, { hint, details });
  try {
    const response = await (proxy ?? fetch)(`${base}/`, { method: 'HEAD', redirect: 'manual', signal: limit.signal });
    await response.body?.cancel();
    return null;
  } catch (thrown) {
    if (limit.signal.aborted) return said(`did not answer within ${REACH_MS / 1_000} s`, { sent: true, reason: SLOW });
    const { message, details } = connectionFailure(thrown, proxy !== null);
    return said(`cannot be reached: ${message}`, details);
  } finally {
    cancel();
  }
}

/**
 * A server may quote the key. An error text is cleaned here. An answer is never altered: the threads that store it
 * recognize the key.
 */
async function withoutSecret(reply: ModelReply, secret: string): Promise<ModelReply> {
  const clean = withoutSecrets(() => [secret]);
  const headers = dataWithoutSecrets(reply.headers, clean);
  if (reply.status === 200)
    return { ...reply, headers, secrets: secret.length < SHORTEST_KNOWN ? [] : printsOf(secret) };
  return { ...reply, headers, body: new Blob([clean(await startOf(reply.body))]).stream() };
}

/** Reads the beginning of an error's text, as far as it arrives. */
async function startOf(body: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_ERROR_BYTES) break;
    }
  } catch {
    // The status is enough.
    return Buffer.concat(chunks).toString('utf8');
  }
  return Buffer.concat(chunks).toString('utf8');
}
