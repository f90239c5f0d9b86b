/** Implements `PendingBatches` as a file with one JSON line per batch. Lines that are not whole are left out. */
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../core/text/json.ts';
import type { BatchedCall, PendingBatches } from '../../engine/session/gatewayPorts.ts';
import type { FileOps } from '../../engine/state/storePorts.ts';

const lineSchema = z.object({ call: z.string(), id: z.string() });

const callName = ({ sessionId, prompt }: BatchedCall): string =>
  `${sessionId} ${createHash('sha256').update(prompt).digest('hex')}`;

export async function openPendingBatches(path: string, ops: FileOps): Promise<PendingBatches> {
  const text = Buffer.from((await ops.read(path)) ?? []).toString('utf8');
  const ids = new Map<string, string>();
  for (const line of text.split('\n')) {
    const read = lineSchema.safeParse(parseJson(line));
    if (read.success) ids.set(read.data.call, read.data.id);
  }
  return {
    find: (call) => ids.get(callName(call)) ?? null,
    add: async (call, id) => {
      const name = callName(call);
      // Also if it cannot be written, this process does not create the batch again.
      ids.set(name, id);
      const file = await ops.openAppend(path);
      try {
        // The line break in front ends a line whose write was interrupted.
        let rest: Uint8Array = Buffer.from(`\n${JSON.stringify({ call: name, id })}\n`);
        while (rest.length > 0) rest = rest.subarray(await file.write(rest));
        await file.sync();
      } finally {
        await file.close();
      }
      await ops.syncDir(dirname(path));
    },
  };
}
