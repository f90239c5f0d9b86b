/** What the provider proofs judge: the real gateway, door, SDK and session over a real store. An entry of its own, so that it is also built with a bug in it. */
import { MessageChannel } from 'node:worker_threads';
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import { keptAnswers } from '../../../src/adapters/files/keptAnswers.ts';
import { createGateway } from '../../../src/adapters/gateway/door/gateway.ts';
import { gatewayFetch } from '../../../src/adapters/gateway/door/gatewayClient.ts';
import { serveGateway } from '../../../src/adapters/gateway/door/serveGateway.ts';
import { anthropicProvider } from '../../../src/adapters/gateway/wire/messagesWire.ts';
import { lineSeal } from '../../../src/adapters/log/seal.ts';
import { openTree } from '../../../src/adapters/tree/treeFiles.ts';
import { costs } from '../../../src/core/money/view/costs.ts';
import type { Provider } from '../../../src/engine/session/gatewayPorts.ts';
import type { SessionResult, TranscriptEntry } from '../../../src/engine/session/ports.ts';
import { openSession } from '../../../src/engine/session/session.ts';
import { sessionSpec } from '../../../src/engine/session/spec.ts';
import type { Clock } from '../../../src/shared/clock.ts';
import type { Event } from '../../../src/shared/workspace/events.ts';
import { addJob, addSession, memoryLog, openMemoryStore } from '../state/memoryStore.ts';
import { type FaultRole, MODELS } from './modelAnswers.ts';

export interface SubjectOptions {
  readonly role: FaultRole;
  readonly clock: Clock;
  /** In [0, 1), for jitter. */
  readonly random: () => number;
  /** Folder of the kept answers. */
  readonly stateDir: string;
  readonly workdir: string;
  /** The way to the provider, made of real ones by their addresses. */
  readonly provider: (at: (baseUrl: string) => Provider) => Provider;
  /** A command that the session's `bash` was asked to run. */
  readonly ran: (command: string) => void;
}

export interface Subject {
  readonly events: readonly Event[];
  readonly entries: readonly TranscriptEntry[];
  /** A life of the session, over the journal of those before it. */
  run(signal: AbortSignal): Promise<SessionResult>;
  /** Calls that the costs list as perhaps billed. */
  listed(): readonly { readonly id: number; readonly usd: number }[];
  adjust(callId: number, microUsd: number): Promise<void>;
  close(): Promise<void>;
}

const KEY = 'sk-ant-proof-0123456789abcdef';
const LIMITS = { turns: 100, tokens: 10_000_000, seconds: 1e9, microUsd: 1e12 };

export async function openSubject(options: SubjectOptions): Promise<Subject> {
  const { role, clock, random, stateDir, workdir } = options;
  const log = memoryLog();
  const store = await openMemoryStore(clock, log);
  await addJob(store, 'a');
  const sessionId = await addSession(store, 'a', role);
  const provider = options.provider((baseUrl) => anthropicProvider({ baseUrl, key: async () => KEY }));
  const seal = lineSeal(new Uint8Array(32), 'answers');
  const problem = (text: string): never => {
    throw new Error(text);
  };
  const answers = keptAnswers({ stateDir, ops: nodeFiles, seal, running: () => true, problem });
  const gateway = createGateway({ ledger: store, clock, providerOf: () => provider, random, answers });
  const { port1, port2 } = new MessageChannel();
  const stop = serveGateway(port1, gateway);
  const entries: TranscriptEntry[] = [];
  const opening = `Assignment: ${role} | phase "Core" | attempt 1\n\nDo it.`;
  const spec = sessionSpec(role, { model: MODELS[role], opening });
  const told = async () => ({ ok: true, text: 'ok' });
  return {
    events: log.events,
    entries,
    run(signal) {
      const life = openSession(spec, {
        sessionId,
        fetch: gatewayFetch(port2, sessionId),
        workdir,
        files: openTree(workdir),
        transcript: { entries: [...entries], append: async (entry) => void entries.push(structuredClone(entry)) },
        commands: {
          run: async (command) => {
            options.ran(command);
            return { exitCode: 0, ended: null, output: command };
          },
        },
        sessionTools: { addNote: told, notes: async () => '' },
        limits: LIMITS,
        clock,
        checkpoint: async () => null,
        restore: async () => undefined,
        live: () => undefined,
        signal,
      });
      return life.run();
    },
    listed: () => costs(store.state, '1970-01-01').unsettled,
    adjust: async (id, micro_usd) => void (await store.commit({ type: 'call_adjusted', id, micro_usd, by: 'steward' })),
    async close() {
      await gateway.close();
      stop();
      port2.close();
      await store.close();
    },
  };
}
