/** Problems of a check before filing as values, and the refusal that holds them. Has few imports, because a window loads this file first. */
import { type AutonomousError, type ErrorCode, failure, type PlainFailure } from '../../shared/errors.ts';

export type FilingCheckName = 'git' | 'repository' | 'key' | 'price' | 'endpoint';

/** Remedies that a surface can offer for a problem. */
const REMEDIES = ['set_key', 'choose_provider', 'set_model', 'set_base_url', 'init_repository', 'commit'] as const;
export type Remedy = (typeof REMEDIES)[number];

export interface FilingProblem {
  readonly check: FilingCheckName;
  readonly code: ErrorCode;
  readonly message: string;
  /** The command or another fix. Empty if none is known. */
  readonly hint: string;
  /** The most useful one first. */
  readonly remedies: readonly Remedy[];
  /** False for a warning, which does not prevent filing. */
  readonly blocks: boolean;
}

export const KEY_MISSING = {
  message: 'there is no API key for Anthropic',
  hint: 'In a terminal: export ANTHROPIC_API_KEY=KEY. In VS Code: run "Autonomous: Set API Key". Or choose another provider.',
} as const;

/** `details.reason` of a model server that did not answer in time. */
export const SLOW = 'slow';
/** `details.reason` of a repository without a commit. */
export const NO_COMMIT = 'no_commit';

/** The refusal that contains all problems. A surface reads them by `blockersIn`. `what` names what cannot start. */
export function filingFailure(what: string, problems: readonly FilingProblem[]): AutonomousError {
  const [first, ...more] = problems;
  const lines = problems.map(({ message, hint }) => (hint === '' ? `- ${message}` : `- ${message}\n  ${hint}`));
  return failure('NOT_READY', more.length === 0 ? `${what}: ${first?.message}` : [`${what}:`, ...lines].join('\n'), {
    hint: more.length === 0 ? (first?.hint ?? '') : '',
    details: {
      codes: problems.map(({ code }) => code),
      problems: problems.map(({ message }) => message),
      remedies: [...new Set(problems.flatMap(({ remedies }) => remedies))],
      // A surface with buttons shows only the hints of problems that no button solves.
      hints: problems.flatMap(({ hint, remedies }) => (hint === '' || remedies.length > 0 ? [] : [hint])),
    },
  });
}

/** The content of a refusal by `filingFailure`. Null for another failure. */
export function blockersIn({ code, details }: Pick<PlainFailure, 'code' | 'details'>): {
  readonly problems: readonly string[];
  readonly remedies: readonly Remedy[];
  readonly hints: readonly string[];
} | null {
  if (code !== 'NOT_READY') return null;
  const texts = (name: string): readonly string[] => {
    const value = details[name];
    return Array.isArray(value) ? value.map(String) : [];
  };
  const named = texts('remedies');
  const remedies = REMEDIES.filter((remedy) => named.includes(remedy));
  return { problems: texts('problems'), remedies, hints: texts('hints') };
}
