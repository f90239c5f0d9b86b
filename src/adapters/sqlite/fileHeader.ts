/** Determines from the first 100 bytes which kind of database a file is, without starting SQLite. */
import type { FileOps } from '../../engine/state/storePorts.ts';
import { APPLICATION_ID, SCHEMA_VERSION } from './schema.ts';

const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;

/** `other`: a database of another program. `unknown`: not a database. */
type FileKind = 'ours' | 'other schema' | 'other' | 'unknown';

function fileKind(start: Uint8Array): FileKind {
  const header = Buffer.from(start.buffer, start.byteOffset, start.length);
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC) return 'unknown';
  if (header.readUInt32BE(APPLICATION_ID_AT) !== APPLICATION_ID) return 'other';
  return header.readUInt32BE(USER_VERSION_AT) === SCHEMA_VERSION ? 'ours' : 'other schema';
}

/** null if there is no file, or an empty one. A folder or a link is `unknown`. */
export async function kindOfFile(ops: Pick<FileOps, 'stat' | 'read'>, path: string): Promise<FileKind | null> {
  const stat = await ops.stat(path);
  if (stat === null || stat.size === 0) return null;
  if (stat.kind !== 'file') return 'unknown';
  return fileKind((await ops.read(path, HEADER_BYTES)) ?? new Uint8Array());
}
