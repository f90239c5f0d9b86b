/** A model server over HTTP: adds the credential and the headers of its connection to each request, and holds them only so long. */
import { SHORTEST_KNOWN } from '../../../core/guard/knownSecrets.ts';
import { printsOf } from '../../../core/guard/secretPrints.ts';
import { dataWithoutSecrets, withoutSecrets } from '../../../core/guard/secrets.ts';
import { awsCredentials, awsService, secretsIn } from '../../../core/model/connection/awsCredentials.ts';
import { SLOW } from '../../../core/workspace/notReady.ts';
import type { ModelReply } from '../../../engine/session/gatewayPorts.ts';
import type { Clock } from '../../../shared/clock.ts';
import { type AutonomousError, asFailure, type ErrorDetails, failure } from '../../../shared/errors.ts';
import { type Auth, BASE_RULE, safeBase } from '../../../shared/model/connections.ts';
import type { SignedRequest } from './awsSignature.ts';
import { connectionFailure } from './connectionFailure.ts';

/** Where requests go, and what they carry. */
export interface HostOptions {
  /** `https://api.anthropic.com`, optionally with a path. Plain http only to this machine. */
  readonly baseUrl: string;
  readonly auth: Auth;
  /**
   * Read for each request; undefined or empty if there is no key. `fresh`: the server refused the last one, so a key that a command
   * prints is read again.
   */
  readonly key: (fresh: boolean) => Promise<string | undefined>;
  /** Sent with each request. Every value is a secret. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Limits the time of `check` for the server's reply. Without it, `check` validates only the key. */
  readonly clock?: Pick<Clock, 'timer'> | undefined;
  /** Sends through the proxy of the environment; without it the global `fetch` is used. */
  readonly proxy?: typeof fetch | null;
  /** Whether a proxy of the environment is used, for errors. Defaults to whether there is a `proxy`. */
  readonly isProxied?: boolean;
  /** The error of a missing key. */
  readonly missing: { readonly message: string; readonly hint: string };
  /** What helps if the server cannot be reached. */
  readonly reachHint: string;
}

export interface HostRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null for a request without a body. */
  readonly body: string | null;
  /** Sent without the key. */
  readonly isKeyless?: true;
}

export interface ModelHost {
  /** Why requests would be refused now: KEY_MISSING, KEY_REFUSED, or MODEL_UNAVAILABLE. Sends no key. */
  check(): Promise<readonly AutonomousError[]>;
  /** Rejects as `Provider.send` does. `path` follows the base URL. The text of an error is without secrets. */
  send(path: string, request: HostRequest, signal: AbortSignal): Promise<ModelReply>;
  /** The text without the secrets that were sent. */
  redact(text: string): string;
}

const MAX_ERROR_BYTES = 64 * 1024;

/** Throws INVALID_INPUT for a base URL that would reveal the key. */
export function modelHost(options: HostOptions): ModelHost {
  const base = safeBase(options.baseUrl);
  if (base === null) {
    throw failure('INVALID_INPUT', 'the base URL of the model server cannot be used', {
      hint: `${BASE_RULE[0]?.toUpperCase()}${BASE_RULE.slice(1)}.`,
    });
  }
  const { clock, proxy = null, isProxied = proxy !== null, headers = {} } = options;
  const used = new Set(Object.values(headers));
  const attempt = async (path: string, request: HostRequest, signal: AbortSignal, fresh: boolean) => {
    const secret = request.isKeyless ? '' : await usableKey(options, fresh);
    if (signal.aborted) throw failure('ABORTED', 'the call was aborted', { details: { sent: false } });
    const named = { ...request, headers: inLowerCase({ ...request.headers, ...headers }) };
    const url = base + path;
    const sent = {
      ...named,
      headers: { ...named.headers, ...(await authHeaders(options.auth, secret, { url, ...named })) },
    };
    const reply = await post(url, sent, { signal, proxy, isProxied });
    for (const one of secretsIn(options.auth, secret)) used.add(one);
    return { reply: await withoutSecret(reply, secretsOf(used)), secret };
  };
  return {
    redact: withoutSent(() => secretsOf(used)),
    async check() {
      try {
        await usableKey(options, false);
      } catch (thrown) {
        // Without a key no request leaves, so the server is not checked.
        return [asFailure(thrown)];
      }
      const unreached = clock === undefined ? null : await reach(base, clock, { proxy, isProxied }, options.reachHint);
      return unreached === null ? [] : [unreached];
    },
    async send(path, request, signal) {
      const first = await attempt(path, request, signal, false);
      if (request.isKeyless) return first.reply;
      const isRefused = first.reply.status === 401 || (options.auth === 'sigv4' && first.reply.status === 403);
      if (!isRefused) return first.reply;
      // A key of a command may have expired. An unchanged key is not sent again.
      const again = await usableKey(options, true);
      if (again === first.secret) return first.reply;
      await first.reply.body.cancel();
      return (await attempt(path, request, signal, false)).reply;
    },
  };
}

/** A signature covers names in lower case: a header that is there twice would be sent with both values. */
const inLowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const secretsOf = (used: ReadonlySet<string>): readonly string[] => [...used].filter((value) => value !== '');

