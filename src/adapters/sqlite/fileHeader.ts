/** What the first 100 bytes of a database file say, without starting SQLite. */
import { APPLICATION_ID, SCHEMA_VERSION } from './schema.ts';

export const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;

/** `other`: a database, but not ours. `unknown`: no database. */
export type FileKind = 'ours' | 'other schema' | 'other' | 'unknown';

export function fileKind(start: Uint8Array): FileKind {
  const header = Buffer.from(start.buffer, start.byteOffset, start.length);
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC) return 'unknown';
  if (header.readUInt32BE(APPLICATION_ID_AT) !== APPLICATION_ID) return 'other';
  return header.readUInt32BE(USER_VERSION_AT) === SCHEMA_VERSION ? 'ours' : 'other schema';
}
