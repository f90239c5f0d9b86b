/** Computes the rules that the record supports: gates of one kind of work that a person always approved. */

import type { ApprovalRow } from '../../shared/approval.ts';
import { RULE_GATES, type RuleOffer, type RuleScope } from '../../shared/rule/rules.ts';
import type { State } from '../../shared/workspace/state.ts';
import { type AskedGate, isOfKind, sortedCategories } from './covers.ts';
import { ruleText } from './ruleWords.ts';

/** Approvals before a rule is offered. */
export const MIN_APPROVALS = 10;
/** Approvals between two limits before the higher one is offered. */
const MIN_ABOVE = 3;
/** Limits of lines, and of cost in micro-USD. A rule never has a higher one. */
const LINES = [50, 100, 200, 500] as const;
const COSTS = [50_000, 100_000, 250_000, 500_000, 1_000_000, 2_000_000, 5_000_000] as const;

/** The person's answer. Null for no answer, and for answers of a rule, of `--yes` and of the demo, which earn nothing. */
function answerOf({ status, decided_by, choice, kind }: ApprovalRow): 'yes' | 'no' | null {
  if (decided_by !== 'steward') return null;
  if (status === 'approved') return 'yes';
  // An answer that was acted on is void: of a merge, only an approval has a choice. A phase that is repeated was not right.
  return status === 'void' && kind === 'merge' && choice !== null ? 'yes' : 'no';
}

/** Whether the work could be covered at all, within the highest limits. */
function isEligible({ facts, executables }: AskedGate): boolean {
  if (facts === null || facts.work === null || facts.microUsd === null || !facts.verified) return false;
  return executables.length === 0;
}

interface Answered {
  readonly answer: 'yes' | 'no';
  readonly lines: number;
  readonly microUsd: number;
  readonly categories: readonly string[];
}

/** Answers for this kind of work since the last rule for it was revoked. */
function answeredOf(state: State, scope: RuleScope): Answered[] {
  const revoked = [...state.rules.values()].flatMap((rule) =>
    sameKind(rule, scope) && rule.revoked_at !== null ? [rule.revoked_at] : [],
  );
  const since = revoked.sort().at(-1) ?? '';
  return [...state.approvals.values()].flatMap((row) => {
    const answer = answerOf(row);
    if (answer === null || row.facts === null || !isOfKind(scope, row) || !isEligible(row)) return [];
    if ((row.decided_at ?? '') <= since) return [];
    const { lines, microUsd, categories } = row.facts;
    return [{ answer, lines, microUsd: microUsd ?? Number.POSITIVE_INFINITY, categories }];
  });
}

const sameKind = (a: RuleScope, b: RuleScope): boolean =>
  a.project_id === b.project_id && a.gate === b.gate && a.work === b.work && a.provider === b.provider;

/** The highest limit of lines up to which a person approved everything, and often enough. Null if there is none. */
function linesFor(answered: readonly Answered[]): number | null {
  let limit: number | null = null;
  let before = 0;
  for (const lines of LINES) {
    const within = answered.filter((one) => one.lines <= lines);
    if (within.some(({ answer }) => answer === 'no')) break;
    const isEnough = within.length >= MIN_APPROVALS && (limit === null || within.length - before >= MIN_ABOVE);
    if (isEnough) {
      limit = lines;
      before = within.length;
    }
  }
  return limit;
}

type Kind = Pick<RuleScope, 'project_id' | 'gate' | 'work' | 'provider'>;

function offerOf(state: State, kind: Kind): RuleOffer | null {
  const any = { ...kind, categories: [], max_lines: 0, max_micro_usd: 0 };
  const isRuled = [...state.rules.values()].some((rule) => rule.revoked_at === null && sameKind(rule, any));
  if (isRuled) return null;
  const answered = answeredOf(state, any).filter(({ microUsd }) => microUsd <= (COSTS.at(-1) ?? 0));
  const max_lines = linesFor(answered);
  if (max_lines === null) return null;
  const within = answered.filter(({ lines }) => lines <= max_lines);
  const highest = Math.max(...within.map(({ microUsd }) => microUsd));
  const max_micro_usd = COSTS.find((limit) => highest <= limit);
  if (max_micro_usd === undefined) return null;
  const scope = {
    ...any,
    categories: sortedCategories(within.flatMap((one) => one.categories)),
    max_lines,
    max_micro_usd,
  };
  return { ...scope, id: idOf(kind), approved: within.length, text: ruleText(scope) };
}

/** The kind of work at a gate that could be covered. Null for any other question. */
function kindOf({ kind, project_id, facts }: AskedGate): Kind | null {
  const gate = RULE_GATES.find((one) => one === kind);
  if (gate === undefined || facts === null || facts.work === null) return null;
  return { project_id, gate, work: facts.work, provider: facts.provider };
}

const idOf = ({ project_id, gate, work, provider }: Kind): string => [project_id, gate, work, provider].join(':');

/** All offers, in the order in which their kinds of work were first asked about. */
export function ruleOffers(state: State): readonly RuleOffer[] {
  const kinds = [...state.approvals.values()].map((row) => kindOf(row)).filter((kind) => kind !== null);
  const distinct = new Map(kinds.map((kind) => [idOf(kind), kind]));
  return [...distinct.values()].map((kind) => offerOf(state, kind)).filter((offer) => offer !== null);
}

/** The offer for gates like this pending question, for the surface that shows the question. */
export function offerFor(state: State, asked: ApprovalRow): RuleOffer | null {
  const kind = asked.status === 'pending' ? kindOf(asked) : null;
  return kind === null ? null : offerOf(state, kind);
}
