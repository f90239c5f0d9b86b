/** A plan as the page shows it. Amounts in USD. */
import type { CardPlace, Lane } from './place.ts';
import type { PlanRow } from './rows.ts';
import type { Timeline } from './timeline.ts';

export interface PanelPlanFeature {
  /** Counts from 1 over all phases. */
  readonly number: number;
  readonly name: string;
  readonly category: string;
  readonly description: string;
  readonly testingSteps: readonly string[];
  /** Run after this feature instead of the commands of the phase. Empty if it has none. */
  readonly verify: readonly string[];
  /** Names of other features of the plan. */
  readonly dependsOn: readonly string[];
  /** Files or folders that it will probably change. Empty if none are named. */
  readonly paths: readonly string[];
  /** Where its work is. Null before the plan is accepted. */
  readonly now: { readonly lane: Lane; readonly place: CardPlace | null } | null;
}

export interface PanelPlanPhase {
  readonly number: number;
  readonly title: string;
  readonly objective: string;
  readonly criteria: readonly string[];
  /** Commands that must exit with 0. */
  readonly verify: readonly string[];
  /** Features that the lanes of the job can start at once. Null if only the number of lanes or of features limits them. */
  readonly startsAtOnce: number | null;
  readonly features: readonly PanelPlanFeature[];
}

export interface PlanRange {
  readonly low: number;
  readonly high: number;
}

/** The expected cost of the plan, with the source of the figures. A simulated job is never a source. */
export type PlanEstimate =
  | {
      readonly source: 'recorded';
      readonly model: string;
      /** Earlier jobs of this model, and the features that they completed. */
      readonly jobs: number;
      readonly features: number;
      /** Null if those jobs name no price. */
      readonly usd: PlanRange | null;
      /** Time of the attempts and reviews, without the time of answers. */
      readonly ms: PlanRange;
    }
  | { readonly source: 'budget'; readonly atMostUsd: number }
  | { readonly source: 'simulated' }
  | { readonly source: 'unknown' };

export interface PanelPlan {
  readonly jobId: string;
  readonly title: string;
  readonly version: number;
  readonly by: PlanRow['by'];
  readonly at: string;
  readonly accepted: boolean;
  /** The question about this version. Null if none is open. */
  readonly approvalId: number | null;
  /** Null if the job has no separate limit, or its provider has no prices. */
  readonly budgetUsd: number | null;
  /** Questions of the planner, which the approval answers. */
  readonly questions: readonly string[];
  /** Setup commands that the approval grants. */
  readonly setup: readonly string[];
  readonly assumptions: readonly string[];
  /** The planner's findings about the repository, for the workers. Empty if it found nothing. */
  readonly findings: string;
  readonly phases: readonly PanelPlanPhase[];
  readonly estimate: PlanEstimate;
  /** Null while the job has not ended. */
  readonly timeline: Timeline | null;
}
