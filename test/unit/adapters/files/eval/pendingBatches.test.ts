/** The stored ids of batches: found again by the same call of the same session alone, also after an interrupted write. */
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openPendingBatches } from '../../../../../src/adapters/files/eval/pendingBatches.ts';
import { nodeFiles } from '../../../../../src/adapters/files/files.ts';

it('finds the newest batch of a call, in this process and in the next', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'autonomous-batches-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'batches.jsonl');
  const call = { sessionId: 1, prompt: '{"a":1}' };
  const first = await openPendingBatches(path, nodeFiles);
  expect(first.find(call)).toBeNull();
  await first.add(call, 'b1');
  expect(first.find(call)).toBe('b1');
  appendFileSync(path, '{"call":"1 broken');
  await (await openPendingBatches(path, nodeFiles)).add(call, 'b2');
  const last = await openPendingBatches(path, nodeFiles);
  expect(last.find(call)).toBe('b2');
  expect(last.find({ ...call, sessionId: 2 })).toBeNull();
  expect(last.find({ ...call, prompt: '{"a":2}' })).toBeNull();
});
