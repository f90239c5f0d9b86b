import { expect, it } from 'vitest';
import { AnswerReader, BrokenAnswer } from '../../../../../src/adapters/gateway/send/answer.ts';
import { type SseEvent, SseSplitter } from '../../../../../src/adapters/gateway/send/sse.ts';
import { amount } from '../../../../support/suite/proof.ts';
import { fc } from '../../../../support/suite/property.ts';

const line = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n]/g, ' '));
const newline = fc.constantFrom('\n', '\r\n');

it('finds the same events however the bytes are cut, and changes none', () => {
  const event = fc.record({ data: fc.array(line, { minLength: 1, maxLength: 3 }), newline });
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 6 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      (events, sizes) => {
        const text = events
          .map((one) => one.data.map((data) => `data: ${data}${one.newline}`).join('') + one.newline)
          .join('');
        const bytes = Buffer.from(text);
        const splitter = new SseSplitter();
        const found: SseEvent[] = [];
        for (let at = 0; at < bytes.length; ) {
          const size = sizes.next().value ?? 1;
          found.push(...splitter.push(bytes.subarray(at, at + size)));
          at += size;
        }
        expect(found.map(({ data }) => data)).toEqual(events.map(({ data }) => data.join('\n')));
        expect(Buffer.concat(found.map((one) => one.bytes)).toString()).toBe(text);
      },
    ),
  );
});

it('takes any bytes for events or for a broken answer, nothing else', () => {
  const noise = fc.oneof(
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    fc.json().map((json) => Buffer.from(`data: ${json}\n\n`)),
    fc
      .constantFrom('message_start', 'message_delta', 'message_stop', 'error')
      .chain((type) =>
        fc
          .json()
          .map((json) =>
            Buffer.from(`data: {"type":"${type}","usage":${json},"message":{"usage":${json}},"error":${json}}\n\n`),
          ),
      ),
  );
  fc.assert(
    fc.property(fc.array(noise, { maxLength: 8 }), (chunks) => {
      const splitter = new SseSplitter();
      const answer = new AnswerReader();
      try {
        for (const chunk of chunks) for (const { data } of splitter.push(chunk)) answer.take(data);
        answer.bill();
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(BrokenAnswer);
      }
    }),
    { numRuns: amount({ short: 300, long: 50_000 }) },
  );
});
