/** Takes a known secret out of bytes on their way, however they are cut: what may be its beginning waits for the next chunk. */
import { formsOf } from './secretForms.ts';

const REPLACED = '[secret: known]';

export function streamWithoutSecret(secret: string): TransformStream<Uint8Array, Uint8Array> {
  const forms = formsOf(secret);
  const longest = Math.max(...forms.map(({ length }) => length));
  let held = '';
  const pass = (text: string, to: TransformStreamDefaultController<Uint8Array>): void => {
    if (text !== '') to.enqueue(Uint8Array.from(text, (one) => one.charCodeAt(0)));
  };
  return new TransformStream({
    transform(chunk, to) {
      let text = held;
      for (let at = 0; at < chunk.length; at += 8_192) text += String.fromCharCode(...chunk.subarray(at, at + 8_192));
      for (const form of forms) text = text.replaceAll(form, REPLACED);
      const wait = begun(text, forms, longest);
      held = text.slice(text.length - wait);
      pass(text.slice(0, text.length - wait), to);
    },
    flush: (to) => pass(held, to),
  });
}

/** How many characters at the end may be the beginning of a form. */
function begun(text: string, forms: readonly string[], longest: number): number {
  for (let length = Math.min(text.length, longest - 1); length > 0; length--) {
    const end = text.slice(text.length - length);
    if (forms.some((form) => form.startsWith(end))) return length;
  }
  return 0;
}
