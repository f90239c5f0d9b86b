/** Histories of models that think: the provider of these tests refuses thinking whose history has changed, as the real one does. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksOf, type Message } from '../../../src/engine/session/transcript/messages.ts';
import { holdsThinking } from '../../../src/engine/session/transcript/thinking.ts';
import type { CountedUsage, ScriptedReply } from '../../support/provider/scriptedModel.ts';
import { call, calls, done, says, workerSpec } from '../../support/session/sessionBench.ts';
import { sessionTest } from '../../support/session/sessionTest.ts';
import { BOUND } from '../../support/session/thinkingCheck.ts';

const { bench, run } = sessionTest();

const reads = (count: number): readonly ScriptedReply[] =>
  Array.from({ length: count }, (_, n) => calls(call('bash', { command: `read ${n} ` })));

/** What each command prints, characters. */
function printing(characters: number): void {
  bench().onCommand = (command) => command.repeat(Math.ceil(characters / command.length));
}

const shortened = (): number => bench().entries.filter((entry) => entry.kind === 'compacted').length;

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
  it('reads sixty files without a refusal, and its thinking is sent back until the history is shortened', async () => {
    printing(5_000);
    const { result, model } = await run([...reads(60), done()], { settings: { shedAtTokens: 30_000 } });
    expect(result).toMatchObject({ outcome: 'answered', turns: 61 });
    expect(model.bodies).toHaveLength(61);
    expect(shortened()).toBeGreaterThan(0);
    expect(model.bodies[10]).toContain('"type":"thinking"');
  });

  it('goes on with a journal that was shortened before, thinking and all', async () => {
    await leaveOldJournal();
    const { result, model } = await run([done()]);
    expect(result).toMatchObject({ outcome: 'answered' });
    expect(model.bodies[0]).not.toContain('"type":"thinking"');
  });

  it('goes on after a refusal for thinking of another history, once', async () => {
    await run([...reads(2), done()]);
    // What was read is another than the model was shown.
    bench().entries = bench()
      .entries.slice(0, -2)
      .map((entry) => (entry.kind === 'opening' ? { ...entry, spec: { ...entry.spec, system: 'Another.' } } : entry));
    const { result, model } = await run([{ status: 400, message: BOUND }, done()]);
    expect(result).toMatchObject({ outcome: 'answered' });
    expect(model.bodies.map((body) => body.includes('"type":"thinking"'))).toEqual([true, false]);
    expect(shortened()).toBe(1);
  });

  it('that thought and said nothing is asked again', async () => {
    const { result, model } = await run([{ content: [], stop_reason: 'end_turn' }, done()]);
    expect(result).toMatchObject({ outcome: 'answered' });
    expect(model.bodies[1]).not.toContain('"type":"thinking"');
  });
});

describe('a history that is too long', () => {
  const TOO_LONG = { status: 400, message: 'prompt is too long: 205123 tokens > 200000 maximum' } as const;

  it('is shortened once, and the session goes on', async () => {
    printing(4_000);
    const { result, model } = await run([...reads(12), TOO_LONG, done()]);
    expect(result).toMatchObject({ outcome: 'answered' });
    expect(shortened()).toBe(1);
    expect((model.bodies.at(-1) ?? '').length).toBeLessThan((model.bodies.at(-2) ?? '').length / 2);
  });

  it('is for people to look at when it is refused again', async () => {
    printing(4_000);
    const { result } = await run([...reads(12), TOO_LONG, TOO_LONG]);
    expect(result).toMatchObject({ outcome: 'unavailable', code: 'MODEL_REQUEST_REFUSED' });
    expect(shortened()).toBe(1);
  });
});

describe('shortening', () => {
  it('of large results lasts for many rounds, and costs less than to keep them', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `${n}.txt`);
    for (const name of names) writeFileSync(join(bench().workdir, name), `${name} of a repository\n`.repeat(1_500));
    const files = names.map((name) => calls(call('read', { file_path: name })));
    const kept = await run([...files, done()], { settings: { shedAtTokens: 10_000_000 } });
    bench().entries = [];
    const shed = await run([...files, done()]);
    expect(shed.result).toMatchObject({ outcome: 'answered' });
    expect(shortened()).toBeLessThan(10);
    expect(costOf(shed.model.usages)).toBeLessThan(costOf(kept.model.usages));
  });

  it('keeps every prompt of a model below the length from which on it charges more', async () => {
    printing(20_000);
    const spec = { ...workerSpec(), model: 'claude-haiku-5-5' };
    const { model } = await run([...reads(60), says('Done.'), done()], { spec });
    expect(Math.max(...model.usages.map(promptOf))).toBeLessThan(100_000);
    expect(shortened()).toBeGreaterThan(0);
  });
});
