/** A proxy of a company on the loopback address: it takes CONNECT, and reads what is sent with a certificate of its own CA. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTls } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

const fixture = (name: string): URL => new URL(`../../fixtures/tls/${name}`, import.meta.url);

/** The certificate that a program must trust to accept the proxy's answers. */
export const CA_FILE = fileURLToPath(fixture('ca.pem'));
/** A client certificate that the server behind the proxy may ask for, and its key. */
export const CLIENT = { cert: fileURLToPath(fixture('client.pem')), key: fileURLToPath(fixture('client.key.pem')) };
/** The one name that the proxy has a certificate for. No resolver knows it: only the proxy leads there. */
export const INSPECTED_HOST = 'model.test';

export interface InspectingProxy extends AsyncDisposable {
  readonly url: string;
  /** Each CONNECT: the place, and the credentials. */
  readonly connects: readonly { readonly to: string; readonly authorization: string | undefined }[];
  /** Where what is sent to the host ends up: a plain server. */
  target: string;
  /** Status of the answer to a CONNECT; 200: it connects. */
  status: number;
}

/** `wantsClient`: no request is read without the client certificate. */
export async function inspectingProxy({ wantsClient = false } = {}): Promise<InspectingProxy> {
  const connects: { to: string; authorization: string | undefined }[] = [];
  const sockets = new Set<Socket>();
  const inner = createTls({
    key: readFileSync(fixture('model.test.key.pem')),
    cert: readFileSync(fixture('model.test.pem')),
    ...(wantsClient ? { requestCert: true, rejectUnauthorized: true, ca: readFileSync(CLIENT.cert) } : {}),
  });
  const outer = createServer((_request, response) => response.writeHead(405).end());
  for (const server of [inner, outer])
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      // A client that trusts nothing hangs up in the handshake.
      socket.on('error', () => socket.destroy());
    });
  const proxy = { url: '', connects, target: '', status: 200 };
  inner.on('request', (asked: IncomingMessage, answer: ServerResponse) => {
    const onward = httpRequest(
      new URL(asked.url ?? '/', proxy.target),
      // A connection of its own: a kept one may end as it is used again.
      { method: asked.method, headers: asked.headers, agent: false },
      (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(answer);
      },
    );
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  });
  outer.on('connect', (asked: IncomingMessage, socket: Socket, head: Buffer) => {
    connects.push({ to: asked.url ?? '', authorization: asked.headers['proxy-authorization'] });
    const status = asked.url === `${INSPECTED_HOST}:443` ? proxy.status : 502;
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    socket.unshift(head);
    inner.emit('connection', socket);
  });
  outer.listen(0, '127.0.0.1');
  await once(outer, 'listening');
  proxy.url = `http://127.0.0.1:${(outer.address() as AddressInfo).port}`;
  return Object.assign(proxy, {
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      outer.close();
      await once(outer, 'close');
    },
  });
}
