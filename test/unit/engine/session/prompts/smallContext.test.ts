/** A model with a small window: what its sessions are given, and what they leave out. */
import { expect, it } from 'vitest';
import { sharedOpening } from '../../../../../src/engine/session/prompts/shared.ts';
import { firstRequest } from '../../../../../src/engine/session/request.ts';
import { sessionSpec } from '../../../../../src/engine/session/spec.ts';
import { toolDefinitions } from '../../../../../src/engine/session/tools/roleTools.ts';

const specIn = (window: number | null) => sessionSpec('worker', { model: 'ollama/qwen3', opening: 'x', window });
const named = (window: number | null) => toolDefinitions(specIn(window)).map(({ name }) => name);

it.each([
  [16_384, 4_096],
  [32_768, 8_192],
  [131_072, 16_000],
  [null, 16_000],
])('an answer in a window of %s tokens has at most %i', (window, most) => {
  const spec = specIn(window);
  expect(firstRequest(spec, toolDefinitions(spec)).max_tokens).toBe(most);
});

it('a small window has only the tools that the work needs', () => {
  expect(named(32_768)).toEqual(['read', 'glob', 'grep', 'write', 'edit', 'bash', 'bash_output', 'note', 'report']);
  expect(named(131_072)).toEqual(named(null));
  expect(named(null)).toContain('explore');
});

it('a small window has half of the facts about the repository, and the whole brief', () => {
  const lines = (word: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${word} ${at} ${'x'.repeat(60)}`);
  const given = {
    job: {
      brief: 'Do it.',
      setup_ran: null,
      setup_gap: null,
      setup_removed: [],
      baseline_checks: [],
      machine: null,
      base_branch: 'main',
      base_merges: [],
      options: { attempt: { turns: 1, seconds: 60, tokens: 1 } },
    } as never,
    facts: {
      instructions: [{ path: 'AGENTS.md', text: lines('rule', 200).join('\n') }],
      map: lines('folder', 60).join('\n'),
      subjects: lines('commit', 10),
    },
    projectBody: '',
  };
  const whole = sharedOpening(given);
  const short = sharedOpening({ ...given, isShort: true });
  expect(short.length).toBeLessThan(whole.length * 0.6);
  expect(short).toContain('Do it.');
});
