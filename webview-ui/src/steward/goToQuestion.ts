import type { PanelApproval } from '../../../src/shared/panelView.ts';
import { look } from '../store.ts';

/** Where a question can be answered: in the list of what waits, or else with its card or its task. */
export const questionId = (approvalId: number) => `question-${approvalId}`;

type Place = Pick<PanelApproval, 'id' | 'featureId' | 'taskId' | 'settledBy'>;

/** Brings the reader there. */
export function goToQuestion({ id, featureId, taskId, settledBy }: Place): void {
  const asked = document.getElementById(questionId(settledBy ?? id));
  if (asked === null) {
    look(taskId === null ? { tab: 'board', selected: featureId } : { tab: 'tasks', task: taskId });
    return;
  }
  asked.scrollIntoView({ block: 'nearest' });
  asked.focus();
}
