/** Creates the results of checks of this machine. */
import type { Diagnostic } from '../../shared/diagnostic.ts';

export function good(name: string, detail: string): Diagnostic {
  return { name, ok: true, detail, fix: '' };
}

export function bad(name: string, detail: string, fix: string): Diagnostic {
  return { name, ok: false, detail, fix };
}
