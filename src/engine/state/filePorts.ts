/** What is made of `FileOps` alone. It lies among the ports because every adapter may import those, and none another adapter. */
import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { asFailure, errnoOf, failure } from '../../shared/errors.ts';
import type { FileOps } from './storePorts.ts';

/** What the disk refused, with the place; a failure that is told already stays as it is. */
export function diskFailure(thrown: unknown, path: string): ReturnType<typeof asFailure> {
  const known = asFailure(thrown);
  if (known.code !== 'INTERNAL') return known;
  const errno = String(errnoOf(thrown) ?? 'unknown');
  return failure('DISK', `cannot use ${path}: ${known.message}`, {
    hint: 'Make room or repair the disk; then try again.',
    details: { path, errno },
    cause: thrown,
  });
}

/**
 * The file's whole content, new or old, and never a part: once this resolves the new one survives a crash.
 * The folder must exist. When it rejects, with what failed first, the old content stands, or the new one undurably.
 * Each call has a draft of its own, so two writers (an owner that was superseded, too) never write into each other's;
 * a kill may leave one behind, named `.<file>.<16 hexadecimal digits>.tmp`.
 */
export async function replaceFile(ops: FileOps, path: string, data: Uint8Array): Promise<void> {
  const folder = dirname(path);
  const draft = join(folder, `.${basename(path)}.${randomBytes(8).toString('hex')}.tmp`);
  try {
    if (!(await ops.create(draft, data))) throw new Error(`${draft} is taken`);
    await ops.rename(draft, path);
    await ops.syncDir(folder);
  } catch (thrown) {
    // What failed first is what counts.
    await ops.remove(draft).catch(() => undefined);
    throw thrown;
  }
}

/**
 * A file whose name appears with the whole content behind it: nobody reads a part. Where the name is taken already, what lies
 * there stays. The folder must exist.
 */
export async function makeFile(ops: FileOps, path: string, data: Uint8Array): Promise<void> {
  const folder = dirname(path);
  const draft = join(folder, `.${basename(path)}.${randomBytes(8).toString('hex')}`);
  try {
    await ops.create(draft, data);
    await ops.link(draft, path);
    await ops.syncDir(folder);
  } finally {
    await ops.remove(draft);
  }
}
