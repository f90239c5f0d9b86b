/** Candidate results: they are based on one tree and one text, and become invalid if either changes. */
import type { FeatureRow, PhaseRow } from '../../../shared/job/rows.ts';
import type { Change, State } from '../../../shared/workspace/state.ts';
import { cameToEnd, candidatesOf } from '../../agent/executors.ts';
import { voided } from '../../approval/reduceApprovals.ts';
import { jobApprovals, jobFeatures } from '../../state/rows.ts';

/** The commit that counts changed: the candidates of the job's other features are invalid and must be attempted again. */
export function outdatedCandidates(state: State, jobId: string, except: number, at: string): Change[] {
  const outdated = jobFeatures(state, jobId).filter((row) => row.candidates.length > 0 && row.id !== except);
  const ids = new Set(outdated.map((row) => row.id));
  const asked = jobApprovals(state, jobId).filter(
    (row) => row.status === 'pending' && row.kind === 'pick' && row.feature_id !== null && ids.has(row.feature_id),
  );
  return [
    ...outdated.map((row): Change => ({ table: 'features', put: { ...row, candidates: [] } })),
    ...asked.map((row) => voided(row, 'the tree is another one', at)),
  ];
}

/** Changes the executors of the feature: results of executors that are chosen again are kept and come first. */
export function chosenAgain(
  state: State,
  feature: FeatureRow,
  chosen: readonly string[] | null,
): Pick<FeatureRow, 'executors' | 'candidates'> {
  if (chosen === null) return { executors: null, candidates: [] };
  const kept = candidatesOf(state, feature)
    .map((attempt, index) => ({ attempt, name: feature.executors?.[index] ?? '' }))
    .filter(({ attempt, name }) => cameToEnd(attempt) && chosen.includes(name));
  const names = kept.map(({ name }) => name);
  return {
    executors: [...names, ...chosen.filter((name) => !names.includes(name))],
    candidates: kept.map(({ attempt }) => attempt.id),
  };
}

/** Notes of other candidates describe trees that are discarded. */
export function notesOfOthers(state: State, feature: FeatureRow, picked: number): Change[] {
  const others = candidatesOf(state, feature).filter(({ id }) => id !== picked);
  const sessions = new Set(others.map(({ session_id }) => session_id));
  return [...state.notes.values()]
    .filter((note) => note.superseded_by === null && sessions.has(note.created_by_session ?? 0))
    .map((note): Change => ({ table: 'notes', put: { ...note, superseded_by: 0 } }));
}

/** Whether a result for the earlier plan is also valid for the current one. */
export function isSameWork(
  before: { readonly feature: FeatureRow; readonly phase: PhaseRow | undefined },
  now: { readonly feature: FeatureRow; readonly phase: Pick<PhaseRow, 'verify_commands'> },
): boolean {
  const words = (row: FeatureRow): string => {
    const { name, description, category, testing_steps, verify_commands, depends_on, phase_id } = row;
    return JSON.stringify([name, description, category, testing_steps, verify_commands, depends_on, phase_id]);
  };
  const commands = (phase: Pick<PhaseRow, 'verify_commands'> | undefined): string =>
    JSON.stringify(phase?.verify_commands);
  return words(before.feature) === words(now.feature) && commands(before.phase) === commands(now.phase);
}
