import type { PanelApproval } from '../../../src/shared/panelView.ts';
import { look } from '../store.ts';

/** Where a question can be answered: in the list of what waits, or else with its card. */
export const questionId = (approvalId: number) => `question-${approvalId}`;

/** Brings the reader there. */
export function goToQuestion({ id, featureId }: Pick<PanelApproval, 'id' | 'featureId'>): void {
  const asked = document.getElementById(questionId(id));
  if (asked === null) {
    look({ tab: 'board', selected: featureId });
    return;
  }
  asked.scrollIntoView({ block: 'nearest' });
  asked.focus();
}
