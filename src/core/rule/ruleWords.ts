/** Writes rules and offers in words. */

import type { RuleGate, RuleOffer, RuleScope, WorkKind } from '../../shared/rule/rules.ts';

const GATES: Readonly<Record<RuleGate, string>> = { phase: 'phase gate', merge: 'merge gate' };
const WORKS: Readonly<Record<WorkKind, string>> = { docs: 'documents', data: 'data files' };
const MAX_CATEGORIES = 200;

function listed(categories: readonly string[]): string {
  const all = categories.join(', ').replace(/\s+/g, ' ');
  return all.length <= MAX_CATEGORIES ? all : `${all.slice(0, MAX_CATEGORIES - 1)}…`;
}

/** e.g. `merge gate of project default: documents only, at most 200 lines and $0.50, categories: docs`. */
export function ruleText({
  gate,
  project_id,
  work,
  provider,
  max_lines,
  max_micro_usd,
  categories,
}: RuleScope): string {
  const cost = `$${(max_micro_usd / 1e6).toFixed(2)}`;
  const simulated = provider === 'simulated' ? ' (simulated)' : '';
  const of = `${GATES[gate]} of project ${project_id}${simulated}: ${WORKS[work]} only`;
  return `${of}, at most ${max_lines} lines and ${cost}, categories: ${listed(categories)}`;
}

/** e.g. `merge gate of …: 14 of 14 approved. Skip it?` */
export const offerText = ({ text, approved }: Pick<RuleOffer, 'text' | 'approved'>): string =>
  `${text}: ${approved} of ${approved} approved. Skip it?`;
