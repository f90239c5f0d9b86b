/** Runs inside: says each of these raw texts to the proxy, and prints its first answer. `dial.ts <JSON of name → text>`. */
import { connect, type Socket } from 'node:net';

/** Some are never answered and never closed. */
const QUIET_MS = 2_000;

const texts = JSON.parse(process.argv[2] ?? '{}') as Readonly<Record<string, string>>;
const proxy = new URL(process.env['HTTP_PROXY'] ?? 'http://localhost:3128');
const login = `${decodeURIComponent(proxy.username)}:${proxy.password}`;
const bytes = (text: string): Buffer =>
  Buffer.from(
    text
      .replaceAll('{login}', `Proxy-Authorization: Basic ${Buffer.from(login).toString('base64')}\r\n`)
      .replaceAll(
        '{socks login}',
        [decodeURIComponent(proxy.username), proxy.password]
          .map((part) => String.fromCharCode(part.length) + part)
          .join(''),
      ),
    'latin1',
  );

const opened = new Set<Socket>();

const ask = (name: string, text: string): Promise<string> =>
  new Promise((resolve) => {
    let heard = '';
    const socket = connect(name.startsWith('SOCKS') ? 1080 : Number(proxy.port), '127.0.0.1');
    opened.add(socket);
    const end = (): void => {
      socket.destroy();
      opened.delete(socket);
      resolve(heard);
    };
    socket.on('data', (part) => (heard += part.toString('latin1')));
    socket.on('error', end).on('close', end);
    // Each part after an answer to the one before.
    const parts = text.split('{then}');
    socket.write(bytes(parts.shift() ?? ''));
    socket.on('data', () => {
      const next = parts.shift();
      if (next !== undefined) socket.write(bytes(next));
    });
  });

const answers = Promise.all(
  Object.entries(texts).map(async ([name, text]) => [name, (await ask(name, text)).slice(0, 200)] as const),
);
// However slow the machine is: once the proxy has answered one that came after all others, it has had their words.
await ask('control', texts['control'] ?? '');
for (const socket of opened) socket.setTimeout(QUIET_MS, () => socket.destroy());
process.stdout.write(JSON.stringify(Object.fromEntries(await answers)));
