/** Default options of a brief. */
import type { JobOptions } from '../../shared/job/rows.ts';
import type { Ladders } from '../../shared/routing.ts';

/** Used if routing is on. A reviewer and a planner keep their model unless they are given a ladder. */
export const DEFAULT_LADDERS: Ladders = {
  worker: ['claude-haiku-5-5', 'claude-sonnet-5-5', 'claude-opus-5-5'],
};

/** Lanes of a job with a real model. */
export const DEFAULT_LANES = 3;

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
  lanes: DEFAULT_LANES,
  conversation: 'continue',
  reviewEachFeature: false,
  commitAuthor: 'user',
  allowedCommands: [],
};

/** The lanes of a brief that names none. A simulated job has one, so that its lines follow each other. */
export const defaultLanes = ({ provider, lanes = 1 }: Pick<JobOptions, 'provider' | 'lanes'>): number =>
  provider === 'simulated' ? 1 : lanes;
