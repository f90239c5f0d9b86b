/** Reads the text of an answer, but not without end. */
import { failure } from '../../../shared/errors.ts';

/** Null if it has more bytes. Throws MODEL_UNAVAILABLE if it breaks off, ABORTED. */
export async function textWithin(
  body: ReadableStream<Uint8Array>,
  most: number,
  signal: AbortSignal,
): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > most) return null;
      chunks.push(chunk);
    }
  } catch (cause) {
    if (signal.aborted) throw failure('ABORTED', 'the call was aborted', { cause });
    throw failure('MODEL_UNAVAILABLE', 'the connection was lost in the middle of an answer', {
      hint: 'That may pass: try again.',
      cause,
    });
  }
  return Buffer.concat(chunks).toString('utf8');
}
