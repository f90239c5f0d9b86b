/**
 * Opens the only exit of a sandbox without network: to one port of this machine. Inside, a relay listens on the same
 * port and connects to a socket file that leads only to that port; programs inside can neither create such sockets nor
 * write that file.
 */

import { mkdtempSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shellQuote } from '../../../core/text/shellQuote.ts';
import type { Clock } from '../../../shared/clock.ts';
import { rmSync } from '../../platform/heldFiles.ts';
import { removeLeft, SOCKET } from './leftFolders.ts';

export interface LocalRelay {
  readonly port: number;
  /** Path of the socket file; the sandbox must be able to read it but not to write it. */
  readonly socket: string;
  close(): void;
}

const PREFIX = 'autonomous-port-';
/** A socket's path may have 107 bytes; the name below needs 30. */
const LONGEST_FOLDER = 77;

function pass(from: Socket, to: Socket): void {
  from.pipe(to);
  // The end of one side ends the other; the agent sees a closed connection as with any server.
  from.once('close', () => to.destroySoon());
  from.on('error', () => to.destroy());
}

/** Relays to `port` of 127.0.0.1. */
export async function openLocalRelay(port: number, clock: Pick<Clock, 'now'>): Promise<LocalRelay> {
  const parent = tmpdir().length > LONGEST_FOLDER ? '/tmp' : tmpdir();
  await removeLeft(parent, PREFIX, clock);
  const folder = mkdtempSync(join(parent, PREFIX));
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (inner) => {
    const outer = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    for (const socket of [inner, outer]) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    }
    pass(inner, outer);
    pass(outer, inner);
  });
  const socket = join(folder, SOCKET);
  const close = (): void => {
    server.close();
    for (const each of open) each.destroy();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(socket, resolve);
    });
  } catch (thrown) {
    close();
    throw thrown;
  }
  return { port, socket, close };
}

/** Time limit for the relay to listen, in hundredths of a second. */
const LISTENS_WITHIN = 500;

/**
 * Shell words that start the relay in a new network namespace, wait until it listens, then become the words after them.
 * They run outside the filter of system calls, so `socat` must be the only program here, called by its path. Counting
 * the sockets of the namespace is cheaper than reading the table of connections, and the relay's is the only one.
 */
export function relayWords(socat: string, relay: Pick<LocalRelay, 'port' | 'socket'>): string {
  const listen = `TCP4-LISTEN:${relay.port},bind=127.0.0.1,fork,reuseaddr,backlog=1024`;
  // Forked twice: the program inside must not have the relay as an unknown child.
  const script = `
(${shellQuote(socat)} -t 5 ${listen} UNIX-CONNECT:${shellQuote(relay.socket)} </dev/null >/dev/null 2>&1 &)
since=
while :; do
  used=0
  while read -r kind skip inuse skip; do [ "$kind" = TCP: ] && used=$inuse; done < /proc/net/sockstat
  [ "$used" -eq 0 ] || break
  read -r now skip < /proc/uptime
  now=1\${now%.*}\${now#*.}
  if [ "$((now - \${since:=$now}))" -ge ${LISTENS_WITHIN} ]; then
    echo 'the way to port ${relay.port} does not open' >&2
    exit 126
  fi
done
unset since used kind skip inuse now
exec "$@"`;
  return ` /bin/sh -c ${shellQuote(script)} relay`;
}
