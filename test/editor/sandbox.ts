/** The sandbox of the packaged extension, which has no packages beside it: its ripgrep is the one of the editor. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from './world.ts';

const FOUND = 'li:has(strong:text-is("rg"))';

export async function sandboxIsUp({ window }: Place): Promise<void> {
  await window.command('Autonomous: Doctor');
  const page = await window.frameWith(FOUND);
  assert.match((await page.locator(FOUND).textContent()) ?? '', /ripgrep-universal/);
  const missing = await page.locator('h3').allTextContents();
  assert.deepEqual(
    missing.filter((name) => /sandbox|bwrap|socat|rg/.test(name)),
    [],
  );
  await page.locator('li:has(strong:text-is("sandbox-write-outside"))').waitFor();
  await window.tidy();
}

/** Of the job that was merged before. */
export function everyCommandWasConfined({ project }: Place): void {
  const folder = join(project, '.autonomous', 'events');
  const written = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const ran = written.flatMap((text) => text.match(/"sandboxed":(true|false)/g) ?? []);
  assert.deepEqual([...new Set(ran)], ['"sandboxed":true']);
}
