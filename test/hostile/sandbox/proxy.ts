/** What is said to the proxy to be led elsewhere than to the hosts that were named. `open` is one of them, `shut` is not. */
export interface Ports {
  readonly open: number;
  readonly shut: number;
}

type Text = (ports: Ports) => string;

const request = (target: string, host: string, more = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n{login}Connection: close\r\n${more}\r\n`;
const get = (authority: string): string => request(`http://${authority}/`, authority);
const tunnel = (authority: string, host = authority): string =>
  `CONNECT ${authority} HTTP/1.1\r\nHost: ${host}\r\n{login}\r\n{then}GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
const byte = (...codes: readonly number[]): string => String.fromCharCode(...codes);
const port = (number: number): string => byte(number >> 8, number & 255);
const GREETING = byte(5, 1, 2);

/** Spellings of this machine. */
const NAMES: Readonly<Record<string, string>> = {
  'an address': '127.0.0.1',
  'a name of this machine': 'localhost',
  'its name in capitals': 'LOCALHOST',
  'its name with a dot': 'localhost.',
  'a name below it': 'x.localhost',
  'an address with a dot': '127.0.0.1.',
  'a short address': '127.1',
  'a decimal address': '2130706433',
  'an octal address': '0177.0.0.1',
  'a hexadecimal address': '0x7f000001',
  'no address': '0.0.0.0',
  'an address of IPv6': '[::1]',
  'no address of IPv6': '[::]',
  'a mapped address': '[::ffff:127.0.0.1]',
  'a mapped address in hexadecimal': '[::ffff:7f00:1]',
  'an address with a zone': '[::1%25lo]',
};

const spellings = Object.entries(NAMES).flatMap(([name, host]): [string, Text][] => [
  [`get by ${name}`, ({ shut }) => get(`${host}:${shut}`)],
  [`tunnel by ${name}`, ({ shut }) => tunnel(`${host}:${shut}`)],
]);

/** None of these comes to `shut`, and none is answered with a success. */
export const led: Readonly<Record<string, Text>> = {
  ...Object.fromEntries(spellings),
  'a tunnel to the machines of a cloud': () => tunnel('169.254.169.254:80'),
  'a link-local address': () => get('169.254.169.254'),
  'a name of the list with another port': () => tunnel('registry.npmjs.org:22'),
  'the address of another host header': ({ open, shut }) => request(`http://127.0.0.1:${shut}/`, `127.0.0.1:${open}`),
  'a host header alone': ({ shut }) => request('/', `127.0.0.1:${shut}`),
  'a tunnel with another host header': ({ open, shut }) => tunnel(`127.0.0.1:${shut}`, `127.0.0.1:${open}`),
  'HTTP 1.0': ({ shut }) => `GET http://127.0.0.1:${shut}/ HTTP/1.0\r\n{login}\r\n`,
  'a user name that is a host': ({ open, shut }) => get(`127.0.0.1:${open}@127.0.0.1:${shut}`),
  'a tunnel to a user name': ({ open, shut }) => tunnel(`127.0.0.1:${open}@127.0.0.1:${shut}`),
  'credentials in a tunnel': ({ shut }) => tunnel(`user:word@127.0.0.1:${shut}`),
  'a host before a backslash': ({ open, shut }) => get(`127.0.0.1:${shut}\\@127.0.0.1:${open}`),
  'a host before a fragment': ({ open, shut }) => get(`127.0.0.1:${shut}#@127.0.0.1:${open}`),
  'a name after a null byte': ({ shut }) => get(`127.0.0.1:${shut}${byte(0)}.registry.npmjs.org`),
  'a tunnel with a null byte': ({ shut }) => tunnel(`127.0.0.1${byte(0)}.registry.npmjs.org:${shut}`),
  'an encoded null byte': ({ shut }) => get(`127.0.0.1%00.registry.npmjs.org:${shut}`),
  'two ports': ({ open, shut }) => tunnel(`127.0.0.1:${shut}:${open}`),
  'a file': () => request('file:///etc/hostname', 'localhost'),
  'a change of protocol': ({ shut }) =>
    request(`http://127.0.0.1:${shut}/`, `127.0.0.1:${shut}`, 'Upgrade: websocket\r\nConnection: Upgrade\r\n'),
  'a tunnel without a login': ({ shut }) => `CONNECT 127.0.0.1:${shut} HTTP/1.1\r\n\r\n`,
  'the list of another command': ({ open }) =>
    `GET http://127.0.0.1:${open}/forged HTTP/1.1\r\nProxy-Authorization: Basic c3J0Lng6eA==\r\n\r\n`,
  'no login at all': ({ open }) => `GET http://127.0.0.1:${open}/nobody HTTP/1.1\r\nHost: x\r\n\r\n`,
  'SOCKS 5': ({ shut }) =>
    `${GREETING}{then}${byte(1)}{socks login}{then}${byte(5, 1, 0, 1, 127, 0, 0, 1)}${port(shut)}{then}GET / HTTP/1.0\r\n\r\n`,
  'SOCKS 5 by a name': ({ shut }) =>
    `${GREETING}{then}${byte(1)}{socks login}{then}${byte(5, 1, 0, 3, 9)}localhost${port(shut)}{then}GET / HTTP/1.0\r\n\r\n`,
  'SOCKS 5 without a login': ({ shut }) => `${byte(5, 1, 0)}{then}${byte(5, 1, 0, 1, 127, 0, 0, 1)}${port(shut)}`,
  'SOCKS 4': ({ shut }) => `${byte(4, 1)}${port(shut)}${byte(127, 0, 0, 1, 0)}`,
};

/** Is answered. */
export const control: Text = ({ open }) => get(`127.0.0.1:${open}`);

/** These may come to `open`, which answers them; what they carry for `shut` must not come there. */
export const carried: Readonly<Record<string, Text>> = {
  'a second request behind the first': ({ open, shut }) =>
    `GET http://127.0.0.1:${open}/ HTTP/1.1\r\nHost: x\r\n{login}\r\n${get(`127.0.0.1:${shut}`)}`,
  'another host behind a tunnel': ({ open, shut }) => `${tunnel(`127.0.0.1:${open}`)}{then}${get(`127.0.0.1:${shut}`)}`,
  'two lengths': ({ open, shut }) =>
    `POST http://127.0.0.1:${open}/ HTTP/1.1\r\nHost: x\r\n{login}Content-Length: 3\r\nContent-Length: 400\r\n\r\nabc${get(`127.0.0.1:${shut}`)}`,
  'a length and chunks': ({ open, shut }) =>
    `POST http://127.0.0.1:${open}/ HTTP/1.1\r\nHost: x\r\n{login}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${get(`127.0.0.1:${shut}`)}`,
  'a folded header': ({ open, shut }) =>
    `GET http://127.0.0.1:${open}/ HTTP/1.1\r\nHost: x\r\n {login}X: y\r\n\tHost: 127.0.0.1:${shut}\r\n\r\n`,
  'a way on from a host that is open': ({ open }) => request(`http://127.0.0.1:${open}/on`, `127.0.0.1:${open}`),
};
