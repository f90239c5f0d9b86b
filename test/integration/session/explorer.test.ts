/** `explore`: a question that another model answers within the session that asks, journaled there, paid there, and never paid twice. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXPLORE_LIMITS, explorer } from '../../../src/engine/job/work/explorer.ts';
import type { SessionPorts, TranscriptEntry } from '../../../src/engine/session/ports.ts';
import { openSession } from '../../../src/engine/session/session.ts';
import { failure } from '../../../src/shared/errors.ts';
import type { State } from '../../../src/shared/workspace/state.ts';
import type { ScriptedModel } from '../../support/provider/scriptedModel.ts';
import { call, calls, done, resultsIn, says, workerSpec } from '../../support/session/sessionBench.ts';
import { sessionTest } from '../../support/session/sessionTest.ts';
import { jobRow, spendRow, stateOf } from '../../support/state/builders.ts';

const { bench, scripted } = sessionTest();

const ASK = call('explore', { question: 'Where is pop?' });
const LOOKS = calls(call('grep', { pattern: 'pop' }));
const WHOLE = [calls(ASK), LOOKS, says('In stack.js, line 1.'), done()];
const CLAIM = '[The answer of another model: a claim. Check what your work depends on.]\nIn stack.js, line 1.';

async function worker(model: ScriptedModel, { state = stateOf({}), ports = {} as Partial<SessionPorts> } = {}) {
  writeFileSync(join(bench().workdir, 'stack.js'), 'function pop() {}\n');
  const own = bench().ports(model, ports);
  const explore = explorer(state, jobRow(), own, async () => 'stack.js 1 line');
  return openSession(workerSpec(), { ...own, sessionTools: { ...own.sessionTools, explore } }).run();
}

const isReply = (entry: TranscriptEntry): boolean =>
  entry.kind === 'reply' || (entry.kind === 'explored' && isReply(entry.entry));

describe('a question', () => {
  it('is answered by the cheaper model with the tools that read, as a claim', async () => {
    const model = await scripted(...WHOLE);
    expect(await worker(model)).toMatchObject({ outcome: 'answered' });
    const asked = model.bodies.map((body) => JSON.parse(body));
    expect(asked.map((body) => body.model)).toEqual(['scripted', 'haiku', 'haiku', 'scripted']);
    expect(asked[1].tools.map((tool: { name: string }) => tool.name)).toEqual(['read', 'glob', 'grep']);
    const opening = asked[1].messages[0].content[0].text;
    expect(opening).toMatch(
      /^\[task for a subagent from session \d+ of project default\]\nWhere is pop\?\n\n# The repository when the job began\n<map \w+>\nstack\.js 1 line\n/,
    );
    expect(resultsIn(model, 2)).toMatchObject([{ content: 'stack.js:1:function pop() {}' }]);
    expect(resultsIn(model, 3)).toMatchObject([{ content: CLAIM }]);
    expect(bench().live).toContain('explore: grep pop');
    expect(JSON.stringify(asked[3].messages)).not.toContain('function pop');
  });

  it('continues after a crash at any entry of the journal, and no answer is asked for twice', async () => {
    await worker(await scripted(...WHOLE));
    const whole = [...bench().entries];
    expect(whole.filter(({ kind }) => kind === 'explored')).toHaveLength(4);
    for (let length = 0; length <= whole.length; length++) {
      const kept = whole.slice(0, length);
      bench().entries = [...kept];
      const model = await scripted(...WHOLE.slice(kept.filter(isReply).length));
      expect(await worker(model)).toMatchObject({ outcome: 'answered' });
      expect(model.left).toBe(0);
      expect(bench().entries).toHaveLength(whole.length);
    }
  });

  it('that is refused by a limit, or whose model is away, is an error that the worker reads', async () => {
    for (const refusal of [
      failure('LIMIT_REACHED', 'the attempt limit of $5 is reached', { details: { limit: 'attempt' } }),
      failure('MODEL_UNAVAILABLE', 'HTTP 529', { details: { retryAtMs: 1 } }),
    ]) {
      bench().entries = [];
      const model = await scripted(calls(ASK), done());
      const fetch: typeof globalThis.fetch = (input, init) =>
        String(init?.body).includes('"model":"haiku"') ? Promise.reject(refusal) : model.fetch(input, init);
      expect(await worker(model, { ports: { fetch } })).toMatchObject({ outcome: 'answered' });
      const [result] = resultsIn(model, 1);
      expect(result).toMatchObject({ is_error: true });
      expect(result?.['content']).toMatch(
        new RegExp(`^The explorer could not be asked: ${refusal.message.replace('$', '\\$')}.*Read the files yourself`),
      );
    }
  });

  it('ends at its own ceiling of money, counted from the ledger', async () => {
    const spent = (id: number, micro: number) =>
      spendRow({ id, session_id: 1, status: 'settled', settled_micro_usd: micro });
    // What the session had spent before is not the question's.
    const state: State = stateOf({ spends: [spent(1, 10 * EXPLORE_LIMITS.microUsd)] });
    const model = await scripted(calls(ASK), LOOKS, done());
    const own: typeof fetch = async (...request) => {
      const id = state.spends.size + 1;
      if (String(request[1]?.body).includes('"model":"haiku"'))
        state.spends.set(id, spent(id, EXPLORE_LIMITS.microUsd));
      return model.fetch(...request);
    };
    await worker(model, { state, ports: { fetch: own } });
    expect(model.bodies).toHaveLength(3);
    expect(resultsIn(model, 2)).toMatchObject([
      { is_error: true, content: expect.stringContaining('this question has used its limit of $0.25') },
    ]);
  });

  it('ends at its own ceiling of turns, and its answer is cut', async () => {
    const many = Array.from({ length: EXPLORE_LIMITS.turns }, (_, nth) => calls(call('grep', { pattern: `p${nth}` })));
    const model = await scripted(
      calls(ASK),
      ...many,
      calls({ ...ASK, id: 'again' } as never),
      says('x'.repeat(5_000)),
      done(),
    );
    await worker(model);
    const [turns] = resultsIn(model, EXPLORE_LIMITS.turns + 1);
    expect(turns).toMatchObject({ is_error: true, content: expect.stringContaining('20 of 20 turns used (turns)') });
    const [long] = resultsIn(model, EXPLORE_LIMITS.turns + 3);
    expect(String(long?.['content']).length).toBeLessThan(8_300);
    expect(long?.['content']).toContain('[… 1000 characters left out]');
  });

  it('stops with the session', async () => {
    const model = await scripted(calls(ASK));
    const fetch: typeof globalThis.fetch = (input, init) => {
      if (!String(init?.body).includes('"model":"haiku"')) return model.fetch(input, init);
      bench().abort.abort();
      return Promise.reject(failure('ABORTED', 'the call was aborted'));
    };
    expect(await worker(model, { ports: { fetch } })).toMatchObject({ outcome: 'aborted' });
    expect(bench().entries.at(-1)).toMatchObject({ kind: 'explored', entry: { kind: 'opening' } });
  });
});
