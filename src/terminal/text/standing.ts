/** What stands still though its status says that it goes on: nobody owns the workspace. */
import type { JobStatus } from '../../shared/domain.ts';
import { type Context, command } from '../context.ts';

export const NO_OWNER = 'no owner';

/** Not what waits for the person or is over: that needs nobody. */
export function standsStill(status: JobStatus | undefined, owned: boolean): boolean {
  return !owned && (status === 'planning' || status === 'running' || status === 'waiting');
}

/** A status with what it leaves out. */
export const withOwner = (status: string, still: boolean): string => (still ? `${status} (${NO_OWNER})` : status);

/** Beneath a list in which something stands still. */
export function stillLines(context: Context, still: boolean): string[] {
  return still ? [`Nothing runs now, no owner is there. Go on: ${command(context, 'run --resume')}`] : [];
}
