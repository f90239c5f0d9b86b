/**
 * Declares the context of the main agent's tools: an engine's state and requests, and the memory of projects if it may be read.
 */

import type { Clock } from '../../shared/clock.ts';
import type { Engine } from '../state/api.ts';

export interface MainAgentTools extends Pick<Engine, 'state' | 'request'> {
  readonly clock: Clock;
  /**
   * Lists a project's memory (if `path` is null), or returns the text of one file. Throws NOT_FOUND or INVALID_INPUT. Null if the
   * caller is not the main agent.
   */
  readonly readMemory: ((project: string, path: string | null) => Promise<string>) | null;
}
