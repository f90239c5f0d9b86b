import { describe, expect, it } from 'vitest';
import type { TranscriptEntry } from '../../../../../src/engine/session/ports.ts';
import { foldTranscript } from '../../../../../src/engine/session/transcript/history.ts';
import { blocksOf, type Message } from '../../../../../src/engine/session/transcript/messages.ts';
import { formatAssignment } from '../../../../../src/shared/workspace/assignment.ts';
import { workerSpec } from '../../../../support/session/sessionBench.ts';
import { fc } from '../../../../support/suite/property.ts';

const opening: TranscriptEntry = { kind: 'opening', spec: workerSpec(), checkpoint: 'c0' };
const usage = { input_tokens: 10, output_tokens: 2, cache_read_input_tokens: 5 };

const reply = (ids: readonly string[], stop_reason: string): TranscriptEntry => ({
  kind: 'reply',
  message: {
    role: 'assistant',
    content: ids.map((id) => ({ type: 'tool_use', id, name: 'read', input: {} })),
    stop_reason,
    usage,
  },
});

const results = (ids: readonly string[]): TranscriptEntry => ({
  kind: 'results',
  message: { role: 'user', content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'x' })) },
  checkpoint: 'c1',
});

const callIds = fc.subarray(['a', 'b', 'c']);
const anyEntry: fc.Arbitrary<TranscriptEntry> = fc.oneof(
  fc.record({ kind: fc.constant('user' as const), text: fc.constantFrom('more', 'Engine: go on') }),
  fc.tuple(callIds, fc.constantFrom('tool_use', 'end_turn', 'max_tokens')).map(([ids, stop]) => reply(ids, stop)),
  callIds.map(results),
  fc.record({ kind: fc.constant('reply' as const), message: fc.json() }),
  fc.record({ kind: fc.constant('results' as const), message: fc.json(), checkpoint: fc.constant(null) }),
);

/** Every call is answered by the very next message, and nothing is answered that was not called. */
function wellFormed(messages: readonly Message[], open: boolean): void {
  for (const [index, message] of messages.entries()) {
    const called = blocksOf(message).flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    const next = messages[index + 1];
    if (message.role === 'assistant' && next === undefined && open) continue;
    const answered =
      next === undefined ? [] : blocksOf(next).flatMap((b) => (b.type === 'tool_result' ? [b.tool_use_id] : []));
    if (message.role === 'assistant') expect(answered).toEqual(called);
  }
}

describe('a transcript', () => {
  it('adds up to what it says', () => {
    const conversation = foldTranscript([opening, reply(['a'], 'tool_use'), results(['a'])]);
    expect(conversation).toMatchObject({
      turns: 1,
      attempt: { turns: 1, tokens: 17 },
      use: { size: 17 },
      checkpoint: 'c1',
    });
    expect(conversation.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
  });

  it('knows the tree of each assignment, also where an older version repeated that of the last one', () => {
    const again = formatAssignment({ role: 'worker', phase: 'Core', feature: 'peek', featureId: 6, attempt: 2 });
    const round = [reply(['a'], 'tool_use'), results(['a'])];
    const older: TranscriptEntry[] = [opening, ...round, { kind: 'user', text: again }, ...round];
    expect(foldTranscript(older.slice(0, 4)).checkpoint).toBeNull();
    expect(foldTranscript(older).checkpoint).toBeNull();
    const wrote = { ...results(['a']), checkpoint: 'c2' } as TranscriptEntry;
    expect(foldTranscript([...older, reply(['a'], 'tool_use'), wrote]).checkpoint).toBe('c2');
    const stored: TranscriptEntry = { kind: 'user', text: again, checkpoint: 'c9' };
    expect(foldTranscript([opening, ...round, stored]).checkpoint).toBe('c9');
    expect(foldTranscript([opening, ...round, stored, ...round]).checkpoint).toBe('c1');
  });

  it('with lines lost anywhere still makes a history that the API takes', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 25 }), (entries) => {
        const { messages, reply: pending } = foldTranscript([opening, ...entries]);
        expect(messages[0]?.role).toBe('user');
        wellFormed(messages, pending !== null);
      }),
    );
  });

  it('without its opening is no session yet', () => {
    expect(foldTranscript([reply(['a'], 'tool_use')]).spec).toBeNull();
  });
});
