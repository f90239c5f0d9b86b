import type { PanelApproval } from '../../../src/shared/panelView.ts';
import { look } from '../store.ts';

/** Where a question can be answered: in the list of what waits, or else with its card or its task. */
export const questionId = (approvalId: number) => `question-${approvalId}`;

/** Brings the reader there. */
export function goToQuestion({ id, featureId, taskId }: Pick<PanelApproval, 'id' | 'featureId' | 'taskId'>): void {
  const asked = document.getElementById(questionId(id));
  if (asked === null) {
    look(taskId === null ? { tab: 'board', selected: featureId } : { tab: 'tasks', task: taskId });
    return;
  }
  for (let part = asked.closest('details'); part !== null; part = part.parentElement?.closest('details') ?? null) {
    part.open = true;
  }
  asked.scrollIntoView({ block: 'nearest' });
  asked.focus();
}
