/**
 * Recognizes faults of the environment that prevent work or checks and that no attempt can change: from a command's output, or from a worker's
 * report. Deliberately narrow: an unrecognized fault counts as an error of the work, and uses a retry.
 */
import type { Evidence } from '../../shared/job/evidence.ts';

/** The cause of an attempt that is waiting for a fix outside of the job. */
export type BlockedBy = 'tool_missing' | 'host_refused' | 'service_down' | 'credential_missing';

export interface Blocked {
  readonly by: BlockedBy;
  /** The line of the output that shows the cause. */
  readonly line: string;
}

/** The exit code of every shell for a program that it does not find. */
const NOT_FOUND = 127;
const LOCAL = /\b(?:localhost|127\.0\.0\.1|::1)\b/;

/** Names without a path: a missing script with a path is an error of the work. */
const TOOL = /(?:^|[\s:])['"‘]?([\w.+-]+)['"’]?: (?:command )?not found$/;
const PATTERNS: readonly (readonly [BlockedBy, RegExp])[] = [
  ['tool_missing', /\bspawn [\w.+-]+ ENOENT\b/],
  ['host_refused', /\bgetaddrinfo (?:ENOTFOUND|EAI_AGAIN)\b/],
  ['host_refused', /\bCould not resolve host\b/i],
  ['host_refused', /\b(?:Temporary failure in name resolution|Name or service not known)\b/],
  ['host_refused', /\bblocked by network allowlist\b/i],
  // A refused connection may be the work's own server: those of well-known services are not.
  ['service_down', /\bECONNREFUSED\b.*:(?:1433|3306|5432|5672|6379|9092|9200|11211|27017)\b/],
  ['service_down', /\bIs the server running (?:locally|on (?:that|the) host)\b/i],
  ['service_down', /\bCannot connect to the Docker daemon\b/],
  ['service_down', /\b50[234] (?:Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out)\b/i],
  [
    'credential_missing',
    /\b[A-Z][A-Z0-9_]*(?:API_?KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)\b.{0,20} (?:not set|missing|required|undefined)\b/,
  ],
  ['credential_missing', /\b(?:missing|no) (?:API key|access token|credentials)\b/i],
  ['credential_missing', /\bPermission denied \(publickey\b|\bcould not read Username for\b/],
];

/** Patterns for prose. */
const TOLD: typeof PATTERNS = [
  [
    'credential_missing',
    /\b(?:need|lack|require|without|missing|no|not have)\b.{0,40}\b(?:API key|credentials?|access token|password)\b/i,
  ],
  ['tool_missing', /\b(?:is|are) not installed\b/i],
  [
    'host_refused',
    /\b(?:host|network|internet|domain)\b.{0,60}\b(?:not allowed|blocked|refused|unreachable|denied)\b/i,
  ],
  ['service_down', /\b(?:server|service|database|registry)\b.{0,40}\b(?:is|are) (?:down|unavailable|not running)\b/i],
];

/** Checks the text of a worker that asks the steward. */
export const blockedReport = (text: string): Blocked | null => look(text, [...PATTERNS, ...TOLD]);

function look(text: string, patterns: typeof PATTERNS): Blocked | null {
  for (const line of text.split('\n')) {
    const found = patterns.find(([by, pattern]) => pattern.test(line) && !(by === 'host_refused' && LOCAL.test(line)));
    if (found !== undefined) return { by: found[0], line: line.trim().slice(0, 400) };
  }
  return null;
}

/** Checks a verify command that failed. */
export function blockedCommand({ exitCode, tail }: Pick<Evidence, 'exitCode' | 'tail'>): Blocked | null {
  const missing = exitCode === NOT_FOUND ? tail.split('\n').findLast((line) => TOOL.test(line.trim())) : undefined;
  return missing === undefined ? look(tail, PATTERNS) : { by: 'tool_missing', line: missing.trim().slice(0, 400) };
}
