/** Histories of models that think: the provider of these tests refuses thinking whose history has changed, as the real one does. */
import { describe, expect, it } from 'vitest';
import { blocksOf, type Message } from '../../../src/engine/session/transcript/messages.ts';
import { holdsThinking } from '../../../src/engine/session/transcript/thinking.ts';
import type { CountedUsage, ScriptedReply } from '../../support/provider/scriptedModel.ts';
import { call, calls, done, says, workerSpec } from '../../support/session/sessionBench.ts';
import { sessionTest } from '../../support/session/sessionTest.ts';
import { BOUND } from '../../support/session/thinkingCheck.ts';
import { dearFrom } from '../../support/session/tightPrices.ts';

const { bench, run } = sessionTest();

const reads = (count: number): readonly ScriptedReply[] =>
  Array.from({ length: count }, (_, n) => calls(call('bash', { command: `read ${n} ` })));

/** What each command prints, characters. */
function printing(characters: number): void {
  bench().onCommand = (command) => command.repeat(Math.ceil(characters / command.length));
}

const shortened = (): number => bench().entries.filter((entry) => entry.kind === 'compacted').length;

/** Why each conversation began anew. */
const kinds = (): readonly string[] =>
  bench().entries.flatMap((entry) =>
    entry.kind === 'compacted' ? [entry.handover === undefined ? 'refused' : 'handover'] : [],
  );

/** In prices of one input token of Sonnet: a write is 1.25, a read 0.05, output 5. */
const costOf = (usages: readonly CountedUsage[]): number =>
  usages.reduce(
    (sum, u) =>
      sum +
      u.input_tokens +
      1.25 * u.cache_creation_input_tokens +
      0.05 * u.cache_read_input_tokens +
      5 * u.output_tokens,
    0,
  );

const promptOf = (u: CountedUsage): number =>
  u.input_tokens + u.cache_creation_input_tokens + u.cache_read_input_tokens;

/** A history that was shortened before, with its thinking, as journals of before hold it. */
async function leaveOldJournal(): Promise<void> {
  await run([...reads(2), done()]);
  const entries = bench().entries.slice(0, -2);
  const messages: Message[] = [];
  for (const entry of entries) {
    if (entry.kind === 'opening') messages.push({ role: 'user', content: entry.spec.opening });
    if (entry.kind === 'reply')
      messages.push({ role: 'assistant', content: (entry.message as Message).content } as Message);
    if (entry.kind === 'results') messages.push({ role: 'user', content: [{ type: 'text', text: '[left out]' }] });
  }
  const plain = messages.map((message) =>
    message.role === 'assistant'
      ? { ...message, content: blocksOf(message).filter(({ type }) => type !== 'tool_use') }
      : message,
  );
  expect(holdsThinking(plain)).toBe(true);
  bench().entries = [...entries, { kind: 'compacted', messages: plain }];
}

describe('a model that thinks', () => {
  it('reads sixty files without a refusal, and its thinking is sent back until the conversation is handed over', async () => {
    printing(5_000);
    const spec = { ...workerSpec(), model: 'claude-sonnet-5-5' };
    const { result, model } = await run([...reads(60), done()], { spec });
    const handovers = shortened();
    expect(handovers).toBeGreaterThan(0);
    expect(result).toMatchObject({ outcome: 'answered', turns: 61 + handovers });
    expect(model.bodies).toHaveLength(61 + handovers);
    expect(model.bodies[10]).toContain('"type":"thinking"');
  });

  it('goes on with a journal that was shortened before, thinking and all', async () => {
    await leaveOldJournal();
    const { result, model } = await run([done()]);
    expect(result).toMatchObject({ outcome: 'answered' });
    expect(model.bodies[0]).not.toContain('"type":"thinking"');
  });

  it('hands over after a refusal for thinking of another history, once', async () => {
    await run([...reads(2), done()]);
    // What was read is another than the model was shown.
    bench().entries = bench()
      .entries.slice(0, -2)
      .map((entry) => (entry.kind === 'opening' ? { ...entry, spec: { ...entry.spec, system: 'Another.' } } : entry));
    const { result, model } = await run([{ status: 400, message: BOUND }, done()]);
    expect(result).toMatchObject({ outcome: 'answered' });
    expect(model.bodies.map((body) => body.includes('"type":"thinking"'))).toEqual([true, false, false]);
    expect(kinds()).toEqual(['refused', 'handover']);
  });

  it('that thought and said nothing is asked again', async () => {
    const { result, model } = await run([{ content: [], stop_reason: 'end_turn' }, done()]);
    expect(result).toMatchObject({ outcome: 'answered' });
    expect(model.bodies[1]).not.toContain('"type":"thinking"');
  });
});

