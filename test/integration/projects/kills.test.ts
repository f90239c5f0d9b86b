import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { killTalks } from '../../support/talkKills.ts';

it('killed 25 times in mid-conversation, every message that was acknowledged is there once', async () => {
  const root = mkdtempSync(join(tmpdir(), 'autonomous-kills-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
  const outcome = await killTalks(root, 25, 4);

  expect(outcome).toMatchObject({ kills: 25, lost: [], twice: [], saidTwice: [] });
  expect(outcome.acknowledged).toBeGreaterThan(10);
  expect(outcome.said).toBeGreaterThan(5);
  expect(outcome.shortened).toBeGreaterThan(0);
  expect(outcome.settled).toBeLessThanOrEqual(outcome.replies);
}, 300_000);
