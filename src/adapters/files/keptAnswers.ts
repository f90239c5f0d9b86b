/**
 * Implements `KeptAnswers` as files `.autonomous/answers/<session>.json`: the newest answer of each running session,
 * one sealed line `{session, asked, asker, type, text, mac}`. Written completely or not at all.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { KeptAnswers } from '../../engine/session/gatewayPorts.ts';
import { replaceFile } from '../../engine/state/filePorts.ts';
import type { FileOps, LineSeal } from '../../engine/state/storePorts.ts';
import { messageOf } from '../../shared/errors.ts';

export interface KeptAnswersOptions {
  readonly stateDir: string;
  readonly ops: FileOps;
  readonly seal: LineSeal;
  /** Answers of ended sessions are removed. */
  readonly running: (sessionId: number) => boolean;
  /** Logs, in one sentence, that an answer could not be stored or read. */
  readonly problem: (text: string) => void;
}

interface Kept {
  readonly session: number;
  readonly asked: string;
  /** Missing in answers of an older version, and if the caller never repeats its call. */
  readonly asker?: string | undefined;
  readonly type: string;
  readonly text: string;
}

const NAME = /^([1-9]\d*)\.json$/;

const digest = (body: string): string => createHash('sha256').update(body).digest('hex');

export function keptAnswers({ stateDir, ops, seal, running, problem }: KeptAnswersOptions): KeptAnswers {
  const folder = join(stateDir, 'answers');
  const given = new Map<number, string>();
  const fileOf = (sessionId: number): string => join(folder, `${sessionId}.json`);

  async function write(kept: Kept): Promise<void> {
    await ops.makeDir(folder);
    await replaceFile(ops, fileOf(kept.session), Buffer.from(seal.seal(JSON.stringify(kept)).line));
  }

  async function sweep(): Promise<void> {
    for (const name of await ops.list(folder)) {
      const session = Number(NAME.exec(name)?.[1] ?? Number.NaN);
      if (!Number.isNaN(session) && !running(session)) await ops.remove(join(folder, name));
    }
  }

  async function read(sessionId: number): Promise<Kept | null> {
    const bytes = (await ops.stat(fileOf(sessionId)))?.kind === 'file' ? await ops.read(fileOf(sessionId)) : null;
    if (bytes === null || seal.check(bytes) === null) return null;
    const kept = JSON.parse(Buffer.from(bytes).toString('utf8')) as Kept;
    return kept.session === sessionId ? kept : null;
  }

  return {
    async keep({ sessionId, body, asker }, { type, text }) {
      try {
        await write({ session: sessionId, asked: digest(body), asker, type, text });
        given.delete(sessionId);
        await sweep();
      } catch (thrown) {
        problem(`an answer could not be kept: ${messageOf(thrown)}`);
      }
    },
    async take({ sessionId, body, asker }) {
      const asked = digest(body);
      if (given.get(sessionId) === asked) return null;
      try {
        const kept = await read(sessionId);
        if (kept?.asked !== asked || (asker !== undefined && kept.asker === asker)) return null;
        given.set(sessionId, asked);
        return { type: kept.type, text: kept.text };
      } catch (thrown) {
        problem(`a kept answer could not be read: ${messageOf(thrown)}`);
        return null;
      }
    },
  };
}
