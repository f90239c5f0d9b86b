/** Parks an active project that cannot run because of its PROJECT.md or its workdir, and unparks it. */
import { isAbout } from '../../../core/approval/about.ts';
import { type Parked, parkedOf, parkedText } from '../../../core/project/parked.ts';
import { isTrustHold } from '../../../core/project/projectTrust.ts';
import { projectApprovals } from '../../../core/state/rows.ts';
import type { NewApproval } from '../../../shared/approval.ts';
import type { ProjectRow } from '../../../shared/project/projects.ts';
import { type Asked, projectQuestion } from '../../approval/questions.ts';
import type { Store } from '../../state/store.ts';

/** A question about a project, with a new id. */
export function newQuestion(store: Store, projectId: string, asked: Asked): NewApproval {
  const [id] = store.nextIds('approvals', 1);
  if (id === undefined) throw new Error('the store gave no id');
  return projectQuestion(projectId, id, asked);
}

/** Causes that this module may clear. Parking for any other cause is kept. */
const OURS: readonly Parked['for'][] = ['file', 'workdir', 'trust'];

/** `hold` null: nothing of the file or the workdir is in its way. What the steward must trust is asked about. */
export async function settleParking(
  store: Store,
  projectId: string,
  hold: Parked | null,
  isTriedAgain: boolean,
): Promise<void> {
  const project = store.state.projects.get(projectId);
  if (project?.status !== 'active') return;
  const { parked } = project;
  const before = parkedOf(parked);
  const isOurs = before !== null && OURS.includes(before.for);
  if (hold !== null) {
    const reason = parkedText(hold);
    if (parked === reason || (before !== null && !isOurs)) return;
    await store.commit({ type: 'project_parked', project_id: projectId, reason, approval: null });
    return;
  }
  if (isOurs && !isTrustHold(parked)) {
    await store.commit({ type: 'project_unparked', project_id: projectId });
  }
  await settleTrust(store, projectId, isTriedAgain);
}

async function settleTrust(store: Store, projectId: string, isTriedAgain: boolean): Promise<void> {
  const project = store.state.projects.get(projectId);
  if (project === undefined || project.workdir === null || !isTrustHold(project.parked)) return;
  const { workdir } = project;
  const asked = projectApprovals(store.state, projectId).findLast((row) =>
    isAbout(row, { of: 'workdir', path: workdir }),
  );
  if (asked?.status === 'pending') return;
  if (asked?.status === 'rejected' && !isTriedAgain) {
    const reason = parkedText({ for: 'trust', path: workdir, refused: true });
    if (project.parked === reason) return;
    await store.commit({ type: 'project_parked', project_id: projectId, reason, approval: null });
    return;
  }
  if (asked?.status === 'rejected') {
    await store.commit({ type: 'approval_voided', id: asked.id, reason: 'asked again' });
  }
  await store.commit({ type: 'approval_requested', approval: trustQuestion(store, project, workdir) });
}

function trustQuestion(store: Store, { id }: ProjectRow, workdir: string): NewApproval {
  return newQuestion(store, id, {
    kind: 'workdir',
    about: { of: 'workdir', path: workdir },
    question: `The project ${id} would work on ${workdir}. Do you trust it with that repository?`,
    detail: [
      `Its sessions will read everything in ${workdir}, and what they read is sent to the model.`,
      'Its jobs work in clones of it, run its commands there, and ask before they merge into it.',
    ].join('\n'),
  });
}
