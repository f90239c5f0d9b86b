import { describe, expect, it } from 'vitest';
import { firstRequest } from '../../../src/engine/session/request.ts';
import { toolDefinitions } from '../../../src/engine/session/tools/roleTools.ts';
import type { ScriptedModel, SentBody } from '../../support/provider/scriptedModel.ts';
import {
  call,
  calls,
  done,
  plannerSpec,
  reviewerSpec,
  says,
  summarizerSpec,
  workerSpec,
} from '../../support/session/sessionBench.ts';
import { sessionTest } from '../../support/session/sessionTest.ts';
import { dearFrom } from '../../support/session/tightPrices.ts';

const { bench, run } = sessionTest();

/** Share of all input tokens that were cache reads, from the second request on. */
function cacheReadShare(model: ScriptedModel): number {
  const later = model.usages.slice(1);
  const read = later.reduce((sum, usage) => sum + usage.cache_read_input_tokens, 0);
  const all = later.reduce(
    (sum, u) => sum + u.input_tokens + u.cache_read_input_tokens + u.cache_creation_input_tokens,
    0,
  );
  return read / all;
}

const sharing = { ...workerSpec(), shared: 'What the sessions of the job share.' };

describe('the requests of a session', () => {
  it('sends exactly the bytes that the preview shows', async () => {
    for (const spec of [workerSpec(), sharing, plannerSpec, reviewerSpec, summarizerSpec]) {
      bench().entries = [];
      const { model } = await run([says('x', 'refusal')], { spec });
      expect(model.bodies[0]).toBe(JSON.stringify(firstRequest(spec, toolDefinitions(spec))));
    }
  });

  it('are read from the cache, all but the newest turn', async () => {
    bench().onCommand = (command) => command.repeat(40);
    const turns = Array.from({ length: 30 }, (_, n) => calls(call('bash', { command: `step ${n} ` })));
    const { model } = await run([...turns, done()]);
    expect(cacheReadShare(model)).toBeGreaterThan(0.9);
    for (const body of model.bodies) expect(body.split('cache_control').length - 1).toBeLessThanOrEqual(4);
  });

  it('carry a mark behind what the sessions of a job share, in a long session and in a resumed one', async () => {
    bench().onCommand = (command) => command.repeat(200);
    const turns = Array.from({ length: 30 }, (_, n) => calls(call('bash', { command: `step ${n} ` })));
    const long = await run([...turns, says('x', 'refusal')], { spec: sharing, settings: { prices: dearFrom(12_000) } });
    expect(bench().entries.some((entry) => entry.kind === 'compacted')).toBe(true);
    bench().entries = bench().entries.slice(0, 7);
    const resumed = await run([done()], { spec: workerSpec() });
    for (const body of [...long.model.bodies, ...resumed.model.bodies]) {
      const { messages } = JSON.parse(body) as SentBody;
      expect(messages[0]?.content.slice(0, 2)).toMatchObject([
        { text: sharing.shared, cache_control: { type: 'ephemeral' } },
        { text: sharing.opening },
      ]);
      expect(body.split('cache_control').length - 1).toBeLessThanOrEqual(4);
    }
  });

  it('carry marks behind the shared texts of a phase, and find what the last request wrote behind many calls', async () => {
    bench().onCommand = (command) => command.repeat(200);
    const many = (n: number) =>
      calls(...Array.from({ length: 12 }, (_, at) => call('bash', { command: `step ${n}.${at} ` })));
    const spec = { ...sharing, phase: 'What the sessions of the phase share.' };
    const { model } = await run([calls(call('bash', { command: 'first' })), many(1), many(2), done()], { spec });
    const marks = model.bodies.map((body) => {
      const { system, messages } = JSON.parse(body) as SentBody;
      const [first, ...later] = messages;
      const isMarked = (block: object) => 'cache_control' in block;
      expect(first?.content.slice(0, 2).every(isMarked)).toBe(true);
      return [system.some(isMarked), later.flatMap(({ content }) => content).filter(isMarked).length];
    });
    expect(marks).toEqual([
      [true, 0],
      [true, 1],
      [false, 2],
      [false, 2],
    ]);
    const [, ...later] = model.usages;
    for (const [index, usage] of later.entries()) {
      const before = model.usages[index];
      const written = (before?.cache_creation_input_tokens ?? 0) + (before?.cache_read_input_tokens ?? 0);
      expect(usage.cache_read_input_tokens).toBe(written);
    }
  });

  it('begin with the bytes of the request before', async () => {
    const { model } = await run([calls(call('bash', { command: 'a' })), says('hm'), calls(call('notes', {})), done()]);
    const unmarked = model.bodies.map((body) => body.replaceAll(/,"cache_control":\{[^}]*\}/g, ''));
    for (const [index, body] of unmarked.slice(1).entries()) {
      const before = (unmarked[index] ?? '').replace(/\],"stream":true\}$/, '');
      // A re-ask joins the user message before it when the reply between them was empty; here none is.
      expect(body.startsWith(before)).toBe(true);
    }
  });
});

describe('a long session', () => {
  it('writes nothing to the cache twice, over several handovers', async () => {
    bench().onCommand = (command) => command.repeat(200);
    const turns = Array.from({ length: 60 }, (_, n) => calls(call('bash', { command: `step ${n} ` })));
    const { result, model } = await run([...turns, done()], { settings: { prices: dearFrom(15_000) } });
    const handovers = bench().entries.filter((entry) => entry.kind === 'compacted').length;
    expect(handovers).toBeGreaterThan(1);
    expect(handovers).toBeLessThan(12);
    expect(result).toMatchObject({ outcome: 'answered', turns: 61 + handovers });
    expect(cacheReadShare(model)).toBeGreaterThan(0.7);
    for (const [index, usage] of model.usages.entries()) {
      const isFirst = model.sent(index).messages.length === 1;
      const before = model.usages[index - 1];
      if (isFirst || before === undefined) continue;
      const sent = before.cache_read_input_tokens + before.cache_creation_input_tokens;
      expect(usage.cache_read_input_tokens).toBe(sent);
    }
    expect(model.sent(-1).messages[0]?.content[0]?.['text']).toContain('Write a stack.');
  });

  it('makes room once when the context overflows', async () => {
    bench().onCommand = (command) => command.repeat(500);
    const turns = Array.from({ length: 6 }, (_, n) => calls(call('bash', { command: `step ${n} ` })));
    const { result } = await run([...turns, says('too', 'model_context_window_exceeded'), done()]);
    expect(result).toMatchObject({ outcome: 'answered' });
    const anew = bench().entries.filter((entry) => entry.kind === 'compacted');
    expect(anew).toMatchObject([{ refused: 'too_long' }, { handover: { reason: 'refused' } }]);
  });
});