describe('a history that is too long', () => {
  const TOO_LONG = { status: 400, message: 'prompt is too long: 205123 tokens > 200000 maximum' } as const;

  it('is handed over once, and the session continues', async () => {
    printing(4_000);
    const { result, model } = await run([...reads(12), TOO_LONG, done()]);
    expect(result).toMatchObject({ outcome: 'answered' });
    expect(kinds()).toEqual(['refused', 'handover']);
    const [whole = '', shorter = '', fresh = ''] = model.bodies.slice(-3);
    expect(shorter.length).toBeLessThan(whole.length / 2);
    expect(fresh.length).toBeLessThan(shorter.length / 2);
    expect(fresh).toContain('What was done so far.');
  });

  it('is handed over without a summary if what is left of it is refused too', async () => {
    printing(4_000);
    const { result, model } = await run([...reads(12), TOO_LONG, TOO_LONG, done()], { summary: null });
    expect(result).toMatchObject({ outcome: 'answered' });
    expect(kinds()).toEqual(['refused', 'handover']);
    expect(model.bodies.at(-1)).toContain('There is no summary of it');
  });

  it('is for people to look at when the fresh conversation is refused too', async () => {
    printing(4_000);
    const { result } = await run([...reads(12), TOO_LONG, TOO_LONG, TOO_LONG], { summary: null });
    expect(result).toMatchObject({ outcome: 'unavailable', code: 'MODEL_REQUEST_REFUSED' });
    expect(kinds()).toEqual(['refused', 'handover']);
  });

  it('is not filled again once its refusal stated how much fits', async () => {
    printing(4_000);
    const refusal = { status: 400, message: 'prompt is too long: 12001 tokens > 12000 maximum' } as const;
    const { result, model } = await run([...reads(12), refusal, ...reads(30), done()]);
    expect(result).toMatchObject({ outcome: 'answered' });
    expect(Math.max(...model.usages.slice(-31).map(promptOf))).toBeLessThan(12_000);
    expect(kinds().filter((kind) => kind === 'refused')).toHaveLength(1);
  });
});

describe('handing over', () => {
  it('costs less than to keep large results', async () => {
    printing(12_000);
    const spec = { ...workerSpec(), model: 'claude-sonnet-5-5' };
    const kept = await run([...reads(80), done()]);
    bench().entries = [];
    const handed = await run([...reads(80), done()], { spec });
    expect(handed.result).toMatchObject({ outcome: 'answered' });
    expect(shortened()).toBeGreaterThan(0);
    expect(costOf(handed.model.usages)).toBeLessThan(costOf(kept.model.usages));
  });

  it('keeps every prompt of a model below the length from which on it charges more', async () => {
    printing(20_000);
    const spec = { ...workerSpec(), model: 'claude-haiku-5-5' };
    const { model } = await run([...reads(60), says('Done.'), done()], { spec });
    expect(Math.max(...model.usages.map(promptOf))).toBeLessThan(100_000);
    expect(shortened()).toBeGreaterThan(0);
  });

  it('begins the fresh conversation with the assignment, the summary and nothing else', async () => {
    printing(4_000);
    const settings = { prices: dearFrom(12_000) };
    const { model } = await run([...reads(12), done()], { settings, summary: () => 'Twelve files were read.' });
    const fresh = model.bodies.map((_, index) => model.sent(index)).filter(({ messages }) => messages.length === 1);
    expect(fresh.slice(1).length).toBe(shortened());
    for (const { messages, system } of fresh.slice(1)) {
      expect(messages[0]?.content.map(({ text }) => String(text))).toEqual([
        workerSpec().opening,
        expect.stringMatching(/^# The work so far\n.*\n\n<summary \w+>\nTwelve files were read\.\n/),
      ]);
      expect(system).toEqual(fresh[0]?.system);
    }
  });

  it('asks again for a summary that was none, and then begins without one', async () => {
    printing(4_000);
    const settings = { prices: dearFrom(12_000) };
    const { result, model } = await run([...reads(11), done()], { settings, summary: null });
    expect(result).toMatchObject({ outcome: 'answered' });
    expect(bench().commands, 'calls that answered a request for a summary did not run').toHaveLength(9);
    expect(model.bodies.filter((body) => body.includes('Write the summary now'))).toHaveLength(1);
    expect(model.bodies.at(-1)).toContain('There is no summary of it');
  });

  it('takes the answer of a session that is done when it is asked for a summary', async () => {
    printing(4_000);
    const settings = { prices: dearFrom(12_000) };
    const { result } = await run([...reads(9), done('All is done.')], { settings, summary: null });
    expect(result).toMatchObject({ outcome: 'answered', answer: { report: { summary: 'All is done.' } } });
    expect(shortened()).toBe(0);
  });
});
