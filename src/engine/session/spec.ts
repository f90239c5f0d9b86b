/** The one place that makes a session's spec: everything that its first request depends on. */
import { thinkingRoom } from '../../core/model/effort.ts';
import { answerWithin, isSmallContext } from '../../core/model/smallContext.ts';
import { failure } from '../../shared/errors.ts';
import type { Effort } from '../../shared/model/effort.ts';
import type { SessionSpec } from './ports.ts';
import { PLANNER_SYSTEM } from './prompts/planner.ts';
import { REVIEWER_SYSTEM } from './prompts/reviewer.ts';
import { SUMMARIZER_SYSTEM } from './prompts/summarizer.ts';
import { WORKER_SYSTEM } from './prompts/worker.ts';

export type PromptedRole = 'planner' | 'worker' | 'reviewer' | 'summarizer';

const SYSTEMS: Readonly<Record<PromptedRole, string>> = {
  planner: PLANNER_SYSTEM,
  worker: WORKER_SYSTEM,
  reviewer: REVIEWER_SYSTEM,
  summarizer: SUMMARIZER_SYSTEM,
};

/**
 * `max_tokens` of each call: room for a large file in one reply, a whole plan, a verdict, a page of text, each with the thinking that a
 * model does by default. Room for a higher effort is added.
 */
const MAX_TOKENS: Readonly<Record<PromptedRole, number>> = {
  planner: 16_000,
  worker: 16_000,
  reviewer: 8_000,
  summarizer: 6_000,
};

export function sessionSpec(
  role: PromptedRole,
  given: {
    readonly model: string;
    readonly opening: string;
    readonly shared?: string;
    readonly phase?: string;
    readonly maxTokens?: number;
    readonly effort?: Effort | undefined;
    /** Tokens of the model's context; null or absent if they are not known. */
    readonly window?: number | null;
  },
): SessionSpec {
  if (given.opening.trim() === '') throw failure('INTERNAL', `a ${role} session needs an opening`);
  const {
    model,
    opening,
    shared = '',
    phase = '',
    effort,
    window = null,
    maxTokens = answerWithin(MAX_TOKENS[role] + thinkingRoom(effort), window),
  } = given;
  const parts = { ...(shared === '' ? {} : { shared }), ...(phase === '' ? {} : { phase }), opening };
  const size = isSmallContext(window) ? { isSmall: true as const } : {};
  return {
    role,
    model,
    system: SYSTEMS[role],
    ...parts,
    ...size,
    maxTokens,
    ...(effort === undefined ? {} : { effort }),
  };
}
