/**
 * Implements `Artifacts` as files of `.autonomous/artifacts`, named by their content: written once, and checked when
 * read.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { diskFailure, replaceFile } from '../../engine/state/filePorts.ts';
import type { Artifacts, FileOps } from '../../engine/state/storePorts.ts';

const NAME = /^[0-9a-f]{64}\.txt$/;

export const isArtifactName = (text: string): boolean => NAME.test(text);
export const artifactName = (data: Uint8Array): string => `${createHash('sha256').update(data).digest('hex')}.txt`;

/** `put` rejects with DISK; `get` returns null for an artifact that is missing, altered, or has an invalid name. */
export function openArtifacts(stateDir: string, ops: FileOps): Artifacts & { remove(name: string): Promise<void> } {
  const folder = join(stateDir, 'artifacts');

  async function read(name: string): Promise<Uint8Array | null> {
    if (!isArtifactName(name)) return null;
    const path = join(folder, name);
    if ((await ops.stat(path))?.kind !== 'file') return null;
    const data = await ops.read(path);
    return data !== null && artifactName(data) === name ? data : null;
  }

  return {
    async put(text) {
      const data = Buffer.from(text);
      const name = artifactName(data);
      const path = join(folder, name);
      try {
        if ((await read(name)) !== null) return name;
        await ops.makeDir(folder);
        await replaceFile(ops, path, data);
        return name;
      } catch (thrown) {
        throw diskFailure(thrown, path);
      }
    },
    async get(name) {
      const data = await read(name);
      return data === null ? null : Buffer.from(data).toString('utf8');
    },
    async remove(name) {
      if (isArtifactName(name)) await ops.remove(join(folder, name));
    },
  };
}
