/** Reads the results of the verify commands before any work. A failure at that time was not caused by a feature, but it is not a pass either. */

import type { Evidence } from '../../../shared/job/evidence.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { jobPhases, phaseFeatures } from '../../state/rows.ts';
import { onlySetupHelps } from '../missingTool.ts';
import { sameText } from '../stopRules.ts';
import { hasPassed } from '../view/freshRun.ts';

/** Every verify command of the job, each once. */
function verifyCommands(state: State, jobId: string): readonly string[] {
  const all = jobPhases(state, jobId).flatMap((phase) => [
    ...phase.verify_commands,
    ...phaseFeatures(state, phase.id).flatMap((feature) => feature.verify_commands),
  ]);
  return [...new Set(all)];
}

/** The commands to run before the first attempt, or again after a setup command was added. Null if there are none to run. */
export function baselineDue(state: State, job: JobRow): readonly string[] | null {
  if (job.baseline_checks !== null) return null;
  const isBegun = [...state.attempts.values()].some((row) => row.job_id === job.id);
  // A job of an older version that is running has no such checks.
  if (isBegun && job.setup_added.length === 0) return null;
  const commands = verifyCommands(state, job.id);
  return commands.length === 0 ? null : commands;
}

/**
 * The missing parts, one line for each command, if no verify command of a job without an attempt can pass before a setup command is added. Null if
 * one passed or fails for another reason.
 */
export function missingForAll(state: State, jobId: string, checks: readonly Evidence[]): readonly string[] | null {
  if ([...state.attempts.values()].some((row) => row.job_id === jobId)) return null;
  const lines = checks.map((one) => {
    const missing = hasPassed(one) ? null : onlySetupHelps(one);
    return missing === null ? null : `\`${one.command}\`: ${missing}`;
  });
  return lines.length === 0 || lines.includes(null) ? null : lines.filter((line) => line !== null);
}

type Checked = Pick<JobRow, 'baseline_checks'>;

/** The results that count after a setup command was added. Null if the commands run again. */
export function checksAfterSetup({ baseline_checks: checks }: Checked): JobRow['baseline_checks'] {
  return checks?.every(hasPassed) === true ? checks : null;
}

/** The failure of this command before any work. Undefined if it passed or did not run. */
export function failedBefore({ baseline_checks: checks }: Checked, command: string): Evidence | undefined {
  return (checks ?? []).find((one) => one.command === command && !hasPassed(one));
}

/** Whether the command fails as it failed before any work. */
export function failsAsBefore(job: Checked, one: Evidence): boolean {
  const before = failedBefore(job, one.command);
  if (before === undefined || hasPassed(one)) return false;
  if (before.exitCode !== one.exitCode || before.ended !== one.ended) return false;
  return before.tail === one.tail || sameText(before.tail, one.tail);
}
