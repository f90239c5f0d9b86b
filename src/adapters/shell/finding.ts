/** Makes findings of what was looked at on this machine. */
import type { Finding } from '../../shared/finding.ts';

export function good(name: string, detail: string): Finding {
  return { name, ok: true, detail, fix: '' };
}

export function bad(name: string, detail: string, fix: string): Finding {
  return { name, ok: false, detail, fix };
}
