/** One temp folder for a whole test run, gone at its end even when a file could not be loaded. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    tempRoot: string;
  }
}

export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'autonomous-test-'));
  project.provide('tempRoot', folder);
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
