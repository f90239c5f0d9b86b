/** The snapshot that a page shows: plain data, made by `core/workspace/panel.ts`. Amounts in USD. */

import type { AgentProbe, ExecutorRole } from '../agent/executors.ts';
import type { ApprovalKind, Refusal } from '../approval.ts';
import type { Evidence, TakenFailure } from '../job/evidence.ts';
import type { CardPlace, Lane } from '../job/place.ts';
import type { PanelPlan } from '../job/planView.ts';
import type {
  AttemptReturn,
  DiffTotals,
  FeatureStatus,
  JobStatus,
  MergeResult,
  PhaseStatus,
  SetupGap,
  SetupRemoved,
} from '../job/rows.ts';
import type { TodoItem, TodoProgress } from '../job/todo.ts';
import type { CacheAmounts, CacheLine, Spent } from '../money.ts';
import type { NoteRow } from '../note.ts';
import type { ConversationView, ProjectView } from '../project/projectView.ts';
import type { Route } from '../routing.ts';
import type { RuleUse } from '../rule/ruleViews.ts';
import type { Role, SessionStatus } from '../session.ts';
import type { PanelSchedule, PanelTask, PanelTaskDetails } from '../task/taskPanel.ts';
import type { Waiting } from '../waiting.ts';

export interface PanelAttempt {
  readonly id: number;
  readonly number: number;
  readonly status: string;
  readonly cause: string | null;
  readonly summary: string | null;
  readonly feedback: string | null;
  /** Returns by the merge queue, oldest first. */
  readonly returns: readonly Pick<AttemptReturn, 'cause' | 'paths' | 'at'>[];
  /** The worker's own list. */
  readonly todo: readonly TodoItem[];
  readonly evidence: readonly Pick<Evidence, 'command' | 'exitCode' | 'ended' | 'durationMs' | 'artifact' | 'fresh'>[];
  readonly diff: string | null;
  /** Size of `diff`. Null if there is none, or it was not counted. */
  readonly changed: DiffTotals | null;
  /** `builtin`, or the name of an agent. */
  readonly executor: string;
  /** Input and output of all calls. */
  readonly tokens: number;
  /** Model of its session. */
  readonly model: string;
  /** The choice of the model. Null if routing did not choose. */
  readonly route: Route | null;
  /** True if the engine has no price for its calls. */
  readonly unpriced: boolean;
  readonly sessionId: number;
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** Without the time between a crash, pause or wait and the resumption. */
  readonly workedMs: number;
  readonly costUsd: number;
}

/** One line of the board. `PanelDetails` has the rest of a feature, and is sent only for the selected card. */
export interface PanelCard {
  readonly id: number;
  readonly name: string;
  readonly category: string;
  readonly lane: Lane;
  readonly status: FeatureStatus;
  readonly position: number;
  readonly jobId: string | null;
  readonly phaseId: number | null;
  readonly phaseNumber: number | null;
  readonly phaseTitle: string | null;
  readonly retries: number;
  readonly maxRetries: number;
  /** The reason why a pending feature is not picked, shortened. */
  readonly held: string | null;
  /** Shortened. */
  readonly failureReason: string | null;
  readonly approvalId: number | null;
  /** Settled cost of its attempts and reviews. */
  readonly costUsd: number;
  /** Number of its notes. */
  readonly notes: number;
  /** Number of its attempts, the running one included. */
  readonly attempts: number;
  /** Start of the running attempt. */
  readonly startedAt: string | null;
  /** Progress of the to-do list of the open attempt. Null if no attempt is open or the list is empty. */
  readonly todo: TodoProgress | null;
  /** Executors that work or worked on it. If there are several, each attempts it, and one result is picked. Empty for the built-in agent. */
  readonly executors: readonly string[];
  /** With several executors: how many have attempted it. */
  readonly tried: number;
  /** The choice of the model of its newest attempt. Absent if routing did not choose. */
  readonly route?: Route;
  /** Absent if no attempt is open, or its job has one lane. */
  readonly place?: CardPlace;
}

/** A review of the phase that the feature belongs to. */
export interface PanelReview {
  readonly id: number;
  readonly number: number;
  readonly status: string;
  readonly cause: string | null;
  /** Null if there is no verdict yet, or it could not be parsed. */
  readonly verdict: 'APPROVED' | 'REJECTED' | 'ESCALATE' | null;
  readonly reason: string | null;
  readonly feedback: string | null;
  readonly evidence: PanelAttempt['evidence'];
  readonly executor: string;
  readonly model: string;
  readonly route: Route | null;
  readonly sessionId: number;
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** Without the time between a crash, pause or wait and the resumption. */
  readonly workedMs: number;
  readonly costUsd: number;
}

/** What the page shows of every session. */
export interface PanelSessionFacts {
  readonly id: number;
  readonly role: Role;
  readonly model: string;
  readonly executor: string;
  readonly status: SessionStatus;
  readonly turns: number;
  readonly costUsd: number | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** Without the time between a crash, pause or wait and the resumption. */
  readonly workedMs: number;
}

