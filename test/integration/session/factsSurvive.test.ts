/** Twenty facts that a long session meets are known at its end, over several handovers, to a model that knows only what it is shown. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SessionSpec, Turn } from '../../../src/engine/session/ports.ts';
import { openSession } from '../../../src/engine/session/session.ts';
import { ONE_FEATURE } from '../../support/demo/briefs.ts';
import { FactKeeper, factText } from '../../support/economy/factKeeper.ts';
import { leadTo } from '../../support/provider/leadTo.ts';
import { startMessagesServer } from '../../support/provider/messagesServer.ts';
import { SessionBench, workerSpec } from '../../support/session/sessionBench.ts';

const ROUNDS = 200;

const ASSIGNED = { 'path-1': 'src/parser/tokens.ts', 'number-1': 'at most 4,096 entries', 'word-1': 'call it Ledger' };
const FOUND = {
  'path-2': 'lib/io/write.ts line 118',
  'path-3': 'test/fixtures/odd name.txt',
  'number-2': '17 of 212 tests fail',
  'number-3': '0x1F4',
  'command-1': 'npm run check -- --only=io exits 3',
  'trap-1': 'the cache must be cleared before the second run',
  'version-1': 'node 20.20.2',
  'name-1': 'Übergrößenträger',
};
const DECIDED = {
  'decision-1': 'a queue, not a lock',
  'decision-2': 'errors are values',
  'decision-3': 'no new package',
};
const ASKED = {
  'request-1': 'keep the old flag until spring',
  'request-2': 'write the changelog in English',
  'request-3': 'do not touch vendor/',
};
const TRIED = {
  'attempt-1': 'streams lost the last line',
  'attempt-2': 'a worker thread was slower',
  'attempt-3': 'rg -U was too slow',
};
const ALL = { ...ASSIGNED, ...FOUND, ...DECIDED, ...ASKED, ...TRIED };

const lines = (facts: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(facts).map(([name, value]) => factText(name, value));

let bench: SessionBench;
beforeEach(() => {
  bench = new SessionBench();
  bench.limits = { turns: 1_000, tokens: 1e9, seconds: 1e6, microUsd: 1e12 };
});
afterEach(() => bench.remove());

/** Facts are spread over the rounds: each is shown once, most of them long before the end. */
function planted(facts: readonly string[], every: number): ReadonlyMap<number, string> {
  return new Map(facts.map((fact, index) => [3 + index * every, fact]));
}

it.each([
  ['claude-sonnet-5-5', 'with a summary of all facts', []],
  ['claude-haiku-5-5', 'with a summary that leaves out what the engine keeps', Object.keys({ ...ASSIGNED, ...ASKED })],
])('on %s, %s', async (name, _, leftOut) => {
  const found = planted([...lines(FOUND), ...lines(TRIED)], 15);
  const asked = planted(lines(ASKED), 40);
  bench.onCommand = (command) => {
    const round = Number(command.split(' ')[1]);
    return `${command}\n${'a line of a long result\n'.repeat(300)}${found.get(round) ?? ''}\n`;
  };
  let rounds = 0;
  const meanwhile = async (): Promise<Turn | null> => {
    const text = asked.get(++rounds);
    return text === undefined ? null : { text: `[message ${rounds}]\n${text}`, messages: [rounds] };
  };
  const model = new FactKeeper(ROUNDS, planted(lines(DECIDED), 50), leftOut);
  const server = await startMessagesServer({
    scenario: ONE_FEATURE,
    model,
    apiKey: 'unused',
    keep: false,
    thinking: 200,
  });
  try {
    const ports = bench.ports({ fetch: leadTo(() => server.url) }, { meanwhile });
    const assigned = workerSpec();
    const spec: SessionSpec = { ...assigned, model: name, opening: [assigned.opening, ...lines(ASSIGNED)].join('\n') };
    const result = await openSession(spec, ports).run();
    expect(server.refused).toEqual([]);
    expect(model.summaries).toBeGreaterThanOrEqual(3);
    expect(result).toMatchObject({ outcome: 'answered', answer: { kind: 'report' } });
    const summary =
      result.outcome === 'answered' && result.answer.kind === 'report' ? result.answer.report.summary : '';
    expect(summary.split('\n').sort()).toEqual([...lines(ALL)].sort());
  } finally {
    await server.close();
  }
});
