/**
 * Packs plain files into one archive (ustar), the same bytes for the same files: no times, owners, links or folders.
 */
import { failure } from '../../shared/errors.ts';

const BLOCK = 512;
const NAME_BYTES = 100;
const MODE = '0000644';
const NOBODY = '0000000';
const MAGIC = 'ustar\u000000';

export interface TarFile {
  readonly path: string;
  readonly data: Uint8Array;
}

const padding = (length: number): Uint8Array => new Uint8Array((BLOCK - (length % BLOCK)) % BLOCK);

function sum(header: Uint8Array): number {
  return header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
}

function headerOf({ path, data }: TarFile): Uint8Array {
  const header = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(path) > NAME_BYTES) throw new Error(`too long a name for an archive: ${path}`);
  header.write(path, 0);
  header.write(`${MODE}\0${NOBODY}\0${NOBODY}\0`, 100);
  header.write(`${data.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write(`${'0'.repeat(11)}\0`, 136);
  header.write('0', 156);
  header.write(MAGIC, 257);
  header.write(`${sum(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

export function tarOf(files: readonly TarFile[]): Uint8Array {
  const parts = files.flatMap((file) => [headerOf(file), file.data, padding(file.data.length)]);
  return Buffer.concat([...parts, new Uint8Array(2 * BLOCK)]);
}

const broken = (what: string): Error => failure('INVALID_INPUT', `this archive cannot be read: ${what}`);

/** Throws INVALID_INPUT for archives in another form than that of `tarOf`. */
export function filesOfTar(archive: Uint8Array): readonly TarFile[] {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.length);
  const files: TarFile[] = [];
  const text = (at: number, length: number): string => bytes.toString('utf8', at, at + length).replace(/\0.*$/s, '');
  for (let at = 0; ; ) {
    if (at + BLOCK > bytes.length) throw broken('it ends too early');
    const header = bytes.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return files;
    const size = Number.parseInt(text(at + 124, 12), 8);
    const path = text(at, NAME_BYTES);
    if (Number.parseInt(text(at + 148, 7), 8) !== sum(header)) throw broken('a header is damaged');
    if (text(at + 156, 1) !== '0') throw broken(`${path} is not a plain file`);
    const from = at + BLOCK;
    if (!(size >= 0) || from + size > bytes.length) throw broken('it ends too early');
    files.push({ path, data: bytes.subarray(from, from + size) });
    at = from + Math.ceil(size / BLOCK) * BLOCK;
  }
}
