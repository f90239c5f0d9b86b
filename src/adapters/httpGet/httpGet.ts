/**
 * Fetches one URL for a task, only from hosts that the user listed: the name is resolved here, every address is
 * checked, and the connection uses exactly that address. Redirects are followed by hand, each checked like the first
 * URL.
 */
import { lookup } from 'node:dns/promises';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { HttpGet, HttpGetAnswer } from '../../engine/task/step/stepPorts.ts';
import type { Clock } from '../../shared/clock.ts';
import { messageOf } from '../../shared/errors.ts';
import { type Address, isLoopback, isPublic } from './addresses.ts';
import { bodyOf } from './body.ts';
import { HttpFault } from './fault.ts';
import { type AllowedUrl, judgeUrl, SETTING } from './hosts.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Headers of this client, of the connection, or derived from the body: a step cannot set them. */
const REFUSED_HEADERS =
  /^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|content-.*|upgrade|expect|accept-encoding)$/i;

export interface HttpGetOptions {
  readonly clock: Clock;
  /** Returns all addresses of a name. Default: the system's resolver. */
  readonly resolve?: (name: string) => Promise<readonly Address[]>;
  /** Trusted certificates in addition to the well-known ones. */
  readonly ca?: string;
}

type Wanted = Parameters<HttpGet>[0];

export function httpGetter(options: HttpGetOptions): HttpGet {
  return async (wanted, signal) => {
    const late = new AbortController();
    const cancel = options.clock.timer(wanted.timeoutMs, () => late.abort());
    const both = AbortSignal.any([signal, late.signal]);
    try {
      return await orAborted(follow(options, wanted, both), both);
    } catch (thrown) {
      signal.throwIfAborted();
      if (late.signal.aborted) return { fault: `no whole answer came within ${wanted.timeoutMs / 1000} seconds` };
      return { fault: messageOf(thrown) };
    } finally {
      cancel();
      late.abort();
    }
  };
}

async function follow(options: HttpGetOptions, wanted: Wanted, signal: AbortSignal): Promise<HttpGetAnswer> {
  let url = judgeUrl(wanted.url, wanted.allowedHosts);
  let headers = headersOf(wanted.headers);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const answer = await getOnce(options, url, headers, signal);
    const to = REDIRECTS.has(answer.statusCode ?? 0) ? answer.headers.location : undefined;
    if (to === undefined) return { body: await bodyOf(answer, url.shown, wanted) };
    answer.destroy();
    const next = judgeUrl(URL.parse(to, url.url.href)?.href ?? to, wanted.allowedHosts, url.shown);
    if (url.url.protocol === 'https:' && next.url.protocol === 'http:')
      throw new HttpFault(`${url.shown} leads to a place without encryption: ${next.shown}`);
    // Headers for one origin are not sent to another.
    if (next.url.origin !== url.url.origin) headers = {};
    url = next;
  }
  throw new HttpFault(`${url.shown}: more than ${MAX_REDIRECTS} redirects`);
}

function headersOf(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const refused = Object.keys(given).find((name) => REFUSED_HEADERS.test(name));
  if (refused !== undefined) throw new HttpFault(`the header ${refused} cannot be set`);
  return given;
}

async function getOnce(
  options: HttpGetOptions,
  allowed: AllowedUrl,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const address = await addressOf(options, allowed, signal);
  const secure = allowed.url.protocol === 'https:';
  const settings: RequestOptions & { ca?: string } = {
    // A separate agent: no agent that keeps connections, or uses a proxy that would resolve the name itself.
    agent: secure ? new HttpsAgent() : new HttpAgent(),
    method: 'GET',
    headers: { accept: '*/*', 'user-agent': 'autonomous', ...headers, 'accept-encoding': 'identity' },
    // Whatever options are requested: the connection uses the checked address.
    lookup: (_name, asked, done) =>
      asked.all === true ? done(null, [address]) : done(null, address.address, address.family),
    signal,
    ...(secure && options.ca !== undefined ? { ca: options.ca } : {}),
  };
  return new Promise((resolve, reject) => {
    const sent = (secure ? httpsRequest : httpRequest)(allowed.url, settings, resolve);
    sent.on('error', (thrown) => reject(new HttpFault(`${allowed.shown} cannot be reached: ${messageOf(thrown)}`)));
    sent.end();
  });
}

/**
 * The address for the connection. A name must resolve only to public addresses; an allowed IP address or `localhost`
 * may be private.
 */
async function addressOf(options: HttpGetOptions, { name, shown }: AllowedUrl, signal: AbortSignal): Promise<Address> {
  const family = isIP(name);
  if (family !== 0) return { address: name, family };
  const resolve = options.resolve ?? ((host: string) => lookup(host, { all: true }));
  let found: readonly Address[];
  try {
    found = await orAborted(resolve(name), signal);
  } catch (thrown) {
    signal.throwIfAborted();
    throw new HttpFault(`the name of ${shown} cannot be resolved: ${messageOf(thrown)}`, { cause: thrown });
  }
  const isMeant = name === 'localhost' ? isLoopback : isPublic;
  const other = found.find((address) => !isMeant(address));
  if (other !== undefined) {
    throw new HttpFault(
      `${shown} is refused: its name leads to ${other.address}, which is ${name === 'localhost' ? 'not this machine' : 'no public address'}. List the address itself in ${SETTING} if it is meant`,
    );
  }
  const [first] = found;
  if (first === undefined) throw new HttpFault(`the name of ${shown} has no address`);
  return first;
}

/** For a promise that ignores the signal. */
async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
