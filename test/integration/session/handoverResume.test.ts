/** A long session that is handed over several times continues after a kill between any two entries of its journal. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TranscriptEntry } from '../../../src/engine/session/ports.ts';
import { openSession } from '../../../src/engine/session/session.ts';
import { ONE_FEATURE } from '../../support/demo/briefs.ts';
import { FactKeeper, factText } from '../../support/economy/factKeeper.ts';
import { leadTo } from '../../support/provider/leadTo.ts';
import { type MessagesServer, startMessagesServer } from '../../support/provider/messagesServer.ts';
import { SessionBench, workerSpec } from '../../support/session/sessionBench.ts';

const ROUNDS = 90;

let bench: SessionBench;
let server: MessagesServer;
const bodies: string[] = [];

beforeEach(async () => {
  bench = new SessionBench();
  bench.limits = { turns: 1_000, tokens: 1e9, seconds: 1e6, microUsd: 1e12 };
  bench.onCommand = (command) => `${command}\n${'a line of a result\n'.repeat(400)}`;
  const model = new FactKeeper(ROUNDS, new Map([[2, factText('decision-1', 'a queue')]]));
  server = await startMessagesServer({ scenario: ONE_FEATURE, model, apiKey: 'unused', keep: false, thinking: 100 });
});
afterEach(async () => {
  await server.close();
  bench.remove();
});

function open(entries: readonly TranscriptEntry[], most = Number.POSITIVE_INFINITY) {
  bench.entries = [...entries];
  const abort = new AbortController();
  let requests = 0;
  const sent = leadTo(() => server.url);
  const ports = bench.ports({
    fetch: (input, init) => {
      bodies.push(String(init?.body));
      if (++requests > most) abort.abort();
      return sent(input, init);
    },
  });
  return openSession({ ...workerSpec(), model: 'claude-haiku-5-5' }, { ...ports, signal: abort.signal });
}

it('sends the request that it would have sent', async () => {
  const whole = await open([]).run();
  expect(whole).toMatchObject({ outcome: 'answered' });
  const entries = [...bench.entries];
  const sent = bodies.splice(0);
  const handovers = entries.filter((entry) => entry.kind === 'compacted');
  expect(handovers.length).toBeGreaterThanOrEqual(3);
  for (let length = 1; length <= entries.length; length++) {
    const known = entries.slice(0, length);
    const answered = known.filter((entry) => entry.kind === 'reply').length;
    const result = await open(known, 0).run();
    expect(bodies.splice(0), `after ${length} entries`).toEqual(sent.slice(answered, answered + 1));
    if (answered === sent.length) expect(result).toEqual(whole);
    expect(
      bench.entries.map(({ kind }) => kind),
      `after ${length} entries`,
    ).toEqual(entries.slice(0, bench.entries.length).map(({ kind }) => kind));
  }
  expect(server.refused).toEqual([]);
});
