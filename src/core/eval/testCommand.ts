/** Detects the command that runs a repository's tests. */
import { isFields, parseJson } from '../text/json.ts';

/** `npm test` if the manifest names a test script of its own. Null if no command is known. */
export function testCommandOf(manifest: string | null): string | null {
  const parsed = parseJson(manifest ?? '');
  const scripts = isFields(parsed) ? parsed['scripts'] : undefined;
  const test = isFields(scripts) ? scripts['test'] : undefined;
  if (typeof test !== 'string' || test.trim() === '') return null;
  return /no test specified/.test(test) ? null : 'npm test';
}
