import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { extension, projectDir } from './extension.ts';
import { test } from './registry.ts';

/** Generous: a shared machine. The bench measures; this finds what is heavy by mistake. */
const ACTIVATION_MS = 1_000;

test('activates within its budget', async () => {
  const start = performance.now();
  await extension().activate();
  const took = performance.now() - start;
  process.stdout.write(`activation: ${took.toFixed(1)} ms\n`);
  assert.ok(extension().isActive);
  assert.ok(took < ACTIVATION_MS, `activation took ${took.toFixed(0)} ms`);
});

test('activation alone writes nothing into the folder', () => {
  assert.ok(
    !existsSync(join(projectDir(), '.autonomous')),
    '.autonomous is made by the first brief, not by opening a folder',
  );
});
