/** Implements `PendingBatches` as a file with one JSON object per batch. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { BatchedCall, PendingBatches } from '../../../engine/session/gatewayPorts.ts';
import type { FileOps } from '../../../engine/state/storePorts.ts';
import { openLines } from './jsonLines.ts';

const lineSchema = z.object({ call: z.string(), id: z.string() });

const callName = ({ sessionId, prompt }: BatchedCall): string =>
  `${sessionId} ${createHash('sha256').update(prompt).digest('hex')}`;

export async function openPendingBatches(path: string, ops: FileOps): Promise<PendingBatches> {
  const lines = await openLines(path, lineSchema, ops);
  const ids = new Map(lines.all.map(({ call, id }) => [call, id]));
  return {
    find: (call) => ids.get(callName(call)) ?? null,
    add: (batched, id) => {
      const call = callName(batched);
      // Also if it cannot be written, this process does not create the batch again.
      ids.set(call, id);
      return lines.add({ call, id });
    },
  };
}
