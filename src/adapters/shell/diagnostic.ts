/** Creates the results of checks of this machine. */
import type { Diagnostic } from '../../shared/diagnostic.ts';

export function good(name: string, detail: string): Diagnostic {
  return { name, ok: true, detail, fix: '' };
}

/** Neither good nor bad: it could not be found out. */
export function unknown(name: string, detail: string, fix = ''): Diagnostic {
  return { name, ok: true, isUnknown: true, detail, fix };
}

export function bad(name: string, detail: string, fix: string): Diagnostic {
  return { name, ok: false, detail, fix };
}
