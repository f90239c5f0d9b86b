/** Which addresses are public: everything that is not set aside for this machine, its network, or no machine at all. */
import { BlockList, isIPv4 } from 'node:net';

export interface Address {
  readonly address: string;
  /** 4 or 6 */
  readonly family: number;
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

const SET_ASIDE = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  SET_ASIDE.addSubnet(net, bits, 'ipv4');
}

/** Only what is given to machines of the net at all; of that, not the parts that carry another address inside, or are for documents. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet('2000::', 3, 'ipv6');
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  SET_ASIDE.addSubnet(net, bits, 'ipv6');
}

/** As NAT64 writes an IPv4 address for machines that have IPv6 alone, and as sockets write one. */
const CARRIED = /^(?:64:ff9b::|::ffff:)(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i;

function carried(address: string): string | null {
  const match = CARRIED.exec(address);
  if (match === null) return null;
  const [, dotted, high = '0', low = '0'] = match;
  if (dotted !== undefined) return dotted;
  const bytes = [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 0xff]);
  return bytes.join('.');
}

export function isLoopback({ address }: Address): boolean {
  return LOOPBACK.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

export function isPublic({ address }: Address): boolean {
  const plain = carried(address) ?? address;
  if (isIPv4(plain)) return !SET_ASIDE.check(plain, 'ipv4');
  // A zone names a link of this machine.
  return !plain.includes('%') && GLOBAL.check(plain, 'ipv6') && !SET_ASIDE.check(plain, 'ipv6');
}
