import type { PanelApproval } from '../../../src/shared/panelView.ts';
import { visible } from '../format.ts';
import { Link } from '../ui/Button.tsx';
import { goToQuestion } from './goToQuestion.ts';

/** A question elsewhere than in the list of questions: a link to its line there. */
export function QuestionLink({ approval }: { readonly approval: PanelApproval }) {
  return (
    <p className="question-link">
      <Link icon="bell" label={visible(approval.question)} onPress={() => goToQuestion(approval)} />
    </p>
  );
}
