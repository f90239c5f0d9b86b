/** Keeps the start and the end of a command's output, in bounded memory. */
export interface OutputBuffer {
  add(chunk: Buffer): void;
  /** Number of received bytes, including those dropped. */
  readonly total: number;
  /** Everything, or head and tail with a line between them that gives the number of bytes cut. */
  text(): string;
}

const isContinuation = (byte: number | undefined): boolean => ((byte ?? 0) & 0xc0) === 0x80;

/** Where the last whole UTF-8 character ends. */
function wholeEnd(bytes: Buffer): number {
  let lead = bytes.length - 1;
  while (lead > bytes.length - 4 && isContinuation(bytes[lead])) lead--;
  const byte = bytes[lead] ?? 0;
  const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
  return bytes.length - lead < size ? lead : bytes.length;
}

/** Where the first whole UTF-8 character starts, at or after `at`. */
function wholeStart(bytes: Buffer, at: number): number {
  let start = at;
  while (start < at + 3 && isContinuation(bytes[start])) start++;
  return start;
}

/** `maxBytes` limits the kept bytes; a third of it is for the start, because errors come last. */
export function createOutputBuffer(maxBytes: number): OutputBuffer {
  const headSize = Math.floor(maxBytes / 3);
  const tailSize = maxBytes - headSize;
  const head: Buffer[] = [];
  let tail: Buffer[] = [];
  let headBytes = 0;
  let tailBytes = 0;
  let total = 0;

  /** Drops whole chunks that no longer belong to the tail; the rest is cut when read. */
  function trim(): void {
    if (tailBytes <= 2 * tailSize + 65_536) return;
    const all = Buffer.concat(tail);
    tail = [Buffer.from(all.subarray(all.length - tailSize))];
    tailBytes = tailSize;
  }

  return {
    add(chunk) {
      total += chunk.length;
      const room = headSize - headBytes;
      if (room > 0) {
        head.push(chunk.subarray(0, room));
        headBytes += Math.min(room, chunk.length);
      }
      if (chunk.length > room) {
        const rest = room > 0 ? chunk.subarray(room) : chunk;
        tail.push(rest);
        tailBytes += rest.length;
        trim();
      }
    },
    get total() {
      return total;
    },
    text() {
      const start = Buffer.concat(head);
      const end = Buffer.concat(tail);
      if (total <= maxBytes) return Buffer.concat([start, end]).toString('utf8');
      const kept = start.subarray(0, wholeEnd(start));
      const last = end.subarray(wholeStart(end, Math.max(0, end.length - tailSize)));
      const cut = total - kept.length - last.length;
      return `${kept.toString('utf8')}\n[… ${cut} bytes cut …]\n${last.toString('utf8')}`;
    },
  };
}
