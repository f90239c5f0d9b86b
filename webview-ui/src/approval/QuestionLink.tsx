/** Links from a card or a task to its question. */
import type { PanelApproval } from '../../../src/shared/workspace/panel.ts';
import { Link } from '../ui/Button.tsx';
import { visible } from '../ui/text/format.ts';
import { goToQuestion } from './goToQuestion.ts';

/** A question elsewhere than in the list of questions: a link to its line there. */
export function QuestionLink({ approval }: { readonly approval: PanelApproval }) {
  return (
    <p className="question-link">
      <Link icon="bell" label={visible(approval.question)} onPress={() => goToQuestion(approval)} />
    </p>
  );
}
