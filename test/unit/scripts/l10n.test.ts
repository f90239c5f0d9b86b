import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('every text of the editor and of its page is in every bundle', () => {
  const script = fileURLToPath(new URL('../../../scripts/l10n.mjs', import.meta.url));
  const { stdout, status } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  expect(stdout).toMatch(/^\d+ texts, 2 bundles, 0 faults$/m);
  expect(status).toBe(0);
});
