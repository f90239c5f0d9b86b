/** Kills a conversation again and again, each time for real, and reads from its files what became of every message. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import { openEventLog } from '../../../src/adapters/log/eventLog.ts';
import { lineSeal } from '../../../src/adapters/log/seal.ts';
import type { TranscriptEntry } from '../../../src/engine/session/ports.ts';
import type { Event } from '../../../src/shared/workspace/events.ts';
import type { TalkLife } from '../process/talkOwner.ts';
import { dice, live, WAYS } from './lives.ts';

export interface KillsOutcome {
  readonly lives: number;
  readonly kills: number;
  /** Messages whose sender was told that they are there. */
  readonly acknowledged: number;
  /** Of these: in no entry of the journal, or in more than one. */
  readonly lost: readonly number[];
  readonly twice: readonly number[];
  /** What the project said of each message: none of them twice. */
  readonly said: number;
  readonly saidTwice: readonly string[];
  /** Calls that were booked, and replies in the journals: none was paid for twice when there are no more of the former. */
  readonly settled: number;
  readonly replies: number;
  /** Times that the conversation was shortened. */
  readonly shortened: number;
}

/** Changes of files that two messages make, about. */
const CHANGES = 30;

/** `script`: the program of talkOwner.ts. */
export async function killTalks(script: string, root: string, kills: number, seed: number): Promise<KillsOutcome> {
  const stateDir = join(root, '.autonomous');
  mkdirSync(stateDir, { recursive: true });
  const key = randomBytes(32);
  const next = dice(seed);
  const acknowledged: number[] = [];
  const one = { root, stateDir, key: key.toString('hex') };
  let [lives, died] = [0, 0];
  for (; died < kills; lives++) {
    const how = WAYS[next(WAYS.length)] ?? 'before';
    const life: TalkLife = { ...one, say: 1 + next(2), killAt: 1 + next(CHANGES), how };
    if ((await live(script, life, (line) => acknowledged.push(Number(line)))) === 'killed') died++;
  }
  await live(script, { ...one, say: 1, killAt: 0, how: 'before' }, (line) => acknowledged.push(Number(line)));
  return { lives: lives + 1, kills: died, ...(await readOutcome(stateDir, key, acknowledged)) };
}

interface Line {
  readonly n: number;
  readonly entry: TranscriptEntry;
}

/** Every entry that counts, in all files of the conversation. */
function journal(folder: string): Line[] {
  const dated = readdirSync(folder).filter((name) => /^\d{4}.*\.jsonl$/.test(name));
  const lines: Line[] = [];
  for (const name of [...dated.sort(), 'current.jsonl']) {
    for (const text of readFileSync(join(folder, name), 'utf8').split('\n')) {
      if (!text.startsWith('{') || !text.endsWith('"}')) continue;
      const line = JSON.parse(text) as Line;
      while ((lines.at(-1)?.n ?? 0) >= line.n) lines.pop();
      lines.push(line);
    }
  }
  return lines;
}

function summaries(stateDir: string): number {
  const folder = join(stateDir, 'sessions');
  let replies = 0;
  for (const name of readdirSync(folder)) {
    replies += readFileSync(join(folder, name), 'utf8').split('"kind":"reply"').length - 1;
  }
  return replies;
}

async function readOutcome(stateDir: string, key: Uint8Array, acknowledged: readonly number[]) {
  const entries = journal(join(stateDir, 'projects', 'api', 'session')).map((line) => line.entry);
  const held = entries.flatMap((entry) =>
    entry.kind === 'opening' || entry.kind === 'user' || entry.kind === 'results' ? [...(entry.messages ?? [])] : [],
  );
  const log = await openEventLog({ stateDir, ops: nodeFiles, seal: lineSeal(key, 'events') });
  const { events } = await log.read(null);
  await log.close();
  const said = events.flatMap((event: Event) =>
    event.type === 'message_sent' && event.message.sender === 'project' ? [event.message.text] : [],
  );
  const inJournal = entries.filter((entry) => entry.kind === 'reply').length;
  const shortened = entries.filter((entry) => entry.kind === 'compacted' && entry.atRest === true).length;
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.filter((id) => !held.includes(id)),
    twice: held.filter((id, index) => held.indexOf(id) !== index),
    said: said.length,
    saidTwice: said.filter((text, index) => said.indexOf(text) !== index),
    settled: events.filter((event) => event.type === 'call_settled').length,
    replies: inJournal + (shortened > 0 ? summaries(stateDir) : 0),
    shortened,
  };
}
