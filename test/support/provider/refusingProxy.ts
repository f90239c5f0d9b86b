/** A proxy on the loopback address, used by every `fetch` of this process while it is open, that connects to no server. */
import { once } from 'node:events';
import { createServer, setGlobalProxyFromEnv } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RefusingProxy extends AsyncDisposable {
  /** How often a connection was asked for. */
  readonly asked: () => number;
}

/** `status`: its answer to CONNECT. */
export async function refusingProxy(status: number): Promise<RefusingProxy> {
  let asked = 0;
  const server = createServer();
  server.on('connect', (_request, socket) => {
    asked++;
    socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const restore = setGlobalProxyFromEnv({ https_proxy: `http://127.0.0.1:${port}` });
  return {
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      restore();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
