/** `Artifacts` as files of `.autonomous/artifacts`, named by what they hold: written once, and checked when read. */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Artifacts, FileOps } from '../engine/ports.ts';
import { failure } from '../shared/errors.ts';

const NAME = /^[0-9a-f]{64}\.txt$/;

const nameOf = (data: Uint8Array) => `${createHash('sha256').update(data).digest('hex')}.txt`;

/** `put` rejects with DISK; `get` gives null for what is missing, altered, or no name of ours. */
export function openArtifacts(stateDir: string, ops: FileOps): Artifacts {
  const folder = join(stateDir, 'artifacts');

  async function read(name: string): Promise<Uint8Array | null> {
    if (!NAME.test(name)) return null;
    const path = join(folder, name);
    if ((await ops.stat(path))?.kind !== 'file') return null;
    const data = await ops.read(path);
    return data !== null && nameOf(data) === name ? data : null;
  }

  async function write(name: string, data: Uint8Array): Promise<void> {
    const path = join(folder, name);
    const draft = join(folder, `.${randomBytes(8).toString('hex')}.tmp`);
    await ops.makeDir(folder);
    try {
      await ops.create(draft, data);
      await ops.rename(draft, path);
      await ops.syncDir(folder);
    } catch (thrown) {
      // What failed first is what counts.
      await ops.remove(draft).catch(() => undefined);
      throw thrown;
    }
  }

  return {
    async put(text) {
      const data = Buffer.from(text);
      const name = nameOf(data);
      try {
        if ((await read(name)) === null) await write(name, data);
      } catch (thrown) {
        const path = join(folder, name);
        throw failure('DISK', `cannot write ${path}`, { details: { path }, cause: thrown });
      }
      return name;
    },
    async get(name) {
      const data = await read(name);
      return data === null ? null : Buffer.from(data).toString('utf8');
    },
  };
}