async function authHeaders(
  auth: Auth,
  secret: string,
  request: SignedRequest,
): Promise<Readonly<Record<string, string>>> {
  if (auth === 'none' || secret === '') return {};
  if (auth !== 'sigv4') return auth === 'bearer' ? { authorization: `Bearer ${secret}` } : { [auth]: secret };
  const credentials = awsCredentials(secret);
  const service = awsService(new URL(request.url).hostname);
  if (credentials === null || service === null) throw unsigned(service === null);
  const { signatureOf } = await import('./awsSignature.ts');
  return signatureOf(request, credentials, service);
}

const unsigned = (isElsewhere: boolean) =>
  failure(
    'KEY_REFUSED',
    isElsewhere ? 'only requests to Amazon Bedrock can be signed' : 'the credentials of AWS cannot be read',
    {
      hint: isElsewhere
        ? 'The address is https://bedrock-runtime.REGION.amazonaws.com/anthropic.'
        : 'They are the JSON that this prints: aws configure export-credentials',
      details: { sent: false },
    },
  );

/** Empty for a server that needs no key. */
async function usableKey({ auth, key, missing }: HostOptions, fresh: boolean): Promise<string> {
  if (auth === 'none') return '';
  const secret = (await key(fresh))?.trim() ?? '';
  if (secret === '') {
    throw failure('KEY_MISSING', missing.message, { hint: missing.hint, details: { sent: false } });
  }
  // A header with invalid characters would be quoted in the error.
  if (auth === 'sigv4' && awsCredentials(secret) === null) throw unsigned(false);
  if (auth !== 'sigv4' && !/^[\x21-\x7e]+$/.test(secret)) {
    throw failure('KEY_REFUSED', 'the API key has characters that no key has', {
      hint: 'Set the key again, without spaces or line breaks.',
      details: { sent: false },
    });
  }
  return secret;
}

interface Way {
  readonly proxy: typeof fetch | null;
  readonly isProxied: boolean;
}

async function post(
  url: string,
  { method, headers, body }: HostRequest,
  { signal, proxy, isProxied }: { readonly signal: AbortSignal } & Way,
): Promise<ModelReply> {
  try {
    // A redirect would send the key to another server.
    const response = await (proxy ?? fetch)(url, { method, headers, body, redirect: 'manual', signal });
    const content = response.body ?? new Blob([]).stream();
    return { status: response.status, headers: Object.fromEntries(response.headers), body: content };
  } catch (thrown) {
    throw signal.aborted ? failure('ABORTED', 'the call was aborted') : connectionFailure(thrown, isProxied);
  }
}

const REACH_MS = 5_000;

/** The server ended the connection. */
const CUT: readonly string[] = ['UND_ERR_SOCKET', 'ECONNRESET'];

/** Sends an empty request without the key: any answer shows that requests arrive. Null if the server answers. */
async function reach(base: string, clock: Pick<Clock, 'timer'>, { proxy, isProxied }: Way, reachHint: string) {
  const limit = new AbortController();
  const cancel = clock.timer(REACH_MS, () => limit.abort());
  const said = (what: string, details: ErrorDetails, hint = reachHint): AutonomousError =>
    failure('MODEL_UNAVAILABLE', `the model server ${base} ${what}`, { hint, details });
  try {
    const response = await (proxy ?? fetch)(`${base}/`, { method: 'HEAD', redirect: 'manual', signal: limit.signal });
    await response.body?.cancel();
    return null;
  } catch (thrown) {
    if (limit.signal.aborted) return said(`did not answer within ${REACH_MS / 1_000} s`, { sent: true, reason: SLOW });
    const { message, hint, details } = connectionFailure(thrown, isProxied);
    const isCut = base.startsWith('https:') && CUT.includes(String(details['reason']));
    const certificate = isCut ? `${reachHint}. Some servers that ask for a client certificate end connections so.` : '';
    return said(`cannot be reached: ${message}`, details, hint || certificate || reachHint);
  } finally {
    cancel();
  }
}

/**
 * A server may quote a secret. An error text is cleaned here. An answer is never altered: the threads that store it
 * recognize the secrets.
 */
async function withoutSecret(reply: ModelReply, secrets: readonly string[]): Promise<ModelReply> {
  const clean = withoutSent(() => secrets);
  const headers = dataWithoutSecrets(reply.headers, clean);
  if (reply.status === 200) {
    const known = secrets.filter((secret) => secret.length >= SHORTEST_KNOWN);
    return { ...reply, headers, secrets: known.flatMap((secret) => printsOf(secret)) };
  }
  return { ...reply, headers, body: new Blob([clean(await startOf(reply.body))]).stream() };
}

/** A shorter one would be found in any word. */
const SHORTEST_SENT = 4;

/** What a server answers to a request may quote what was sent, also values that are too short to be known elsewhere. */
function withoutSent(secrets: () => readonly string[]): (text: string) => string {
  const clean = withoutSecrets(secrets);
  return (text) =>
    secrets()
      .filter(({ length }) => length >= SHORTEST_SENT && length < SHORTEST_KNOWN)
      .reduce((left, secret) => left.replaceAll(secret, '[secret: known]'), clean(text));
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
