/** Warns about problems that a run survives, each when it starts, and about the one that halts its job. */
import type { EngineListener } from '../../../engine/state/api.ts';
import type { PlainFailure } from '../../../shared/errors.ts';
import type { Event } from '../../../shared/workspace/events.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { visibleLine } from '../../text/visible.ts';
import { eventJob } from './eventJob.ts';
import type { RunView } from './views.ts';

export interface RunWarnings {
  /** `state` is after the event. */
  event(event: Event, state: State): void;
  readonly failed: NonNullable<EngineListener['failed']>;
  readonly problem: NonNullable<EngineListener['problem']>;
  /** Whether the engine paused the job because it could not continue, and it was not resumed since. */
  readonly halted: boolean;
}

/** The owner retries when the disk is full; the warning is shown once, until the job continues. */
export function watchRunWarnings(view: RunView, jobId: string): RunWarnings {
  let waitsForDisk = false;
  let halted = false;
  const said = new Set<string>();
  return {
    event(event, state) {
      if (eventJob(event, state) !== jobId) return;
      waitsForDisk = false;
      if (event.type === 'job_paused') halted = event.by === 'engine';
      if (event.type === 'job_resumed') halted = false;
    },
    failed(id: string, { code, message }: PlainFailure) {
      if (id !== jobId || code !== 'DISK' || waitsForDisk) return;
      waitsForDisk = true;
      view.warn(`Warning: disk full or unwritable (${visibleLine(message)}): trying again in 30 s`);
    },
    problem(text) {
      if (said.has(text)) return;
      said.add(text);
      view.warn(`Warning: ${visibleLine(text)}`);
    },
    get halted() {
      return halted;
    },
  };
}
