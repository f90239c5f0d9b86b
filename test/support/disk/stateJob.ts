/**
 * A small job of everything that writes into the state: events, the database, transcripts, kept answers, artifacts, kept work of
 * attempts, a conversation, memory, PROJECT.md, the key. Each thing done has a name; once it was told to be done, it is there after anything.
 */
import { join } from 'node:path';
import { openArtifacts } from '../../../src/adapters/files/artifacts.ts';
import { openConversation } from '../../../src/adapters/files/conversationFile.ts';
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import { keptAnswers } from '../../../src/adapters/files/keptAnswers.ts';
import { keptAttempts } from '../../../src/adapters/files/keptWork.ts';
import { memoryFiles } from '../../../src/adapters/files/memoryFiles.ts';
import { openProjectFiles } from '../../../src/adapters/files/projectFiles.ts';
import { openTranscript } from '../../../src/adapters/files/transcripts.ts';
import { openEventLog } from '../../../src/adapters/log/eventLog.ts';
import { loadKey } from '../../../src/adapters/log/key.ts';
import { lineSeal } from '../../../src/adapters/log/seal.ts';
import { openProjection } from '../../../src/adapters/sqlite/projection.ts';
import { EVENT_TYPES, reduce } from '../../../src/core/workspace/reduce.ts';
import { openStore } from '../../../src/engine/state/openStore.ts';
import type { Clock } from '../../../src/shared/clock.ts';
import { failure } from '../../../src/shared/errors.ts';

export const KINDS = [
  'event',
  'entry',
  'answer',
  'artifact',
  'work',
  'said',
  'memory',
  'definition',
  'database',
  'shortened',
] as const;
export type Kind = (typeof KINDS)[number];
export const SESSION = 5;
/** The answer of a model. */
export const ANSWERED = 7;
export const PROJECT = 'api';
/** Small, so that many begin. */
const SEGMENT_BYTES = 1_500;
const SPEC = { role: 'project', model: 'm', system: 's', opening: 'o', maxTokens: 1 } as const;

export interface StateJob {
  /** Resolves when it is done; rejects when it is not, or may not be. */
  do(kind: Kind, n: number): Promise<void>;
  close(): Promise<void>;
}

export const placesIn = (root: string) => ({
  stateDir: join(root, '.autonomous'),
  configDir: join(root, 'config', 'autonomous'),
  projectsDir: join(root, '.autonomous', 'projects'),
  memory: join(root, '.autonomous', 'projects', PROJECT, 'memory'),
  session: join(root, '.autonomous', 'projects', PROJECT, 'session'),
});

export async function openStateJob(root: string, clock: Clock): Promise<StateJob> {
  const { stateDir, configDir, projectsDir, memory, session } = placesIn(root);
  const ops = nodeFiles;
  const key = await loadKey(configDir, ops);
  const projection = openProjection({ stateDir, ops, seal: lineSeal(key, 'database'), clock });
  const store = await openStore({
    log: await openEventLog({ stateDir, ops, seal: lineSeal(key, 'events'), segmentBytes: SEGMENT_BYTES }),
    projection,
    reduce,
    eventTypes: EVENT_TYPES,
    clock,
    owner: { pid: process.pid, version: 'test' },
    replayBytes: 0,
  });
  const seal = lineSeal(key, 'transcript');
  const { epoch } = store;
  const transcript = await openTranscript({ stateDir, sessionId: SESSION, epoch, ops, seal });
  const talk = await openConversation({ folder: session, projectId: PROJECT, epoch, ops, seal, clock });
  let problem: string | null = null;
  const answers = keptAnswers({
    stateDir,
    ops,
    seal: lineSeal(key, 'answers'),
    running: (id) => id === ANSWERED,
    problem: (text) => {
      problem = text;
    },
  });
  const artifacts = openArtifacts(stateDir, ops);
  const work = keptAttempts(stateDir, ops);
  const files = openProjectFiles({ projectsDir, ops, maxBytes: 10_000 });
  const memories = memoryFiles(memory, ops);
  const does: Record<Kind, (n: number) => Promise<unknown>> = {
    event: (n) => store.commit({ type: 'project_created', project: { id: `p${n}`, model: null, workdir: null } }),
    entry: (n) => transcript.append({ kind: 'user', text: `entry ${n}` }),
    answer: async (n) => {
      problem = null;
      await answers.keep({ sessionId: ANSWERED, body: `asked ${n}` }, { type: 'text/plain', text: `answer ${n}` });
      if (problem !== null) throw failure('DISK', problem);
    },
    artifact: (n) => artifacts.put(`artifact ${n}\n`),
    work: (n) => work.put(n, Buffer.from(`work ${n}`)),
    said: async (n) => {
      const said = { kind: 'user', text: `said ${n}`, messages: [n] } as const;
      await talk.append(
        talk.entries.length > 0 ? said : { kind: 'opening', spec: SPEC, checkpoint: null, messages: [n] },
      );
    },
    memory: (n) => memories.write('facts/notes.md', `memory ${n}`),
    definition: (n) => files.write(PROJECT, `definition ${n}`, `mark ${n}`),
    database: () => projection.flush(),
    shortened: (n) => talk.restart([{ kind: 'compacted', messages: [], upTo: n, atRest: true }]),
  };
  return {
    do: async (kind, n) => {
      await does[kind](n);
    },
    close: async () => {
      await transcript.close();
      await talk.close();
      await store.close();
    },
  };
}
