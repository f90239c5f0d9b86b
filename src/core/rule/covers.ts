/** Decides whether a rule approves a gate now. */

import type { NewApproval } from '../../shared/approval.ts';
import type { GateFacts, RuleRow, RuleScope } from '../../shared/rule/rules.ts';
import type { State } from '../../shared/workspace/state.ts';

/** A gate that is about to be asked. */
export interface AskedGate {
  readonly project_id: string;
  readonly kind: NewApproval['kind'];
  /** Null if the engine measured nothing, so that nothing is covered. */
  readonly facts: GateFacts | null;
  readonly executables: readonly string[];
}

export const sortedCategories = (categories: readonly string[]): readonly string[] =>
  [...new Set(categories.map((one) => one.trim().toLowerCase()))].sort();

/** Whether the gate is of the kind of the scope, whatever its size and cost. */
export function isOfKind(scope: RuleScope, gate: AskedGate): boolean {
  const { facts } = gate;
  return (
    facts !== null &&
    gate.kind === scope.gate &&
    gate.project_id === scope.project_id &&
    facts.provider === scope.provider &&
    facts.work === scope.work
  );
}

/** Fails closed: an unknown cost, a missing verification and a file that would execute are never covered. */
export function covers(rule: RuleScope, gate: AskedGate): boolean {
  const { facts, executables } = gate;
  if (facts === null || !isOfKind(rule, gate) || executables.length > 0 || !facts.verified) return false;
  if (facts.microUsd === null || facts.microUsd > rule.max_micro_usd || facts.lines > rule.max_lines) return false;
  return facts.categories.every((category) => rule.categories.includes(category));
}

/** The oldest rule in force that covers the gate. */
export function coveringRule(state: State, gate: AskedGate): RuleRow | undefined {
  return [...state.rules.values()].find((rule) => rule.revoked_at === null && covers(rule, gate));
}
