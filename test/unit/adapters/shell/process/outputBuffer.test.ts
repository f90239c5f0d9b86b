import { describe, expect, it } from 'vitest';
import { createOutputBuffer } from '../../../../../src/adapters/shell/process/outputBuffer.ts';
import { amount } from '../../../../support/suite/proof.ts';
import { fc } from '../../../../support/suite/property.ts';

function collect(text: Buffer, chunk: number, max: number) {
  const buffer = createOutputBuffer(max);
  for (let at = 0; at < text.length; at += chunk) buffer.add(text.subarray(at, at + chunk));
  return buffer;
}

describe('the output buffer', () => {
  it('keeps everything that fits, however it comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 9 }), (text, chunk) => {
        const bytes = Buffer.from(text.toWellFormed());
        expect(collect(bytes, chunk, bytes.length).text()).toBe(text.toWellFormed());
      }),
    );
  });

  it('keeps head and tail, whole characters, and says what it cut', () => {
    const text = 'é😀x'.repeat(2_000);
    const bytes = Buffer.from(text);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 30, max: 3_000 }), (chunk, max) => {
        const buffer = collect(bytes, chunk, max);
        const match = /^([\s\S]*)\n\[… (\d+) bytes cut …\]\n([\s\S]*)$/.exec(buffer.text());
        const [head, cut, tail] = [match?.[1] ?? '?', Number(match?.[2]), match?.[3] ?? '?'];
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + cut).toBe(buffer.total);
        expect(Buffer.byteLength(head) + Buffer.byteLength(tail)).toBeLessThanOrEqual(max);
      }),
      { numRuns: amount({ short: 50, long: 20_000 }) },
    );
  });

  it('keeps bytes that are no text readable', () => {
    expect(collect(Buffer.alloc(1_000, 0xff), 7, 90).text().length).toBeLessThan(140);
  });
});
