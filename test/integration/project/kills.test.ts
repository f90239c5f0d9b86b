import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, it, onTestFinished } from 'vitest';
import { killTalks } from '../../support/kill/talkKills.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';

it('killed 18 times in mid-conversation, every message that was acknowledged is there once', async () => {
  const root = mkdtempSync(join(tmpdir(), 'autonomous-kills-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
  const { program } = await testPrograms(inject('tempRoot'));
  const outcome = await killTalks(fileURLToPath(program('talkOwner')), root, 18, 4);

  expect(outcome).toMatchObject({ kills: 18, lost: [], twice: [], saidTwice: [] });
  expect(outcome.acknowledged).toBeGreaterThan(5);
  expect(outcome.said).toBeGreaterThan(2);
  expect(outcome.shortened).toBeGreaterThan(0);
  expect(outcome.settled).toBeLessThanOrEqual(outcome.replies);
});
