/** Words for jobs and projects that could run and on which no process works. */
import { type Context, command } from './context.ts';

/** Why no process works on something that could run. */
export const stillWord = (owned: boolean): string => (owned ? 'not resumed' : 'no owner');

/** The line beneath a list in which a job stands still. */
export function stillLines(context: Context, still: boolean): string[] {
  return still ? [`No process works on some of these jobs now. Resume: ${command(context, 'run --resume')}`] : [];
}
