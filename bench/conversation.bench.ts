/** Reading a conversation of 50 MB: its journal checked and parsed, and what a session goes on from. Wall-clock and processor time. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/adapters/clock.ts';
import { openConversation } from '../src/adapters/files/conversationFile.ts';
import { nodeFiles } from '../src/adapters/files/files.ts';
import { lineSeal } from '../src/adapters/log/seal.ts';
import type { ConversationJournal } from '../src/engine/project/talk/conversationPorts.ts';
import type { TranscriptEntry } from '../src/engine/session/ports.ts';
import { foldTranscript } from '../src/engine/session/transcript/history.ts';
import type { FileOps } from '../src/engine/state/storePorts.ts';
import { median, round, show } from './table.ts';

const ROUNDS = 7;
const TURNS = 5_000;
const TEXT = 'word '.repeat(1_000);

const root = mkdtempSync(join(tmpdir(), 'autonomous-conversation-'));
const spec = { role: 'project', model: 'm', system: 's', opening: 'o', maxTokens: 1 } as const;
const opening: TranscriptEntry = { kind: 'opening', spec, checkpoint: null };
const shortened: TranscriptEntry = { kind: 'compacted', messages: [], atRest: true };

const turns = Array.from({ length: TURNS }, (_, index): TranscriptEntry[] => [
  { kind: 'user', text: `[project api message ${index + 1}]\n${TEXT}`, messages: [index + 1] },
  { kind: 'reply', message: { content: [{ type: 'text', text: TEXT }], stop_reason: 'end_turn', usage: {} } },
]).flat();

/** Ten thousand fsyncs are no part of what is measured. */
const unsynced: FileOps = {
  ...nodeFiles,
  openAppend: async (path) => ({ ...(await nodeFiles.openAppend(path)), sync: async () => undefined }),
};

function open(name: string): Promise<ConversationJournal> {
  const seal = lineSeal(new Uint8Array(32), 'transcript');
  const folder = join(root, name);
  return openConversation({ folder, projectId: 'api', epoch: 1, ops: unsynced, seal, clock: systemClock() });
}

async function measured(name: string, entries: readonly TranscriptEntry[]) {
  const journal = await open(name);
  for (const entry of entries) await journal.append(entry);
  await journal.close();
  const samples: { wall: number; cpu: number }[] = [];
  for (let left = ROUNDS; left > 0; left--) {
    const before = { wall: performance.now(), cpu: process.cpuUsage() };
    foldTranscript((await open(name)).entries);
    const { user, system } = process.cpuUsage(before.cpu);
    samples.push({ wall: performance.now() - before.wall, cpu: (user + system) / 1000 });
  }
  const megabytes = statSync(join(root, name, 'current.jsonl')).size / 1e6;
  const [wall, cpu] = [median(samples.map((one) => one.wall)), median(samples.map((one) => one.cpu))];
  return [name, round(megabytes), round(wall, 0), round(cpu, 0), '<= 1000', cpu <= 1000 ? 'met' : 'MISSED'] as const;
}

try {
  const rows = [
    await measured('shortened at its end', [opening, ...turns, shortened]),
    await measured('never shortened', [opening, ...turns]),
  ];
  show(`A conversation read (median of ${ROUNDS})`, ['journal', 'MB', 'wall ms', 'cpu ms', 'limit', ''], rows);
} finally {
  rmSync(root, { recursive: true, force: true });
}
