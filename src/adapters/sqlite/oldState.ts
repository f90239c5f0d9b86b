/**
 * Implements `OldState` on files: the database and the progress notes that a tool in the format of seed 003 left in
 * `.autonomous`.
 */
import { join } from 'node:path';
import type { FileOps, ImportedDraft, LastId, OldFile, OldState } from '../../engine/state/storePorts.ts';
import { messageOf } from '../../shared/errors.ts';
import { copiesIn } from './copies.ts';
import { Database } from './database.ts';
import { kindOfFile } from './fileHeader.ts';
import { FILE } from './projection.ts';
import type { OldContent } from './seed003.ts';

const PROGRESS = 'progress.txt';
/** Label of the copies of that tool's files. */
const OLD = 'seed003';

/** Loaded with the first such file, because each window of the editor loads this module. */
const convert = () => import('./seed003.ts');

export interface OldStateOptions {
  readonly stateDir: string;
  readonly ops: FileOps;
  readonly wasmFile?: string | undefined;
  /** Whether the state folder came with the repository. No file of a repository is imported. */
  readonly isShipped: () => Promise<boolean>;
}

export function openOldState({ stateDir, ops, wasmFile, isShipped }: OldStateOptions): OldState {
  const pathOf = (name: string): string => join(stateDir, name);
  const copies = copiesIn(stateDir, ops);
  const found = (
    file: string,
    copy: { readonly name: string; readonly bytes: Uint8Array } | null,
    draft: ImportedDraft | null,
    what: string | null,
  ): OldFile => ({
    draft,
    problem: what === null ? null : { file, line: null, what },
    keep: async () => (copy === null ? undefined : copies.keep(file, copy.name, copy.bytes)),
    // The next flush replaces the database.
    finish: async () => (file === FILE ? undefined : ops.remove(pathOf(file))),
  });
  const read = async (bytes: Uint8Array, source: string, lastId: LastId, at: string): Promise<OldContent> => {
    const [{ databaseContent }, old] = await Promise.all([convert(), Database.open(bytes, wasmFile)]);
    try {
      const [features, notes, sessions] = [
        old.plainRows('features'),
        old.plainRows('notes'),
        old.plainRows('sessions'),
      ];
      return databaseContent(source, { features, notes, sessions }, lastId, at);
    } finally {
      old.close();
    }
  };

  return {
    async database(lastId, at) {
      const kind = await kindOfFile(ops, pathOf(FILE));
      if (kind === null || kind === 'ours' || kind === 'other schema') return null;
      const bytes = (await ops.stat(pathOf(FILE)))?.kind === 'file' ? await ops.read(pathOf(FILE)) : null;
      if (bytes === null) return found(FILE, null, null, 'it is not a file; replaced');
      const name = await copies.nameOf(FILE, kind === 'other' ? OLD : 'unknown', bytes);
      const copy = { name, bytes };
      if (kind === 'unknown') return found(FILE, copy, null, `it is not a database; kept as ${name}`);
      if (await isShipped()) {
        return found(FILE, copy, null, `it came with the repository and was not taken in; kept as ${name}`);
      }
      try {
        const { draft, renumbered } = await read(bytes, name, lastId, at);
        const ids = `these features got a new id because theirs was taken (old: new): ${renumbered.join(', ')}`;
        return found(FILE, copy, draft, renumbered.length === 0 ? null : ids);
      } catch (thrown) {
        return found(FILE, copy, null, `it cannot be read (${messageOf(thrown)}); kept as ${name}`);
      }
    },
    async progress(lastId, at) {
      if ((await ops.stat(pathOf(PROGRESS)))?.kind !== 'file' || (await isShipped())) return null;
      const bytes = await ops.read(pathOf(PROGRESS));
      if (bytes === null) return null;
      const name = await copies.nameOf(PROGRESS, OLD, bytes);
      const { progressDraft } = await convert();
      const draft = progressDraft(name, Buffer.from(bytes).toString('utf8'), lastId, at);
      return draft === null ? null : found(PROGRESS, { name, bytes }, draft, null);
    },
  };
}
