/** Whether the conversation of a project ends with an answer. */
import { join } from 'node:path';
import { lastEntry } from '../../adapters/files/conversationFile.ts';
import { nodeFiles } from '../../adapters/files/files.ts';
import { loadKey } from '../../adapters/log/key.ts';
import { lineSeal } from '../../adapters/log/seal.ts';
import { isAnswer } from '../../engine/project/talk/conversationEnd.ts';
import type { ThreadPoolOptions } from '../../engine/workspace/threads/threadPool.ts';
import type { OwnerOptions } from './ownerOptions.ts';

/** An unreadable conversation is reported by the code that opens it. */
export function answeredIn({ stateDir, configDir }: OwnerOptions['places']): ThreadPoolOptions['isAnswered'] {
  let key: Promise<Uint8Array> | null = null;
  return async (projectId) => {
    try {
      key ??= loadKey(configDir, nodeFiles);
      const folder = join(stateDir, 'projects', projectId, 'session');
      const seal = lineSeal(await key, 'transcript');
      return isAnswer(await lastEntry({ folder, projectId, ops: nodeFiles, seal }));
    } catch {
      return false;
    }
  };
}
