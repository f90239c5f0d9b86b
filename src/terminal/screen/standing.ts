/** Words for jobs and projects that could run and on which no process works, and for the machine that they run on. */
import type { AtWork } from '../../shared/workspace/atWork.ts';
import { visibleLine } from '../text/visible.ts';
import { type Context, command } from './context.ts';

/** The reason why no process works on something that could run. */
export const stillWord = (owned: boolean | null): string => (owned ? 'not resumed' : 'no owner');

/** The line below a list in which no process works on a running job. */
export function stillLines(context: Context, still: boolean): string[] {
  return still ? [`No process works on some of these jobs now. Resume: ${command(context, 'run --resume')}`] : [];
}

/** The line about the machine below a list of running jobs. */
export function awakeLines({ awake }: AtWork): string[] {
  if (awake === undefined) return [];
  const { fault } = awake;
  return [
    fault === null
      ? 'This machine is kept awake while work runs.'
      : `This machine may sleep while work runs: ${visibleLine(fault)}.`,
  ];
}
