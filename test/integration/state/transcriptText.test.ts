import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { nodeFiles } from '../../../src/adapters/files.ts';
import { loadKey } from '../../../src/adapters/log/key.ts';
import { lineSeal } from '../../../src/adapters/log/seal.ts';
import { openTranscript } from '../../../src/adapters/transcripts.ts';
import { transcriptText } from '../../../src/compose/transcriptText.ts';
import { placesOf } from '../../support/placesOf.ts';

it('shows a session as Markdown, whatever fences its texts hold, and refuses one that is not there', async () => {
  const root = mkdtempSync(join(inject('tempRoot'), 'transcript-'));
  const places = placesOf(root, root);
  const key = await loadKey(places.configDir, nodeFiles);
  const seal = lineSeal(key, 'transcript');
  const { stateDir } = places;
  const transcript = await openTranscript({ stateDir, sessionId: 7, epoch: 1, ops: nodeFiles, seal });
  await transcript.append({
    kind: 'opening',
    spec: { role: 'worker', model: 'model-a', system: '', opening: 'Do ````this````', maxTokens: 1 },
    checkpoint: null,
  });
  await transcript.append({
    kind: 'reply',
    message: {
      content: [
        { type: 'text', text: 'Done.' },
        { type: 'tool_use', name: 'edit', input: { path: 'a.js' } },
      ],
    },
  });
  const source = { type: 'base64', media_type: 'image/png', data: 'A'.repeat(4_000) };
  const shown = { type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source }] };
  await transcript.append({ kind: 'results', message: { role: 'user', content: [shown] }, checkpoint: null });
  await transcript.close();
  const text = await transcriptText(places, 7);
  expect(text).toContain('[image/png, about 3000 bytes]');
  expect(text).not.toContain('AAAA');
  expect(text).toContain('## worker, model-a');
  expect(text).toContain('`````\nDo ````this````\n`````');
  expect(text).toContain('"path": "a.js"');
  await expect(transcriptText(places, 8)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
