/** Which models take which effort, and the room that the thinking needs. Pure. */
import type { JobOptions } from '../../shared/job/rows.ts';
import { EFFORT_ROLES, type Effort } from '../../shared/model/effort.ts';
import { undatedModel } from './modelName.ts';

/**
 * Models that do not take every level, by the provider's documentation of `output_config.effort`. The models of the price table take all.
 * For a model that is not listed the provider decides.
 */
const LIMITED: Readonly<Record<string, readonly Effort[]>> = {
  'claude-haiku-4-5': [],
  'claude-sonnet-4-5': [],
  'claude-opus-4-5': ['low', 'medium', 'high'],
  'claude-opus-4-6': ['low', 'medium', 'high', 'max'],
  'claude-sonnet-4-6': ['low', 'medium', 'high', 'max'],
};

/**
 * Tokens that are added to the limit of an answer for thinking, which counts as output. The default and the levels up to `medium` fit into a role's
 * normal limit.
 */
const THINKING_ROOM: Readonly<Record<Effort, number>> = {
  low: 0,
  medium: 0,
  high: 8_000,
  xhigh: 32_000,
  max: 48_000,
};

export const thinkingRoom = (effort: Effort | undefined): number => (effort === undefined ? 0 : THINKING_ROOM[effort]);

export interface EffortFault {
  readonly message: string;
  readonly hint: string;
}

/** Returns the fault of a job's efforts, with a hint. Null if they are valid. */
export function effortFault({ effort = {}, models, provider }: JobOptions): EffortFault | null {
  // The editor's models take no effort, and its requests leave it out.
  if (provider === 'vscode-lm') return null;
  for (const role of EFFORT_ROLES) {
    const fault = levelFault(models[role], effort[role], role);
    if (fault !== null) return fault;
  }
  return null;
}

/** Checks one model. `whose`: e.g. `worker`. */
export function levelFault(model: string, level: Effort | undefined, whose: string): EffortFault | null {
  const levels = LIMITED[undatedModel(model)];
  if (level === undefined || levels === undefined || levels.includes(level)) return null;
  return {
    message: `${model} does not take the effort "${level}" that is chosen for the ${whose}`,
    hint:
      levels.length === 0
        ? `Leave out the effort of the ${whose}, or choose another model for it.`
        : `It takes: ${levels.join(', ')}.`,
  };
}
