/** Shows the results of the verify commands before any work, and the fix if something is missing. */
import { endText, missingLine } from '../../core/job/missingTool.ts';
import { hasPassed } from '../../core/job/view/freshRun.ts';
import type { Evidence } from '../../shared/job/evidence.ts';
import { plural } from '../text/format.ts';
import { visibleLine } from '../text/visible.ts';
import { type Context, command } from './context.ts';

/** The command, ready to copy, that adds a setup command to a job. */
export const setupHint = (context: Context, jobId: string, install = 'COMMAND'): string =>
  command(context, `job setup "${install}" ${jobId}`);

/** Returns one line if all passed. Otherwise also a line for each command that failed, and the command that installs the missing part. */
export function baselineLines(context: Context, jobId: string, evidence: readonly Evidence[]): string {
  const failed = evidence.filter((one) => !hasPassed(one));
  if (failed.length === 0) return `${plural(evidence.length, 'verify command')} passed before any work`;
  const lines = failed.map((one) => {
    const missing = missingLine(one);
    const what = missing === null ? '' : `: ${visibleLine(missing)}`;
    return `  \`${visibleLine(one.command)}\` failed (${endText(one)})${what}`;
  });
  const mend = failed.some((one) => missingLine(one) !== null)
    ? [`  Something is missing. To install it: ${setupHint(context, jobId)}`]
    : [];
  const head = `${failed.length} of ${plural(evidence.length, 'verify command')} failed before any work`;
  return [head, ...lines, ...mend].join('\n');
}
