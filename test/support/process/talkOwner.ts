/**
 * An owner with one project and its conversation in one process, answered by the simulated model: says some messages, writes
 * the id of each that was acknowledged to stdout, converses until nothing is open, and ends. May kill itself on the way,
 * at the nth change of a file.
 */

import { writeSync } from 'node:fs';
import { systemClock } from '../../../src/adapters/clock.ts';
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import { keptAnswers } from '../../../src/adapters/files/keptAnswers.ts';
import { openTranscript } from '../../../src/adapters/files/transcripts.ts';
import { createGateway } from '../../../src/adapters/gateway/door/gateway.ts';
import { openEventLog } from '../../../src/adapters/log/eventLog.ts';
import { lineSeal } from '../../../src/adapters/log/seal.ts';
import { simulatedProvider } from '../../../src/adapters/simulated/provider.ts';
import { openTree } from '../../../src/adapters/tree/treeFiles.ts';
import { loadScenario } from '../../../src/app/assets/scenarios.ts';
import { openProjectConversation } from '../../../src/app/worker/conversation.ts';
import { plainDefinition } from '../../../src/core/project/reduceProjects.ts';
import { EVENT_TYPES, reduce } from '../../../src/core/workspace/reduce.ts';
import type { Gateway } from '../../../src/engine/session/gatewayPorts.ts';
import { openStore } from '../../../src/engine/state/openStore.ts';
import type { Store } from '../../../src/engine/state/store.ts';
import type { PlainFailure } from '../../../src/shared/errors.ts';
import { killAtChange, type PlannedKill } from '../kill/killAtChange.ts';
import { EMPTY_ANSWERS } from '../world/ownerCalls.ts';

export interface TalkLife extends PlannedKill {
  readonly root: string;
  readonly stateDir: string;
  /** The installation's, in hexadecimal digits. */
  readonly key: string;
  /** Messages that it says. */
  readonly say: number;
}

const life = JSON.parse(process.env['LIFE'] ?? '') as TalkLife;
const clock = systemClock();

/** The gateway's door without a thread in between. */
function fetchThrough(gateway: Gateway, sessionId: number): typeof fetch {
  return async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const headers = Object.fromEntries(new Headers(init?.headers));
    const request = { path: pathname + search, method: 'POST', headers, body: String(init?.body), sessionId };
    const reply = await gateway.call(request, init?.signal ?? new AbortController().signal);
    return new Response(reply.body, { status: reply.status, headers: reply.headers });
  };
}

async function say(store: Store, count: number): Promise<void> {
  for (let more = count; more > 0; more--) {
    const [id = 0] = store.nextIds('messages', 1);
    const about = { concerns: null, relayed_from: null, session_id: null };
    const message = {
      id,
      project_id: 'api',
      direction: 'in',
      sender: 'steward',
      text: `Note ${id}.`,
      ...about,
    } as const;
    await store.commit({ type: 'message_sent', message });
    writeSync(1, `${id}\n`);
  }
}

async function main(): Promise<PlainFailure | null> {
  const key = Buffer.from(life.key, 'hex');
  const { stateDir } = life;
  killAtChange(life);
  const log = await openEventLog({ stateDir, ops: nodeFiles, seal: lineSeal(key, 'events') });
  const owner = { pid: process.pid, version: 'test' };
  const store = await openStore({ log, projection: null, reduce, eventTypes: EVENT_TYPES, clock, owner });
  if (!store.state.projects.has('api')) {
    const definition = { ...plainDefinition(), provider: 'simulated' } as const;
    await store.commit({ type: 'project_created', project: { id: 'api', model: null, workdir: null, definition } });
  }
  const problem = (text: string): void => void process.stderr.write(`${text}\n`);
  const running = (id: number): boolean => store.state.sessions.get(id)?.status === 'running';
  const answers = keptAnswers({ stateDir, ops: nodeFiles, seal: lineSeal(key, 'answers'), running, problem });
  const provider = simulatedProvider({ scenario: await loadScenario(null), clock, delayMs: 0 });
  const gateway = createGateway({ ledger: store, answers, clock, providerOf: () => provider });
  const rested = Promise.withResolvers<PlainFailure | null>();
  const seal = lineSeal(key, 'transcript');
  const talk = openProjectConversation({
    start: { projectId: 'api', projectDir: life.root, stateDir, configDir: life.root, epoch: store.epoch },
    store: {
      state: store.state,
      commit: (draft) => store.commit(draft),
      nextIds: async (table, count) => store.nextIds(table as Parameters<Store['nextIds']>[0], count),
      changed: () => Promise.reject(new Error('a conversation hears of events')),
    },
    clock,
    seal,
    settings: { compactAtTokens: 6_000 },
    owner: EMPTY_ANSWERS,
    openTranscript: (sessionId) => openTranscript({ stateDir, sessionId, epoch: store.epoch, ops: nodeFiles, seal }),
    openTree,
    gatewayFetch: (sessionId) => fetchThrough(gateway, sessionId),
    live: () => undefined,
    problem: () => undefined,
    conversed: (run, failure) => {
      if (run === 1) rested.resolve(failure);
    },
  });
  store.subscribe((event) => talk.heard(event));
  await say(store, life.say);
  talk.converse(1);
  const failed = await rested.promise;
  await talk.stop();
  await gateway.close();
  await store.close();
  return failed;
}

const failed = await main();
if (failed !== null) {
  process.stderr.write(`${failed.code}: ${failed.message}\n`);
  process.exitCode = 3;
}