/** A session of the feature that is shown. */
export interface PanelSession extends PanelSessionFacts, Pick<CacheAmounts, 'handovers' | 'savedUsd'> {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly error: string | null;
}

export interface PanelNote extends Pick<NoteRow, 'created_by' | 'created_by_session'> {
  readonly id: number;
  readonly content: string;
  readonly createdAt: string;
  readonly file: string | null;
  readonly line: number | null;
}

/** Data of one feature besides its card. */
export interface PanelDetails {
  readonly featureId: number;
  readonly description: string;
  readonly testingSteps: readonly string[];
  readonly dependsOn: readonly { readonly id: number; readonly name: string; readonly status: FeatureStatus }[];
  readonly held: string | null;
  readonly failureReason: string | null;
  /** For the next attempt. */
  readonly feedback: string | null;
  /** The commit that completed it. */
  readonly commit: string | null;
  /** Executors chosen for this feature alone, in the order of their attempts. Null for the job's choice. */
  readonly executors: readonly string[] | null;
  /** Ids of the candidate attempts so far. */
  readonly candidates: readonly number[];
  /** The candidate attempt whose result was picked. */
  readonly picked: number | null;
  /** Oldest first, as all lists here. */
  readonly attempts: readonly PanelAttempt[];
  readonly reviews: readonly PanelReview[];
  readonly notes: readonly PanelNote[];
  readonly sessions: readonly PanelSession[];
}

export interface PanelApproval {
  readonly id: number;
  readonly kind: ApprovalKind;
  readonly question: string;
  readonly detail: string;
  readonly choices: readonly string[];
  readonly executables: readonly string[];
  /** Null for a question about the project itself. */
  readonly jobId: string | null;
  readonly projectId: string;
  readonly featureId: number | null;
  /** Set for a question about a task, which has no job. */
  readonly taskId: string | null;
  readonly requestedAt: string;
  /** Whether it has a diff. */
  readonly reviewable: boolean;
  /** True if a worker lacks something that a setup command may install. */
  readonly blocked?: boolean;
  readonly refusal: Refusal;
  /** The rule that is offered for gates like this one, in words. Absent if there is none. */
  readonly offer?: string;
  /** If one answer settles several questions with the same outside cause: titles of all that wait. */
  readonly waiting?: readonly string[];
  /** The older question whose answer settles this one: lists show only that one. */
  readonly settledBy?: number;
}

export interface PanelJob extends Spent {
  readonly id: string;
  readonly projectId: string;
  readonly title: string;
  readonly status: JobStatus;
  /** Its status is running, but no process works on it. */
  readonly still?: boolean;
  readonly reason: string | null;
  readonly wakeAt: string | null;
  /** The reason why the job does not continue. Null if it runs or has ended. */
  readonly waiting: Waiting | null;
  /** True if the daily limit is reached and the job waits for a new day of the ledger. */
  readonly waitsForDay: boolean;
  readonly budgetUsd: number | null;
  readonly simulated: boolean;
  /** The provider names no price: show calls and tokens, and `not priced` for money. */
  readonly unpriced?: boolean;
  readonly counts: Readonly<Record<FeatureStatus, number>>;
  readonly phases: readonly {
    readonly id: number;
    readonly number: number;
    readonly title: string;
    readonly status: PhaseStatus;
    readonly attempt: number;
  }[];
  /** Dependencies that no setup command installs. Absent if there are none. */
  readonly setupGap?: SetupGap;
  /** Files that were removed again after the setup, because git does not ignore them. Absent if there are none. */
  readonly setupRemoved?: SetupRemoved;
  /** Verify commands that failed before any work. Absent if there are none. */
  readonly failedBefore?: readonly {
    readonly command: string;
    readonly exitCode: number | null;
    /** As in the evidence of an attempt. */
    readonly ended: string | null;
    /** The line that names a missing tool or dependency. Null if the failure has another reason. */
    readonly missing: string | null;
  }[];
  /** Present if the steward took the result although verify commands fail on it. */
  readonly takenFailure?: TakenFailure;
  /** Gates that rules approved instead of a person. Absent if there are none. */
  readonly ruleUses?: readonly RuleUse[];
  readonly branch: string;
  /** The merge of the result. Null if it was not merged. */
  readonly merge: Pick<MergeResult, 'mode' | 'target' | 'commit' | 'rolledBack'> | null;
  /** Whether it is the demo and its result can be opened in the working tree. */
  readonly built?: boolean;
  readonly createdAt: string;
  readonly endedAt: string | null;
}

