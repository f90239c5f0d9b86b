/** Reads the results of earlier evals of a workspace, unless they came with its repository. */
import { basename } from 'node:path';
import { evalDirOf, hasEvalResults, readEvalResults, recordFiles } from '../../adapters/files/eval/evalRecords.ts';
import { nodeFiles } from '../../adapters/files/files.ts';
import { createGit } from '../../adapters/git/gitPort.ts';
import { type AutonomousError, failure, findFailure } from '../../shared/errors.ts';
import type { EvalResult } from '../../shared/eval/records.ts';
import type { OwnerOptions } from '../owner/ownerOptions.ts';

type Place = Pick<OwnerOptions, 'places' | 'clock' | 'env'>;

/** Records that came with the repository are claims of its author, and would count as paid results. Null if they did not. */
export async function shippedFault({ clock, env, places }: Place): Promise<AutonomousError | null> {
  const folder = evalDirOf(places.stateDir);
  const path = `${basename(places.stateDir)}/${basename(folder)}`;
  const git = createGit({ clock, env });
  // The first one fails if git cannot tell; the other ones also find another spelling, and files of the index.
  const found = await Promise.all([
    git.isCommitted(places.projectDir, path),
    ...recordFiles(folder).map((file) => git.isShipped(places.projectDir, file)),
  ]);
  if (!found.includes(true)) return null;
  return failure('NOT_PERMITTED', `${path} came with the repository: its results do not count`, {
    hint: `Take it out of the repository (git rm --cached -r ${path}) and move it away.`,
  });
}

/** Empty, with a problem, if the results came with the repository or that cannot be determined. */
export async function recordedResults(place: Place, problem: (text: string) => void): Promise<readonly EvalResult[]> {
  const folder = evalDirOf(place.places.stateDir);
  try {
    if (!(await hasEvalResults(folder, nodeFiles))) return [];
    const fault = await shippedFault(place);
    if (fault === null) return await readEvalResults(folder, nodeFiles);
    problem(`${fault.message}. ${fault.hint}`);
  } catch (thrown) {
    const known = findFailure(thrown);
    if (known === undefined) throw thrown;
    problem(`Routing does not use the results of evals: ${known.message}`);
  }
  return [];
}
