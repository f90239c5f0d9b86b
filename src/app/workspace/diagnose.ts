/** What the machine has and lacks for a run here. */
import { createCommandRunner } from '../../adapters/shell/commandRunner.ts';
import { diagnose } from '../../adapters/shell/doctor.ts';
import { bad, good } from '../../adapters/shell/finding.ts';
import { LOST_TAIL_HINT, lostTailText } from '../../core/state/lostTail.ts';
import { firstProblems, problemText } from '../../core/text/problemText.ts';
import { asFailure } from '../../shared/errors.ts';
import type { Finding, KeyFound } from '../../shared/finding.ts';
import type { ReadOnlyWorkspace } from '../open/readOnlyWorkspace.ts';
import { lookAtState } from '../open/store.ts';
import { type FiledAs, findingsOfFiling } from './filing.ts';
import { findingOfAgents } from './listedAgents.ts';

/** Looks with the environment that a run gets, or it would miss what only that one has. */
export async function diagnoseAll(
  readOnly: ReadOnlyWorkspace,
  key: KeyFound,
  filed: FiledAs,
): Promise<readonly Finding[]> {
  const { places, clock, env } = readOnly;
  const runner = createCommandRunner({ clock, environment: env });
  try {
    const folders = [places.projectDir, places.jobsDir];
    const machine = await diagnose({ runner, environment: env, folders, runtimeDir: places.runtimeDir, key });
    const filing = await findingsOfFiling(readOnly, filed);
    return [...machine, ...filing, await findingOfState(readOnly), await findingOfAgents(readOnly)];
  } finally {
    await runner.close();
  }
}

const LEFT_OUT =
  'What these places held is left out, everything else counts, and it goes on so: nothing has to be repaired. To have it back, put the files of .autonomous/events from a backup in their place.';

/** Whether what was written can be read. */
async function findingOfState(readOnly: ReadOnlyWorkspace): Promise<Finding> {
  try {
    const store = await lookAtState(readOnly);
    await store.close();
    const { problems, lostTail } = store;
    if (lostTail !== null) return bad('state', lostTailText(lostTail), LOST_TAIL_HINT);
    if (problems.length === 0) return good('state', 'all of it can be read');
    return bad('state', firstProblems(problems.map(problemText)).join('; '), LEFT_OUT);
  } catch (thrown) {
    const { message, hint } = asFailure(thrown);
    return bad('state', message, hint);
  }
}
