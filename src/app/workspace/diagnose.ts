/** Diagnoses this machine for a run in this workspace. */
import { createCommandRunner } from '../../adapters/shell/commandRunner.ts';
import { bad, good } from '../../adapters/shell/diagnostic.ts';
import { diagnose } from '../../adapters/shell/doctor.ts';
import { LOST_TAIL_HINT, lostTailText } from '../../core/state/lostTail.ts';
import { firstProblems, problemText } from '../../core/text/problemText.ts';
import type { Diagnostic, KeyFound } from '../../shared/diagnostic.ts';
import { asFailure } from '../../shared/errors.ts';
import type { ReadOnlyWorkspace } from '../open/readOnlyWorkspace.ts';
import { lookAtState } from '../open/store.ts';
import { diagnosticsOfFiling, type FiledAs } from './filing.ts';
import { diagnosticOfAgents } from './listedAgents.ts';

/** Checks with the environment of a run, which may differ from that of this process. */
export async function diagnoseAll(
  readOnly: ReadOnlyWorkspace,
  key: KeyFound,
  filed: FiledAs,
): Promise<readonly Diagnostic[]> {
  const { places, clock, env } = readOnly;
  const runner = createCommandRunner({ clock, environment: env });
  try {
    const folders = [places.projectDir, places.jobsDir];
    const machine = await diagnose({ clock, runner, environment: env, folders, runtimeDir: places.runtimeDir, key });
    const filing = await diagnosticsOfFiling(readOnly, filed);
    return [...machine, ...filing, await diagnosticOfState(readOnly), await diagnosticOfAgents(readOnly)];
  } finally {
    await runner.close();
  }
}

const LEFT_OUT =
  'The damaged parts are skipped, everything else counts, and work continues: nothing has to be repaired. To restore them, replace the files of .autonomous/events from a backup.';

/** Checks whether the stored state is readable. */
async function diagnosticOfState(readOnly: ReadOnlyWorkspace): Promise<Diagnostic> {
  try {
    const store = await lookAtState(readOnly);
    await store.close();
    const { problems, lostTail } = store;
    if (lostTail !== null) return bad('state', lostTailText(lostTail), LOST_TAIL_HINT);
    if (problems.length === 0) return good('state', 'every event can be read');
    return bad('state', firstProblems(problems.map(problemText)).join('; '), LEFT_OUT);
  } catch (thrown) {
    const { message, hint } = asFailure(thrown);
    return bad('state', message, hint);
  }
}
