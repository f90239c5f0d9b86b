/** What stands on the disk after a stateJob.ts, by who opens it next. Always of the code as it is, never of a bug under test. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openConversation } from '../../../src/adapters/files/conversationFile.ts';
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import { keptAnswers } from '../../../src/adapters/files/keptAnswers.ts';
import { keptAttempts } from '../../../src/adapters/files/keptWork.ts';
import { openTranscript } from '../../../src/adapters/files/transcripts.ts';
import { findKey } from '../../../src/adapters/log/key.ts';
import { lineSeal } from '../../../src/adapters/log/seal.ts';
import { open } from '../state/stateFolder.ts';
import { FakeClock } from '../time/fakeClock.ts';
import { ANSWERED, type Kind, PROJECT, placesIn, SESSION } from './stateJob.ts';

type Done = readonly [Kind, number];

/** What a newer one of its kind takes the place of. */
const REPLACED: readonly Kind[] = ['answer', 'memory', 'definition'];

/**
 * What was told to be done and is not there. `begun` was not told: each of it is there, and `done` has it from now on, or it
 * is not.
 */
export async function missing(root: string, done: Done[], begun: readonly Done[]): Promise<string[]> {
  const look = await lookAt(root);
  done.push(...begun.filter((one) => look.has(...one)));
  const newest = new Map(done.toSorted(([, a], [, b]) => a - b));
  const isThere = ([kind, n]: Done): boolean => {
    if (REPLACED.includes(kind) && n !== newest.get(kind)) return true;
    // What was said stands in what it was shortened to, or still for itself.
    if (kind === 'said' && n < (newest.get('shortened') ?? 0)) return true;
    return look.has(kind, n);
  };
  const gone = done.filter((one) => !isThere(one)).map((one) => one.join(' '));
  return [...gone, ...look.wrong];
}

interface Look {
  has(kind: Kind, n: number): boolean;
  /** The database does not say what the events say. */
  readonly wrong: readonly string[];
}

async function lookAt(root: string): Promise<Look> {
  const { stateDir, configDir, memory, projectsDir, session } = placesIn(root);
  const key = (await findKey(configDir, nodeFiles)) ?? new Uint8Array(32);
  const folder = { root, stateDir, key, [Symbol.dispose]: () => undefined };
  const seal = lineSeal(key, 'transcript');
  const clock = new FakeClock();
  const ops = nodeFiles;
  const alone = await open(folder, { mode: 'read' });
  const projected = await open(folder, { mode: 'read', database: true, replayBytes: 0, clock });
  // Of this owner, or of an earlier one that looks no further.
  const epoch = alone.state.meta.epoch + 1;
  const transcript = await openTranscript({ stateDir, sessionId: SESSION, epoch, ops, seal });
  const talk = await openConversation({ folder: session, projectId: PROJECT, epoch, ops, seal, clock });
  const answers = keptAnswers({
    stateDir,
    ops,
    seal: lineSeal(key, 'answers'),
    running: () => true,
    problem: () => undefined,
  });
  const kept = await answerOf(stateDir, (body) => answers.take({ sessionId: ANSWERED, body }));
  const work = await workIn(stateDir);
  const ids = [...alone.state.projects.keys()];
  const texts = new Set(transcript.entries.flatMap((entry) => (entry.kind === 'user' ? [entry.text] : [])));
  const text = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  const [remembered, defined] = [
    text(join(memory, 'facts', 'notes.md')),
    text(join(projectsDir, PROJECT, 'PROJECT.md')),
  ];
  const held = new Set(
    talk.entries.flatMap((entry) => (entry.kind === 'user' || entry.kind === 'opening' ? (entry.messages ?? []) : [])),
  );
  const has: Record<Kind, (n: number) => boolean> = {
    event: (n) => ids.includes(`p${n}`),
    entry: (n) => texts.has(`entry ${n}`),
    answer: (n) => kept === `answer ${n}`,
    artifact: (n) => {
      const data = `artifact ${n}\n`;
      return text(join(stateDir, 'artifacts', `${createHash('sha256').update(data).digest('hex')}.txt`)) === data;
    },
    work: (n) => work.get(n) === `work ${n}`,
    said: (n) => held.has(n),
    memory: (n) => remembered === `memory ${n}`,
    definition: (n) => defined === `definition ${n}`,
    database: () => true,
    shortened: (n) => talk.entries.some((entry) => entry.kind === 'compacted' && (entry.upTo ?? 0) >= n),
  };
  const same = JSON.stringify(ids) === JSON.stringify([...projected.state.projects.keys()]);
  for (const one of [alone, projected, transcript, talk]) await one.close();
  return { has: (kind, n) => has[kind](n), wrong: same ? [] : ['the database says something else than the events'] };
}

/** What is kept of attempts, by their ids; what cannot be unpacked is nobody's work. */
async function workIn(stateDir: string): Promise<Map<number, string | null>> {
  const kept = keptAttempts(stateDir, nodeFiles);
  const entries = (await kept.list()).map(async ({ id }) => {
    const file = await kept.get(id).catch(() => null);
    return [id, file === null ? null : Buffer.from(file.data).toString('utf8')] as const;
  });
  return new Map(await Promise.all(entries));
}

/** As the gateway takes it: by what is asked again. */
async function answerOf(
  stateDir: string,
  take: (body: string) => Promise<{ readonly text: string } | null>,
): Promise<string | null> {
  const path = join(stateDir, 'answers', `${ANSWERED}.json`);
  if (!existsSync(path)) return null;
  const n = /"text":"answer (\d+)"/.exec(readFileSync(path, 'utf8'))?.[1] ?? '';
  return (await take(`asked ${n}`))?.text ?? null;
}
