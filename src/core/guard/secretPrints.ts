/**
 * Recognizes secrets in a thread that must not know them: by the lengths and sums of their possible encodings. Sums roll over a text (M. O. Rabin and
 * R. M. Karp, 1987), so that all positions of a length cost one pass.
 */
import { type Found, formsOf } from './secretForms.ts';

/** The length of one form in characters, and two sums of it modulo 2 ** 32. */
export interface SecretPrint {
  readonly length: number;
  readonly sums: readonly [number, number];
}

const BASES = [0x01000193, 0x9e3779b1] as const;

export const printsOf = (secret: string): SecretPrint[] =>
  formsOf(secret).map((form) => ({ length: form.length, sums: [sumOf(form, BASES[0]), sumOf(form, BASES[1])] }));

function sumOf(text: string, base: number): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, base) + text.charCodeAt(at)) | 0;
  return sum;
}

/** Positions of the secrets' forms in a text. */
export function printed(text: string, prints: readonly SecretPrint[]): Found[] {
  const lengths = new Set(prints.map(({ length }) => length));
  return [...lengths].flatMap((length) =>
    places(
      text,
      length,
      prints.filter((print) => print.length === length),
    ),
  );
}

function places(text: string, length: number, prints: readonly SecretPrint[]): Found[] {
  if (text.length < length) return [];
  const found: Found[] = [];
  const [one, other] = BASES.map((base) => rolling(text, length, base)) as [Rolling, Rolling];
  for (let from = 0; ; from++) {
    const sum = one.sum;
    if (prints.some(({ sums }) => sums[0] === sum && sums[1] === other.sum)) {
      found.push({ from, to: from + length, kind: 'known' });
    }
    if (from + length >= text.length) return found;
    one.step(from);
    other.step(from);
  }
}

interface Rolling {
  readonly sum: number;
  /** Steps from the range that starts at `from` to the next. */
  step(from: number): void;
}

function rolling(text: string, length: number, base: number): Rolling {
  let sum = sumOf(text.slice(0, length), base);
  let highest = 1;
  for (let at = 1; at < length; at++) highest = Math.imul(highest, base);
  return {
    get sum() {
      return sum;
    },
    step: (from) => {
      const without = (sum - Math.imul(text.charCodeAt(from), highest)) | 0;
      sum = (Math.imul(without, base) + text.charCodeAt(from + length)) | 0;
    },
  };
}

const recognized = new Map<string, SecretPrint>();

/** After the call, `withoutSecrets` of this thread removes these too. */
export function recognize(prints: readonly SecretPrint[]): void {
  for (const print of prints) recognized.set(`${print.length} ${print.sums.join(' ')}`, print);
}

/** The prints that `recognize` added in this thread. */
export const recognizedPrints = (): readonly SecretPrint[] => [...recognized.values()];
