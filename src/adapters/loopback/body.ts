/** Reads the body of a request up to a limit. A body that exceeds the limit is refused before it is read. */

export interface BodyBounds {
  /** The header `Content-Length`. */
  readonly declared: string | undefined;
  readonly maxBytes: number;
  /** Returns false if these bytes exceed the remaining budget. */
  take?(bytes: number): boolean;
}

/** Rejects if the connection breaks. */
export async function boundedBody(
  chunks: AsyncIterable<Uint8Array>,
  { declared, maxBytes, take }: BodyBounds,
): Promise<Buffer | 'too_large' | 'no_room'> {
  if (Number(declared ?? 0) > maxBytes) return 'too_large';
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) return 'too_large';
    if (take?.(chunk.length) === false) return 'no_room';
    read.push(chunk);
  }
  return Buffer.concat(read);
}
