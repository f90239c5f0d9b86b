/**
 * Reads and writes a record as a folder, or as one archive (`.tar.gz`): files, and `manifest.json` with the SHA-256 of
 * each. A new folder appears completely or not at all.
 */
import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { isFields, parseJson } from '../../core/text/json.ts';
import type { RecordFiles } from '../../engine/workspace/record/ports.ts';
import { failure, messageOf } from '../../shared/errors.ts';
import { rename, rm } from '../platform/heldFiles.ts';
import { filesOfTar, type TarFile, tarOf } from './tar.ts';

const RECORD_FORMAT = 1;
const MANIFEST = 'manifest.json';
const PRODUCT = 'autonomous-export';
/** Names that this program writes: no other path is valid in a manifest. */
const PATH = /^(?!.*\.\.)[A-Za-z0-9][\w.-]{0,80}(?:\/[A-Za-z0-9][\w.-]{0,80})?$/;
const MAX_BYTES = 1024 * 1024 * 1024;
const MAX_FILES = 200_000;

const pack = promisify(gzip);
const unpack = promisify(gunzip);
const hashOf = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');

const isArchive = (target: string): boolean => /\.(?:tar\.gz|tgz)$/i.test(target);

function manifestOf(files: readonly TarFile[]): TarFile {
  const listed = files.map(({ path, data }) => ({ path, bytes: data.length, sha256: hashOf(data) }));
  const text = `${JSON.stringify({ product: PRODUCT, format: RECORD_FORMAT, files: listed }, null, 2)}\n`;
  return { path: MANIFEST, data: Buffer.from(text) };
}

/** Throws NOT_PERMITTED if the target exists, or DISK. */
export async function writeRecord(target: string, files: readonly TarFile[]): Promise<RecordFiles> {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const bad = sorted.find(({ path }) => !PATH.test(path));
  if (bad !== undefined) throw new Error(`not a name in a record: ${bad.path}`);
  const manifest = manifestOf(sorted);
  if ((await lstat(target).catch(() => null)) !== null)
    throw failure('NOT_PERMITTED', `there is ${target} already`, { hint: 'Choose another name.' });
  const draft = `${target}.part`;
  try {
    await rm(draft, { recursive: true, force: true });
    if (isArchive(target))
      await writeFile(draft, await pack(tarOf([manifest, ...sorted]), { level: 9 }), { mode: 0o600 });
    else await writeFolder(draft, [manifest, ...sorted]);
    await rename(draft, target);
  } catch (cause) {
    await rm(draft, { recursive: true, force: true });
    throw failure('DISK', `cannot write ${target}: ${messageOf(cause)}`, { details: { path: target }, cause });
  }
  return { hash: hashOf(manifest.data), files: new Map(sorted.map(({ path, data }) => [path, data])) };
}

async function writeFolder(folder: string, files: readonly TarFile[]): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  for (const name of new Set(files.map(({ path }) => dirname(path))))
    await mkdir(join(folder, name), { recursive: true });
  for (const { path, data } of files) await writeFile(join(folder, path), data, { flag: 'wx', mode: 0o600 });
}

const refused = (what: string, hint = 'Repeat the export in the workspace that it came from.'): Error =>
  failure('INVALID_INPUT', `not a valid export: ${what}`, { hint });

/** Throws INVALID_INPUT for a record that is foreign, changed, or of a newer format; NOT_FOUND. */
export async function readRecord(source: string): Promise<RecordFiles> {
  const stat = await lstat(source).catch(() => null);
  if (stat === null) throw failure('NOT_FOUND', `there is no ${source}`);
  const files = new Map(
    (stat.isDirectory() ? await readFolder(source) : await readArchive(source)).map(({ path, data }) => [path, data]),
  );
  const manifest = files.get(MANIFEST);
  if (manifest === undefined) throw refused('it has no manifest.json');
  files.delete(MANIFEST);
  checkManifest(manifest, files);
  return { hash: hashOf(manifest), files };
}

function checkManifest(manifest: Uint8Array, files: ReadonlyMap<string, Uint8Array>): void {
  const value = parseJson(Buffer.from(manifest).toString('utf8'));
  if (!isFields(value) || value['product'] !== PRODUCT) throw refused('its manifest is not of Autonomous');
  const format = value['format'];
  if (typeof format === 'number' && format > RECORD_FORMAT)
    throw refused(`it is of format ${format}, and this version reads ${RECORD_FORMAT}`, 'Update Autonomous.');
  if (format !== RECORD_FORMAT || !Array.isArray(value['files'])) throw refused('its manifest is not whole');
  const named = new Map<string, unknown>();
  for (const entry of value['files'] as readonly unknown[]) {
    if (!isFields(entry) || typeof entry['path'] !== 'string') throw refused('its manifest is not whole');
    named.set(entry['path'], entry['sha256']);
  }
  for (const [path, data] of files) {
    if (!named.has(path)) throw refused(`its manifest does not name ${JSON.stringify(path)}`);
    if (named.get(path) !== hashOf(data)) throw refused(`${path} was changed since`);
  }
  const missing = [...named.keys()].find((path) => !files.has(path));
  if (missing !== undefined) throw refused(`${JSON.stringify(missing)} is missing`);
}

async function readArchive(file: string): Promise<readonly TarFile[]> {
  const packed = await readFile(file);
  let archive: Uint8Array;
  try {
    archive = await unpack(packed, { maxOutputLength: MAX_BYTES });
  } catch (cause) {
    throw refused(`it cannot be unpacked (${messageOf(cause)})`);
  }
  return filesOfTar(archive);
}

/** Plain files of two levels; a link, or anything else that is not a file, is refused unread. */
async function readFolder(folder: string): Promise<readonly TarFile[]> {
  const files: TarFile[] = [];
  let bytes = 0;
  const take = async (path: string): Promise<void> => {
    const at = join(folder, path);
    const { size } = await lstat(at);
    bytes += size;
    if (bytes > MAX_BYTES || files.length >= MAX_FILES) throw refused('it is larger than any that was exported');
    files.push({ path, data: await readFile(at) });
  };
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isFile()) await take(entry.name);
    else if (!entry.isDirectory()) throw refused(`${JSON.stringify(entry.name)} is not a file`);
    else {
      for (const inner of await readdir(join(folder, entry.name), { withFileTypes: true })) {
        if (!inner.isFile()) throw refused(`${JSON.stringify(`${entry.name}/${inner.name}`)} is not a file`);
        await take(`${entry.name}/${inner.name}`);
      }
    }
  }
  return files;
}
