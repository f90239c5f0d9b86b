import { describe, expect, it } from 'vitest';
import { boundFromCount, inputUpperBound } from '../../../../../src/core/model/usage/inputBound.ts';
import { reservedTooLow } from '../../../../support/budget/tokenBound.ts';
import { SEED } from '../../../../support/suite/proof.ts';
import { anyCharacter, fc } from '../../../../support/suite/property.ts';

/**
 * Plausible tokenisations of one text, from the coarsest to the finest that a tokenizer on bytes can do: words, four-byte
 * pieces, characters, bytes.
 */
function tokenisations(text: string): number[] {
  const bytes = Buffer.byteLength(text);
  const words = text.match(/\p{L}+|\p{N}|[^\p{L}\p{N}]/gu)?.length ?? 0;
  return [words, Math.ceil(bytes / 4), [...text].length, bytes];
}

describe('inputUpperBound', () => {
  it('holds for any text under any tokenisation, with what the provider adds', () => {
    const texts = fc.array(fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: 'grapheme' })), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(texts, (messages) => {
        const body = JSON.stringify({ messages: messages.map((content) => ({ role: 'user', content })) });
        const bound = inputUpperBound({
          bytes: Buffer.byteLength(body),
          messages: messages.length,
          blocks: messages.length,
          images: 0,
          tools: 0,
          providerTools: 0,
        });
        const finest = messages.reduce((sum, text) => sum + Math.max(...tokenisations(text)), 0);
        expect(bound).toBeGreaterThanOrEqual(finest + 1500 + 8 * messages.length);
      }),
    );
  });

  it('holds for long texts of a token a byte', () => {
    expect(reservedTooLow(inputUpperBound, SEED)).toEqual([]);
  });

  it('grows with everything that costs tokens', () => {
    const shape = { bytes: 100, messages: 1, blocks: 1, images: 0, tools: 0, providerTools: 0 };
    const bound = inputUpperBound(shape);
    expect(inputUpperBound({ ...shape, images: 1 })).toBeGreaterThanOrEqual(bound + 5000);
    expect(inputUpperBound({ ...shape, tools: 1 })).toBeGreaterThan(bound);
    expect(inputUpperBound({ ...shape, tools: 1, providerTools: 1 })).toBeGreaterThanOrEqual(bound + 1500);
  });

  it('leaves a margin over a count that is called an estimate', () => {
    expect(boundFromCount(0)).toBe(200);
    expect(boundFromCount(100_000)).toBe(105_200);
  });
});