/** One line of a cost table, as every surface has it. */
export interface CostLine {
  readonly key: string;
  readonly label: string;
  readonly calls: number;
  /** Those of `calls` whose provider has no price. Their amounts are 0. */
  readonly unpricedCalls: number;
  /** The settled reported amounts. */
  readonly settledUsd: number;
  /** Amounts of calls in flight. */
  readonly reservedUsd: number;
  /** Perhaps billed: counted at the worst case. */
  readonly unsettledUsd: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

/** Results of an executor in a role. */
export interface ExecutorLine {
  /** `builtin`, or the name of an agent. */
  readonly executor: string;
  readonly role: ExecutorRole;
  /** Attempts at features, reviews of phases, or sessions of a planner, the running ones included. */
  readonly attempts: number;
  /** Those of `attempts` that ended and were not abandoned by a person. */
  readonly judged: number;
  readonly passed: number;
  /** Share of `judged` that passed, 0 to 1. Null if `judged` is 0. */
  readonly passRate: number | null;
  readonly medianMs: number | null;
  readonly calls: number;
  /** Those of `calls` whose account or provider has no price; their cost is the reported one, often 0. */
  readonly unpricedCalls: number;
  readonly settledUsd: number;
  readonly reservedUsd: number;
  readonly unsettledUsd: number;
  /** Settled cost for each passed attempt. Null if none passed. */
  readonly usdPerPassed: number | null;
}

export interface PanelCosts {
  readonly day: string;
  readonly todayUsd: number;
  /** Part of `todayUsd` that is in flight or possibly billed, counted at the worst case. */
  readonly todayOpenUsd: number;
  readonly todaySimulatedUsd: number;
  readonly dayLimitUsd: number | null;
  readonly total: CostLine;
  /** Null unless the page shows the costs. */
  readonly tables: PanelCostTables | null;
}

export interface PanelCostTables {
  readonly byProject: readonly CostLine[];
  readonly byJob: readonly CostLine[];
  readonly byPhase: readonly CostLine[];
  readonly byFeature: readonly CostLine[];
  readonly byAttempt: readonly CostLine[];
  readonly byRole: readonly CostLine[];
  readonly byModel: readonly CostLine[];
  readonly executors: readonly ExecutorLine[];
  /** What tokens were paid for. */
  readonly cache: {
    readonly total: CacheLine;
    readonly byJob: readonly CacheLine[];
    readonly byRole: readonly CacheLine[];
  };
  /** Cumulative over time, at most a few hundred points, oldest first; a sum in USD for each of `roles`. */
  readonly series: {
    readonly roles: readonly Role[];
    readonly points: readonly { readonly at: number; readonly usd: readonly number[] }[];
  };
  /** The newest few hundred, newest first. */
  readonly sessions: readonly PanelCostSession[];
}

/** A session in the table of costs. */
export interface PanelCostSession extends PanelSessionFacts {
  /** True if its status is running and no process works on it. */
  readonly still?: boolean;
  /** Null if it has no settled call. */
  readonly cache: CacheAmounts | null;
  readonly jobTitle: string | null;
  readonly featureName: string | null;
}

/** The page's selection: the parts that a snapshot contains only if they are selected. */
export interface PanelLook {
  readonly featureId: number | null;
  readonly costs: boolean;
  /** The project whose conversation is shown. */
  readonly conversation: string | null;
  /** Number of its newest messages to show. */
  readonly messages: number;
  /** The job whose plan is shown. */
  readonly plan: string | null;
  /** The task whose steps are shown, and the selected steps. */
  readonly task: string | null;
  readonly step: number | null;
}

/** Selection of a page that was just loaded. */
export const NO_LOOK: PanelLook = {
  featureId: null,
  costs: false,
  conversation: null,
  messages: 0,
  plan: null,
  task: null,
  step: null,
};

/** Quick fixes beside a banner. */
export const QUICK_FIXES = [
  'openFolder',
  'manageTrust',
  'chooseFolder',
  'reloadBoard',
  'takeOver',
  'restoreState',
] as const;
export type QuickFix = (typeof QUICK_FIXES)[number];

export interface PanelBanner {
  readonly text: string;
  readonly severity: 'info' | 'warning' | 'error';
  readonly quickFix?: QuickFix | null;
}

export interface PanelView {
  /** Banner for a problem that prevents work in this workspace. Null if there is none. */
  readonly banner: PanelBanner | null;
  /** `owner`: jobs run in this window. `viewer`: another process owns the workspace. `none`: not open, restricted, … */
  readonly mode: 'owner' | 'viewer' | 'none';
  /** The name of the folder that this window works in, if the window has several. */
  readonly folder?: string;
  /** Agents that the user installed, as they were found on this machine. Absent if the machine has not been searched. */
  readonly agents?: readonly AgentProbe[];
  readonly approvals: readonly PanelApproval[];
  readonly jobs: readonly PanelJob[];
  readonly cards: readonly PanelCard[];
  /** Details of the selected card. Null if no card is selected, or the card was removed. */
  readonly details: PanelDetails | null;
  readonly costs: PanelCosts;
  /** The default one first, then by name. */
  readonly projects: readonly ProjectView[];
  /** The main agent's activity. Null before the first message to it. */
  readonly mainAgent: ProjectView | null;
  /** Conversation of the selected project. Null if no project is selected. */
  readonly conversation: ConversationView | null;
  /** The plan that the page shows. Null if it shows none, or the plan was removed. */
  readonly plan: PanelPlan | null;
  /** In the order of creation: all open tasks, and the newest ended ones. */
  readonly tasks: readonly PanelTask[];
  readonly schedules: readonly PanelSchedule[];
  /** The selected task. Null if no task is selected, or the task was removed. */
  readonly task: PanelTaskDetails | null;
}
