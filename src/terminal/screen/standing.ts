/** Words for jobs and projects that could run and on which no process works. */
import { type Context, command } from './context.ts';

/** The reason why no process works on something that could run. */
export const stillWord = (owned: boolean): string => (owned ? 'not resumed' : 'no owner');

/** The line below a list in which no process works on a running job. */
export function stillLines(context: Context, still: boolean): string[] {
  return still ? [`No process works on some of these jobs now. Resume: ${command(context, 'run --resume')}`] : [];
}
