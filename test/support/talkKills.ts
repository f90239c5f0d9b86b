/** Kills a conversation again and again, each time for real, and reads from its files what became of every message. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { nodeBundle } from '../../esbuild.mjs';
import { nodeFiles } from '../../src/adapters/files.ts';
import { openEventLog } from '../../src/adapters/log/eventLog.ts';
import { lineSeal } from '../../src/adapters/log/seal.ts';
import type { TranscriptEntry } from '../../src/agent/ports.ts';
import type { Event } from '../../src/shared/events.ts';
import type { TalkLife } from './talkOwner.ts';

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

/** The program as one file: starting it is faster than starting the source. */
async function program(folder: string): Promise<string> {
  const entry = fileURLToPath(new URL('./talkOwner.ts', import.meta.url));
  await build({ ...nodeBundle([entry], folder), splitting: false, sourcemap: false, metafile: true });
  return join(folder, 'talkOwner.js');
}

/** A generator of numbers below `most` that a seed repeats. */
function dice(seed: number): (most: number) => number {
  let state = seed >>> 0;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

/** How the process ended; each id that it wrote is acknowledged. */
function live(script: string, life: TalkLife, heard: (id: number) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env['PATH'] ?? '', TALK_LIFE: JSON.stringify(life) };
    const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let err = '';
    child.stdout.on('data', (data: Buffer) => {
      out += data.toString();
    });
    child.stderr.on('data', (data: Buffer) => {
      err += data.toString();
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      for (const line of out.split('\n').slice(0, -1)) heard(Number(line));
      if (signal === 'SIGKILL') resolve('killed');
      else if (code === 0) resolve('rested');
      else reject(new Error(`a life ended with ${code ?? signal}: ${err}`));
    });
  });
}

const WAYS = ['before', 'torn', 'after'] as const;
/** Changes of files that two messages make, about. */
const CHANGES = 30;

export async function killTalks(root: string, kills: number, seed: number): Promise<KillsOutcome> {
  const stateDir = join(root, '.autonomous');
  mkdirSync(stateDir, { recursive: true });
  const key = randomBytes(32);
  const script = await program(join(root, 'program'));
  const next = dice(seed);
  const acknowledged: number[] = [];
  const one = { root, stateDir, key: key.toString('hex') };
  let [lives, died] = [0, 0];
  for (; died < kills; lives++) {
    const how = WAYS[next(WAYS.length)] ?? 'before';
    const life = { ...one, say: 1 + next(2), killAt: 1 + next(CHANGES), how };
    if ((await live(script, life, (id) => acknowledged.push(id))) === 'killed') died++;
  }
  await live(script, { ...one, say: 1, killAt: 0, how: 'before' }, (id) => acknowledged.push(id));
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
    entry.kind === 'opening' || entry.kind === 'user' ? [...(entry.messages ?? [])] : [],
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
