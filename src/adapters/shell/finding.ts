/** One thing that was looked at on this machine. Plain data: whoever prints it decides how. */
export interface Finding {
  /** Stable, in kebab-case. */
  readonly name: string;
  readonly ok: boolean;
  /** What was found, one sentence. */
  readonly detail: string;
  /** What to do about it, with the exact command where there is one; empty when nothing is wrong. */
  readonly fix: string;
}

export function good(name: string, detail: string): Finding {
  return { name, ok: true, detail, fix: '' };
}

export function bad(name: string, detail: string, fix: string): Finding {
  return { name, ok: false, detail, fix };
}
