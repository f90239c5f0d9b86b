/**
 * What Amazon Bedrock and Google's Vertex AI put in front of the Messages API: their addresses, their form of a request, and their check of
 * who sends it. It is written from their documentation, and shares nothing with the code that speaks to it.
 */
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PATIENT } from './patientServer.ts';

type Json = Record<string, unknown>;

/** What the Messages API is asked; or the status and the text of a refusal. */
type Asked = { readonly path: string; readonly body: string } | { readonly status: number; readonly message: string };

export interface CloudServer extends AsyncDisposable {
  /** The addresses that were called, without the parameters. */
  readonly paths: readonly string[];
  readonly refused: readonly string[];
  /** `fetch` as if the names of the cloud led here. */
  readonly fetch: typeof fetch;
}

/** `target`: the Messages API behind it, which takes `apiKey`. */
interface Behind {
  readonly target: string;
  readonly apiKey: string;
}

async function startCloud(
  origin: string,
  { target, apiKey }: Behind,
  read: (request: IncomingMessage, body: string) => Asked,
): Promise<CloudServer> {
  const paths: string[] = [];
  const refused: string[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (request.method === 'HEAD') return void response.writeHead(404).end();
    paths.push(request.url?.split('?', 1)[0] ?? '');
    const asked = read(request, body);
    if ('status' in asked) {
      refused.push(asked.message);
      return void response
        .writeHead(asked.status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: asked.message } }));
    }
    const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
    const onward = httpRequest(new URL(asked.path, target), { method: 'POST', headers }, (got) => {
      response.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(response);
    });
    onward.end(asked.body);
  };
  const server = createServer(PATIENT, (request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const here = `http://127.0.0.1:${port}`;
  return {
    paths,
    refused,
    fetch: (address, init) => {
      const url = String(address);
      if (!url.startsWith(origin)) throw new Error(`not of this cloud: ${url}`);
      return fetch(here + url.slice(origin.length), init);
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export const VERTEX = 'https://aiplatform.googleapis.com';
const VERTEX_MODELS = '/v1/projects/my-project/locations/global/publishers/anthropic/models/';

/** `token`: the one that is valid now. */
export const startVertex = (behind: Behind, token: () => string): Promise<CloudServer> =>
  startCloud(VERTEX, behind, ({ url = '', headers }, text) => {
    if (headers.authorization !== `Bearer ${token()}`) return { status: 401, message: 'invalid token' };
    const [place = '', method] = url.slice(VERTEX_MODELS.length).split(':');
    const { anthropic_version: version, ...body } = JSON.parse(text) as Json;
    if (!url.startsWith(VERTEX_MODELS)) return { status: 404, message: `no such address: ${url}` };
    if (version !== 'vertex-2023-10-16' || 'anthropic-version' in headers)
      return { status: 400, message: 'anthropic_version is missing' };
    if (place === 'count-tokens') return { path: '/v1/messages/count_tokens', body: JSON.stringify(body) };
    if ('model' in body) return { status: 400, message: 'model: extra inputs are not permitted' };
    if (method !== (body['stream'] === true ? 'streamRawPredict' : 'rawPredict'))
      return { status: 400, message: `${method} does not answer this request` };
    return { path: '/v1/messages', body: JSON.stringify({ ...body, model: decodeURIComponent(place) }) };
  });

export interface AwsKeys {
  readonly AccessKeyId: string;
  readonly SecretAccessKey: string;
  readonly SessionToken: string;
}

export const BEDROCK_HOST = 'bedrock-runtime.eu-west-1.amazonaws.com';

/** `keys`: the ones that are valid now. */
export const startBedrock = (behind: Behind, keys: () => AwsKeys): Promise<CloudServer> =>
  startCloud(`https://${BEDROCK_HOST}`, behind, (request, body) => {
    const message = signatureFault(request, body, keys());
    if (message !== null) return { status: 403, message };
    return { path: (request.url ?? '').replace('/anthropic', ''), body };
  });

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Null if the request is signed with these keys. Source: AWS, "Create a signed AWS API request". */
function signatureFault(
  { method = '', url = '', headers }: IncomingMessage,
  body: string,
  keys: AwsKeys,
): string | null {
  const [, id, date = '', names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/eu-west-1\/bedrock\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (id !== keys.AccessKeyId) return 'The security token included in the request is invalid.';
  if (headers['x-amz-security-token'] !== keys.SessionToken) return 'The security token is expired.';
  const signed = names.split(';');
  if (!signed.includes('host') || !signed.includes('x-amz-date')) return 'host and x-amz-date must be signed';
  const [path = '', query = ''] = url.split('?');
  const canonical = [
    method,
    path,
    query.split('&').sort().join('&'),
    ...signed.map((name) => `${name}:${name === 'host' ? BEDROCK_HOST : String(headers[name]).trim()}`),
    '',
    names,
    sha256(body),
  ].join('\n');
  const scope = `${date}/eu-west-1/bedrock/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, sha256(canonical)].join('\n');
  const key = ['eu-west-1', 'bedrock', 'aws4_request'].reduce<Buffer>(
    (made, part) => hmac(made, part),
    hmac(`AWS4${keys.SecretAccessKey}`, date),
  );
  return hmac(key, text).toString('hex') === signature ? null : 'The request signature does not match.';
}
