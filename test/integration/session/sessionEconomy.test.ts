/** Long sessions against a provider that refuses what the real one refuses, and bills what it bills. */
import { describe, expect, it } from 'vitest';
import { jsonBody } from '../../../src/adapters/simulated/provider.ts';
import { inputTokens } from '../../../src/core/model/usage/usage.ts';
import { handoverRequest } from '../../../src/engine/session/prompts/handover.ts';
import { measured, neverShortened, unitsOf, type Work } from '../../support/economy/measuredSession.ts';
import { ReadingWorker } from '../../support/economy/readingWorker.ts';

const WORK: Work = { model: 'claude-sonnet-5-5', rounds: 12, size: 4_000, said: 50, thinking: 200 };

describe('a long session', () => {
  it('that thinks is never refused, and is billed for each token of its thinking', async () => {
    const silent = await measured({ ...WORK, thinking: null });
    const thinking = await measured(WORK);
    expect(thinking).toMatchObject({ result: { outcome: 'answered', turns: 13 }, refused: [] });
    const output = (of: typeof silent): number => of.usages.reduce((sum, usage) => sum + usage.output, 0);
    expect(output(thinking) - output(silent)).toBe(13 * 200);
  });

  it('costs by its first rounds what it is billed, if nothing of its history goes', async () => {
    const { usages, handovers } = await measured(WORK);
    expect(handovers).toBe(0);
    const billed = unitsOf(WORK.model, usages);
    expect(neverShortened(WORK, usages) / billed).toBeGreaterThan(0.97);
    expect(neverShortened(WORK, usages) / billed).toBeLessThan(1.03);
  });

  it('writes its prompt to the cache again after a pause of more than five minutes', async () => {
    const { usages, rewrites } = await measured({ ...WORK, pauses: { seconds: 300, before: [6] } });
    expect(rewrites.count).toBe(1);
    expect(rewrites.tokens).toBeGreaterThan(0.9 * inputTokens(usages[5] as (typeof usages)[number]));
    const short = await measured({ ...WORK, pauses: { seconds: 270, before: [6] } });
    expect(short.rewrites).toEqual({ count: 0, tokens: 0 });
  });

  it('does not end when a prompt is longer than the provider takes', async () => {
    const { result, refused } = await measured({ ...WORK, rounds: 30, window: 20_000 });
    expect(refused[0]).toMatch(/^prompt is too long: \d+ tokens > 20000 maximum$/);
    expect(result).toMatchObject({ outcome: 'answered' });
  });
});

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly text?: string;
  readonly input?: { readonly file_path?: string };
}

/** A conversation with a reading worker, kept by hand. */
class Talk {
  readonly #messages: { role: string; content: unknown }[];
  readonly #worker = new ReadingWorker({ rounds: 12, size: 100, said: 10 }, () => 0);

  constructor(opening: string) {
    this.#messages = [{ role: 'user', content: opening }];
  }

  /** The blocks of the next reply, after results for its last calls and, if given, a text of the engine. */
  ask(text?: string): readonly Block[] {
    const last = this.#messages.at(-1);
    const calls =
      last?.role === 'assistant' ? (last.content as readonly Block[]).filter(({ id }) => id !== undefined) : [];
    const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'its text' }));
    const told = text === undefined ? [] : [{ type: 'text', text }];
    if (results.length + told.length > 0) this.#messages.push({ role: 'user', content: [...results, ...told] });
    const body = { model: 'claude-sonnet-5-5', max_tokens: 16_000, messages: this.#messages };
    const answer = this.#worker.answer('/v1/messages', JSON.stringify(body));
    const { content = [] } = jsonBody(answer) as { readonly content?: readonly Block[] };
    this.#messages.push({ role: 'assistant', content });
    return content;
  }
}

const filesOf = (blocks: readonly Block[]) => blocks.flatMap(({ input }) => input?.file_path ?? []);

describe('the reading worker', () => {
  it('writes a summary when it is asked to hand over, and continues from it alone', () => {
    const first = new Talk('Read the files.');
    const read = [1, 2, 3, 4, 5, 6].map(() => filesOf(first.ask()));
    expect(read.flat()).toEqual([1, 2, 3, 4, 5, 6].map((n) => `part-00${n}.txt`));
    const [summary, ...others] = first.ask(handoverRequest('worker'));
    expect(others).toEqual([]);
    expect(summary?.text).toHaveLength(4 * 1_500);

    const next = new Talk(`Read the files.\n\n# Summary\n${summary?.text}`);
    expect(filesOf(next.ask())).toEqual([3, 4, 5, 6].map((n) => `part-00${n}.txt`));
    expect(filesOf(next.ask())).toEqual(['part-007.txt']);
    const [second] = next.ask(handoverRequest('worker'));
    const last = new Talk(`Read the files.\n\n# Summary\n${second?.text}`);
    expect([filesOf(last.ask()), filesOf(last.ask())]).toEqual([
      [4, 5, 6, 7].map((n) => `part-00${n}.txt`),
      ['part-008.txt'],
    ]);
  });

  it('takes other texts of the engine for what they are', () => {
    const talk = new Talk('Read the files.');
    talk.ask();
    expect(filesOf(talk.ask('Engine: your reply was cut off, so no part of it counts.'))).toEqual(['part-002.txt']);
  });
});
