/** Hooks of a test file about sessions: a fresh bench and model for each test, and no reply left unasked at its end. */
import { afterEach, beforeEach, expect } from 'vitest';
import type { SessionSettings } from '../../../src/engine/session/economy.ts';
import type { SessionPorts, SessionResult, SessionSpec } from '../../../src/engine/session/ports.ts';
import { openSession } from '../../../src/engine/session/session.ts';
import { type Scripted, ScriptedModel } from '../provider/scriptedModel.ts';
import { SessionBench, workerSpec } from './sessionBench.ts';

export interface SessionTest {
  readonly bench: () => SessionBench;
  readonly scripted: (...replies: readonly Scripted[]) => Promise<ScriptedModel>;
  /** A model with the cache of another one. */
  readonly after: (before: ScriptedModel, ...replies: readonly Scripted[]) => Promise<ScriptedModel>;
  /** Opens a session over the bench's journal and runs it. */
  readonly run: (
    replies: readonly Scripted[],
    given?: {
      readonly spec?: SessionSpec;
      readonly ports?: Partial<SessionPorts>;
      readonly settings?: SessionSettings;
      readonly summary?: Parameters<typeof ScriptedModel.start>[1];
    },
  ) => Promise<{ readonly result: SessionResult; readonly model: ScriptedModel }>;
}

export function sessionTest(): SessionTest {
  let bench: SessionBench;
  const models: ScriptedModel[] = [];
  beforeEach(() => {
    bench = new SessionBench();
  });
  afterEach(async () => {
    bench.remove();
    const ended = models.splice(0);
    for (const model of ended) await model.close();
    for (const model of ended) expect(model.left, 'replies left in the script').toBe(0);
  });
  const scripted = async (...replies: readonly Scripted[]) => {
    const model = await ScriptedModel.start(replies);
    models.push(model);
    return model;
  };
  const after = async (before: ScriptedModel, ...replies: readonly Scripted[]) => {
    const model = await ScriptedModel.start(replies, undefined, before.cache);
    models.push(model);
    return model;
  };
  return {
    bench: () => bench,
    scripted,
    after,
    async run(replies, given = {}) {
      const model = await ScriptedModel.start(replies, given.summary);
      models.push(model);
      const session = openSession(given.spec ?? workerSpec(), bench.ports(model, given.ports), given.settings);
      return { result: await session.run(), model };
    },
  };
}
