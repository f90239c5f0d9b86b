import { describe, expect, it } from 'vitest';
import { passRequest } from '../../../../src/adapters/gateway/send/request.ts';
import { type ForeignRules, foreignBetas, foreignRequest } from '../../../../src/core/model/foreignRequest.ts';
import { PRICES } from '../../../../src/core/money/price/prices.ts';
import { hasPrice } from '../../../../src/core/money/price/pricing.ts';
import { amount } from '../../../support/suite/proof.ts';
import { anyCharacter, fc } from '../../../support/suite/property.ts';

const RULES: ForeignRules = {
  model: 'claude-sonnet-5-5',
  maxTokens: 8_000,
  hasPrice: (model) => hasPrice(PRICES, model),
};
const CLEAN = {
  model: 'claude-opus-5-5',
  max_tokens: 4_000,
  messages: [{ role: 'user', content: 'hi' }],
  stream: true,
};
const TOOL = { name: 'read', input_schema: { type: 'object' } };
const SEARCH = { type: 'web_search_20250305', name: 'web_search' };
const PAGES = { type: 'web_fetch_result', content: { type: 'document', source: { type: 'base64', data: 'A' } } };
const MARK = { cache_control: { type: 'ephemeral' } };

type Json = Record<string, unknown>;

function cleaned(more: Json): { readonly body: Json; readonly warnings: readonly string[] } {
  const answer = foreignRequest(JSON.stringify({ ...CLEAN, ...more }), RULES);
  if ('refused' in answer) throw new Error(answer.refused);
  return { body: JSON.parse(answer.body) as Json, warnings: answer.warnings };
}

function refusedFor(more: Json): string {
  const answer = foreignRequest(JSON.stringify({ ...CLEAN, ...more }), RULES);
  return 'refused' in answer ? answer.refused : 'passed';
}

const said = (...content: readonly Json[]) => ({ messages: [{ role: 'user', content }] });

describe('what only asks the provider for more', () => {
  it('is left out, and said', () => {
    const more = {
      safeguards: [{ type: 'x' }],
      container: 'c',
      mcp_servers: [{}],
      speed: 'fast',
      service_tier: 'auto',
      inference_geo: 'us',
    };
    const { body, warnings } = cleaned(more);
    expect(body).toEqual(CLEAN);
    expect(warnings).toHaveLength(6);
    expect(warnings[0]).toBe('the parameter safeguards was left out: what it costs is not known');
  });

  it('are tools of the provider, whose cache mark stays where the tools end', () => {
    const { body, warnings } = cleaned({
      tools: [
        { ...TOOL, defer_loading: true },
        { ...SEARCH, ...MARK },
      ],
      tool_choice: { type: 'auto' },
    });
    expect(body).toEqual({ ...CLEAN, tools: [{ ...TOOL, ...MARK }], tool_choice: { type: 'auto' } });
    expect(warnings).toEqual([
      'the tool web_search_20250305 was left out: it runs at the provider at an unknown price',
    ]);
    expect(cleaned({ tools: [SEARCH], tool_choice: { type: 'auto' } }).body).toEqual(CLEAN);
  });

  it('are edits of the context that are calls of their own', () => {
    const clear = { type: 'clear_thinking_20251015', keep: 'all' };
    const compact = { type: 'compact_20260112' };
    expect(cleaned({ context_management: { edits: [clear, compact] } }).body['context_management']).toEqual({
      edits: [clear],
    });
    expect(cleaned({ context_management: { edits: [compact] } }).body).toEqual(CLEAN);
  });

  it('are betas by which the same body costs more', () => {
    expect(foreignBetas('effort-2025-11-24, context-1m-2025-08-07,fast-mode-2026-02-01')).toBe('effort-2025-11-24');
    expect(foreignBetas('context-1m-2025-08-07')).toBeNull();
  });
});

describe('what would be a lie to leave out is refused', () => {
  it.each([
    ['an image by address', said({ type: 'image', source: { type: 'url', url: 'https://x' } }), /image by its address/],
    ['a PDF', said({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'A' } }), /PDFs/],
    ['a file', said({ type: 'container_upload', file_id: 'f' }), /files at the provider/],
    ['what the provider fetched', said({ type: 'web_fetch_tool_result', content: PAGES }), /found cannot be used/],
    ['too many blocks', said(...Array.from({ length: 100_000 }, () => ({ type: 'text' }))), /100000 messages/],
    [
      'within a result',
      said({ type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source: { type: 'file' } }] }),
      /image/,
    ],
    [
      'a forced search',
      { tools: [SEARCH], tool_choice: { type: 'tool', name: 'web_search' } },
      /web_search_20250305 cannot/,
    ],
    ['any tool of none', { tools: [SEARCH], tool_choice: { type: 'any' } }, /cannot be used/],
  ])('%s', (_name, more, reason) => {
    expect(refusedFor(more)).toMatch(reason);
  });

  it.each([
    ['max_tokens', '{"max_tokens":9,"model":"m","max\\u005ftokens":1}'],
    ['type', '{"messages":[{"content":[{"type":"image","source":{"type":"url","url":"u","type":"base64"}}]}]}'],
  ])('what is given twice, of which another reader may take the other: %s', (name, body) => {
    expect(foreignRequest(body, RULES)).toEqual({ refused: `the request gives ${name} twice in one object` });
  });

  it('what is no JSON object', () => {
    expect(foreignRequest('[1]', RULES)).toEqual({ refused: 'the request is not a JSON object' });
  });
});

