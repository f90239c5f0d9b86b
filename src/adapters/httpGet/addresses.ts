/** Decides which addresses are public: all except those reserved for this machine, its network, or special uses. */
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

/** Only the range assigned to machines on the internet, without the parts that embed another address or serve as examples. */
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

/** An IPv4 address in the notation of NAT64 (for IPv6-only machines) and of sockets. */
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
  // A zone names a link-local interface.
  return !plain.includes('%') && GLOBAL.check(plain, 'ipv6') && !SET_ASIDE.check(plain, 'ipv6');
}
