/** Picks from a scenario the turn for a position of a conversation. */
import type { Assignment } from '../../shared/workspace/assignment.ts';
import type { Position } from './conversation.ts';
import { type Facts, fill } from './placeholders.ts';
import type { FeatureScript, Review, Scenario, Turn } from './scenario.ts';

export type Line =
  | { readonly found: true; readonly turn: Turn }
  /** `reason` names the missing part of the scenario. */
  | { readonly found: false; readonly reason: string };

/**
 * The turn to answer with. An attempt after the last scripted one answers like the last; a turn after the last of its
 * attempt is never invented.
 */
export function lineAt(scenario: Scenario, { assignment, turn }: Position, brief: string): Line {
  const turns = turnsOf(scenario, assignment);
  const where = describe(assignment);
  if (turns === null) return { found: false, reason: `"${scenario.title}" has no script for ${where}` };
  const line = turns[turn];
  if (line !== undefined) return { found: true, turn: fill(line, factsOf(assignment, brief)) };
  return {
    found: false,
    reason: `"${scenario.title}" has ${turns.length} turns for ${where}; turn ${turn + 1} was asked`,
  };
}

function turnsOf(scenario: Scenario, assignment: Assignment): readonly Turn[] | null {
  const { attempt } = assignment;
  switch (assignment.role) {
    case 'planner':
      return planningTurns(scenario, attempt);
    case 'worker': {
      const script = featureScript(scenario, assignment.feature);
      const returned = assignment.returns === undefined ? undefined : nth(script?.returns, assignment.returns);
      return (returned ?? nth(script?.attempts, attempt))?.turns ?? null;
    }
    case 'reviewer': {
      const { phase, feature } = assignment;
      const reviews = feature === null ? phaseScript(scenario, phase)?.reviews : featureReviews(scenario, feature);
      return reviewTurns(nth(reviews, attempt));
    }
    case 'summarizer': {
      const text = nth(phaseScript(scenario, assignment.phase)?.summaries, attempt);
      return text === undefined ? null : [{ text, calls: [] }];
    }
  }
}

function planningTurns(scenario: Scenario, attempt: number): readonly Turn[] | null {
  const planning = nth(scenario.planning, attempt);
  if (planning === undefined) return null;
  return planning.submit ? [...planning.turns, says('', 'submit_plan', scenario.plan)] : planning.turns;
}

function featureScript({ features, otherwise }: Scenario, name: string): FeatureScript | undefined {
  return Object.hasOwn(features, name) ? features[name] : otherwise.feature;
}

function featureReviews(scenario: Scenario, name: string): readonly Review[] | undefined {
  return featureScript(scenario, name)?.reviews ?? scenario.otherwise.feature?.reviews;
}

function phaseScript({ phases, otherwise }: Scenario, title: string): Scenario['phases'][string] | undefined {
  return Object.hasOwn(phases, title) ? phases[title] : otherwise.phase;
}

function reviewTurns(review: Review | undefined): readonly Turn[] | null {
  if (review === undefined) return null;
  if (review.verdict === undefined) return review.turns;
  return [...review.turns, says('', 'submit_verdict', review.verdict)];
}

function says(text: string, tool: string, input: object): Turn {
  return { text, calls: [{ tool, input: JSON.parse(JSON.stringify(input)) as Turn['calls'][number]['input'] }] };
}

function nth<T>(list: readonly T[] | undefined, attempt: number): T | undefined {
  return list?.[attempt - 1] ?? list?.at(-1);
}

function describe(assignment: Assignment): string {
  const { role, attempt } = assignment;
  if (role === 'planner') return `the planner, attempt ${attempt}`;
  const feature = role === 'worker' || role === 'reviewer' ? assignment.feature : null;
  const subject = feature === null ? `phase "${assignment.phase}"` : `feature "${feature}"`;
  return `the ${role} of ${subject}, attempt ${attempt}`;
}

function factsOf(assignment: Assignment, brief: string): Facts {
  const facts: Record<string, string | number> = { attempt: assignment.attempt, brief };
  if (assignment.role !== 'planner') facts['phase'] = assignment.phase;
  if (assignment.role === 'worker') facts['featureId'] = assignment.featureId;
  if ((assignment.role === 'worker' || assignment.role === 'reviewer') && assignment.feature !== null) {
    facts['feature'] = assignment.feature;
    facts['slug'] = slug(assignment.feature);
  }
  return facts;
}

/** A name as a file name: lower case letters, digits and hyphens. */
function slug(name: string): string {
  const text = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return text === '' ? 'feature' : text;
}