describe('a model', () => {
  it.each([
    ['claude-opus-5-5', 'claude-opus-5-5', 0],
    ['claude-haiku-5-5-20261001', 'claude-haiku-5-5-20261001', 0],
    ['claude-sonnet-5', 'claude-sonnet-5-5', 1],
    ['constructor', 'claude-sonnet-5-5', 1],
  ])('%s is answered by %s', (asked, answers, warnings) => {
    const result = cleaned({ model: asked });
    expect([result.body['model'], result.warnings.length]).toEqual([answers, warnings]);
  });

  it("that is the session's own stays, though it has no price", () => {
    const text = JSON.stringify({ ...CLEAN, model: 'local' });
    expect(foreignRequest(text, { ...RULES, model: 'local' })).toEqual({ body: text, warnings: [] });
  });
});

describe('the length of an answer', () => {
  it.each([
    [{ max_tokens: 8_000, thinking: { type: 'enabled', budget_tokens: 7_999 } }, 8_000, 7_999],
    [{ max_tokens: 128_000, thinking: { type: 'enabled', budget_tokens: 64_000 } }, 8_000, 4_000],
    [{ max_tokens: 16_000, thinking: { type: 'enabled', budget_tokens: 90_000 } }, 8_000, 7_999],
    [{ max_tokens: 128_000, thinking: { type: 'enabled', budget_tokens: 2_000 } }, 8_000, undefined],
  ])('%j', (more, most, budget) => {
    const { body } = cleaned(more);
    expect(body['max_tokens']).toBe(most);
    expect((body['thinking'] as Json | undefined)?.['budget_tokens']).toBe(budget);
  });
});

const text = fc.string({ unit: anyCharacter, maxLength: 8 });
const mark = fc.constantFrom({}, MARK, { cache_control: { type: 'ephemeral', ttl: '1h' } });
const block = fc.tuple(text, mark).map(([said, marked]) => ({ type: 'text', text: said, ...marked }));
const turn = fc.record({
  role: fc.constantFrom('user', 'assistant'),
  content: fc.oneof(text, fc.array(block, { maxLength: 3 })),
});
const clientTool = fc.tuple(
  fc.constantFrom(TOOL, { ...TOOL, type: 'custom' }, { type: 'bash_20250124', name: 'bash' }),
  mark,
);
const ours = clientTool.map(([tool, marked]): Json => ({ ...tool, ...marked }));
const theirs = fc.tuple(
  fc.constantFrom(SEARCH, { type: 'code_execution_20250825', name: 'c' }, { type: 'new_thing', name: 'n' }),
  mark,
);
const plain = {
  model: fc.constantFrom('claude-opus-5-5', RULES.model),
  max_tokens: fc.integer({ min: 1, max: RULES.maxTokens }),
  messages: fc.array(turn, { minLength: 1, maxLength: 4 }),
  system: fc.oneof(text, fc.array(block, { maxLength: 2 })),
  tools: fc.array(ours, { minLength: 1, maxLength: 3 }),
  stream: fc.boolean(),
  temperature: fc.double({ min: 0, max: 1, noNaN: true }),
  metadata: fc.jsonValue({ maxDepth: 1 }),
};
const requiredKeys = ['model', 'max_tokens', 'messages'] as const;
const cleanBody = fc.record(plain, { requiredKeys: [...requiredKeys] });
const foreignBody = fc
  .tuple(
    fc.record(
      {
        ...plain,
        model: fc.constantFrom('claude-opus-5-5', 'claude-unknown'),
        max_tokens: fc.integer({ min: 1, max: 200_000 }),
        tools: fc.array(
          fc.oneof(
            ours,
            theirs.map(([tool, marked]): Json => ({ ...tool, ...marked })),
          ),
          { maxLength: 4 },
        ),
        thinking: fc.constantFrom({ type: 'adaptive' }, { type: 'enabled', budget_tokens: 20_000 }),
        context_management: fc.constantFrom(
          { edits: [{ type: 'compact_1' }] },
          { edits: [{ type: 'clear_tool_uses_1' }] },
        ),
      },
      { requiredKeys: [...requiredKeys] },
    ),
    fc.dictionary(fc.constantFrom('speed', 'container', 'safeguards', '__proto__', 'x'), fc.jsonValue({ maxDepth: 2 })),
  )
  .map(([known, unknown]): Json => ({ ...known, ...unknown }));

describe('any body', () => {
  it('that is clean stays as it is, byte for byte', () => {
    fc.assert(
      fc.property(cleanBody, fc.constantFrom(undefined, 1), (body, indent) => {
        const asked = JSON.stringify(body, null, indent);
        expect(foreignRequest(asked, RULES)).toEqual({ body: asked, warnings: [] });
      }),
      { numRuns: amount({ short: 60, long: 10_000 }) },
    );
  });

  it('becomes one that the gateway prices, always the same, with every message as it was', () => {
    fc.assert(
      fc.property(foreignBody, (body) => {
        const asked = JSON.stringify(body);
        const answer = foreignRequest(asked, RULES);
        expect(foreignRequest(asked, RULES)).toEqual(answer);
        if ('refused' in answer) throw new Error(answer.refused);
        expect(foreignRequest(answer.body, RULES)).toEqual({ body: answer.body, warnings: [] });
        const request = { path: '/v1/messages', method: 'POST', headers: {}, body: answer.body, sessionId: 1 };
        expect(passRequest(request)).toMatchObject({ kind: 'message' });
        expect((JSON.parse(answer.body) as Json)['messages']).toEqual(JSON.parse(asked).messages);
      }),
      { numRuns: amount({ short: 60, long: 10_000 }) },
    );
  });
});
