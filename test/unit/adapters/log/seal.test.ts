import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hmacSha256, lineSeal } from '../../../../src/adapters/log/seal.ts';
import { fc } from '../../../support/suite/property.ts';

describe('the seal', () => {
  it('is HMAC-SHA256', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.uint8Array({ maxLength: 200 }), (key, data) => {
        expect(hmacSha256(key)(data)).toBe(createHmac('sha256', key).update(data).digest('hex'));
      }),
    );
  });

  it('holds for its own purpose, and for the line as it is', () => {
    const key = new Uint8Array(32);
    const seal = lineSeal(key, 'events');
    const { line, mac } = seal.seal(JSON.stringify({ text: 'ü', mac: 'mine' }));
    expect(JSON.parse(line)).toEqual({ text: 'ü', mac });
    expect(seal.check(Buffer.from(line))).toBe(mac);
    expect(seal.check(Buffer.from(line.replace('ü', 'u')))).toBeNull();
    expect(seal.check(Buffer.from(` ${line}`))).toBeNull();
    expect(seal.check(Buffer.from(''))).toBeNull();
    expect(lineSeal(key, 'transcript').check(Buffer.from(line))).toBeNull();
  });
});
