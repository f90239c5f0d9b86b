/** The lines of a job's summary about gates that rules approved instead of a person. */
import { ruleUses } from '../../core/rule/ruleViews.ts';
import type { RuleUse } from '../../shared/rule/ruleViews.ts';
import type { State } from '../../shared/workspace/state.ts';
import { visibleLine } from '../text/visible.ts';

export function ruleFacts(state: State, jobId: string): (readonly [string, string])[] {
  const uses = ruleUses(state, { jobId });
  const line = ({ ruleId, question, rule }: RuleUse): string => `rule ${ruleId} approved: ${question} (${rule})`;
  return uses.length === 0 ? [] : [['Rules', uses.map((use) => visibleLine(line(use))).join('\n')]];
}
