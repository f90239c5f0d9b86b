import { expect, it } from 'vitest';
import type { TranscriptEntry } from '../../../../../src/engine/session/ports.ts';
import { transcriptText } from '../../../../../src/engine/session/transcript/transcriptText.ts';

const source = { type: 'base64', media_type: 'image/png', data: 'A'.repeat(4_000) };
const ENTRIES: readonly TranscriptEntry[] = [
  {
    kind: 'opening',
    spec: { role: 'worker', model: 'model-a', system: '', opening: 'Do ````this````', maxTokens: 1 },
    checkpoint: null,
  },
  {
    kind: 'reply',
    message: {
      content: [
        { type: 'text', text: 'Done.' },
        { type: 'tool_use', name: 'edit', input: { path: 'a.js' } },
      ],
    },
  },
  {
    kind: 'results',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source }] }],
    },
    checkpoint: null,
  },
];

it('shows a session as Markdown, whatever fences its texts hold, and refuses one that is not there', () => {
  const text = transcriptText(7, ENTRIES);
  expect(text).toContain('[image/png, about 3000 bytes]');
  expect(text).not.toContain('AAAA');
  expect(text).toContain('## worker, model-a');
  expect(text).toContain('`````\nDo ````this````\n`````');
  expect(text).toContain('"path": "a.js"');
  expect(() => transcriptText(8, [])).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
});
