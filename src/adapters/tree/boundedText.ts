/** Reads text of an open file up to a limit, however large the file is or grows. */
import type { FileHandle } from 'node:fs/promises';

const CHUNK = 64 * 1024;
/** Limit of the bytes in which lines are searched. */
const MAX_SCANNED = 64 * 1024 * 1024;
const LINE_END = 10;

/** Null if the file has more bytes. */
export async function wholeText(file: FileHandle, maxBytes: number): Promise<string | null> {
  const bytes = await wholeFile(file, maxBytes);
  return bytes === null ? null : Buffer.from(bytes).toString('utf8');
}

/** Null if the file has more bytes. */
export async function wholeFile(file: FileHandle, maxBytes: number): Promise<Uint8Array | null> {
  const size = Math.min((await file.stat()).size, maxBytes);
  const kept = new Uint8Array(size + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(kept, length, kept.length - length, null);
    length += bytesRead;
    if (bytesRead === 0) return kept.subarray(0, length);
    if (length > size) return null;
  }
}

/** Lines `first` to `last`, from 1; null if they have more bytes or are too far into the file. */
export async function linesOfText(
  file: FileHandle,
  [first, last]: readonly [number, number],
  maxBytes: number,
): Promise<string | null> {
  const kept: Uint8Array[] = [];
  let [keptBytes, line, scanned] = [0, 1, 0];
  while (line <= last) {
    const { bytesRead, buffer } = await file.read(new Uint8Array(CHUNK), 0, CHUNK, null);
    if (bytesRead === 0) break;
    scanned += bytesRead;
    if (scanned > MAX_SCANNED) return null;
    for (let at = 0; at < bytesRead && line <= last; ) {
      const end = buffer.subarray(0, bytesRead).indexOf(LINE_END, at);
      const next = end < 0 ? bytesRead : end + 1;
      if (line >= first) {
        kept.push(buffer.subarray(at, next));
        keptBytes += next - at;
        if (keptBytes > maxBytes) return null;
      }
      if (end >= 0) line++;
      at = next;
    }
  }
  const text = Buffer.concat(kept).toString('utf8');
  return line > last && text.endsWith('\n') ? text.slice(0, -1) : text;
}
