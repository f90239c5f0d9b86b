import { isIP } from 'node:net';
import { expect, test } from 'vitest';
import { isLoopback, isPublic } from '../../../../src/adapters/httpGet/addresses.ts';

const of = (address: string) => ({ address, family: isIP(address) });

test.each([
  '1.1.1.1',
  '140.82.121.4',
  '172.15.0.1',
  '172.32.0.1',
  '192.167.1.1',
  '2606:4700::1111',
  '64:ff9b::8c52:7904',
  '::ffff:1.1.1.1',
])('%s is public', (address) => expect(isPublic(of(address))).toBe(true));

test.each([
  ...[
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
  ],
  ...[
    '192.0.0.1',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '203.0.113.9',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
  ],
  ...[
    '::',
    '::1',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    '2002:a00:1::1',
  ],
  ...[
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::a00:1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::1',
    '::10.0.0.1',
    '100::1',
  ],
])('%s is not', (address) => expect(isPublic(of(address))).toBe(false));

test('this machine is 127.* and ::1', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1'].every((address) => isLoopback(of(address)))).toBe(true);
  expect(['128.0.0.1', '::2', '0.0.0.0', '10.0.0.1'].some((address) => isLoopback(of(address)))).toBe(false);
});
