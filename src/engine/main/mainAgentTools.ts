/** What the main agent's tools work on: an engine's state and requests, and the memory of projects where it may be read. */

import type { Clock } from '../../shared/clock.ts';
import type { Engine } from '../state/api.ts';

export interface MainAgentTools extends Pick<Engine, 'state' | 'request'> {
  readonly clock: Clock;
  /**
   * The list of a project's memory (`path` null), or what a file of it says. Throws NOT_FOUND or INVALID_INPUT. null: whoever
   * asks is not the main agent.
   */
  readonly readMemory: ((project: string, path: string | null) => Promise<string>) | null;
}
