/** Default options of a brief. */
import type { JobOptions } from '../../shared/job/rows.ts';
import type { Ladders } from '../../shared/routing.ts';

/** Used if routing is on. A reviewer and a planner keep their model unless they are given a ladder. */
export const DEFAULT_LADDERS: Ladders = {
  worker: ['claude-haiku-5-5', 'claude-sonnet-5-5', 'claude-opus-5-5'],
};

export const DEFAULT_OPTIONS: JobOptions = {
  gates: ['plan', 'merge'],
  mergeMode: 'merge',
  provider: 'anthropic',
  scenario: null,
  models: {
    planner: 'claude-opus-5-5',
    worker: 'claude-sonnet-5-5',
    reviewer: 'claude-opus-5-5',
    summarizer: 'claude-haiku-5-5',
  },
  setup: null,
  /** Asked for more when it is used up. */
  budgetMicroUsd: 10_000_000,
  attempt: { turns: 80, tokens: 4_000_000, seconds: 3_600, microUsd: 5_000_000 },
  maxPhaseAttempts: 3,
  maxRetries: 3,
  batch: 3,
  lanes: 1,
  conversation: 'continue',
  reviewEachFeature: false,
  commitAuthor: 'user',
  allowedCommands: [],
};
