/** What a page shows: one snapshot, plain data, made by `core/workspace/panel.ts`. Amounts in USD. */

import type { AgentProbe, ExecutorRole } from '../agent/executors.ts';
import type { ApprovalKind, Refusal } from '../approval.ts';
import type { Evidence, TakenFailure } from '../job/evidence.ts';
import type { PanelPlan } from '../job/planView.ts';
import type {
  DiffTotals,
  FeatureStatus,
  JobStatus,
  MergeResult,
  PhaseStatus,
  SetupGap,
  SetupRemoved,
} from '../job/rows.ts';
import type { TodoItem, TodoProgress } from '../job/todo.ts';
import type { Spent } from '../money.ts';
import type { NoteRow } from '../note.ts';
import type { ConversationView, ProjectView } from '../project/projectView.ts';
import type { Role, SessionStatus } from '../session.ts';
import type { PanelSchedule, PanelTask, PanelTaskDetails } from '../task/taskPanel.ts';
import type { Waiting } from '../waiting.ts';

/** The four statuses and the derived lane. */
export type Lane = FeatureStatus | 'needs_you';

export interface PanelAttempt {
  readonly id: number;
  readonly number: number;
  readonly status: string;
  readonly cause: string | null;
  readonly summary: string | null;
  readonly feedback: string | null;
  /** The worker's own list. */
  readonly todo: readonly TodoItem[];
  readonly evidence: readonly Pick<Evidence, 'command' | 'exitCode' | 'ended' | 'durationMs' | 'artifact' | 'fresh'>[];
  readonly diff: string | null;
  /** Of `diff`; null: there is none, or nobody counted. */
  readonly changed: DiffTotals | null;
  /** `builtin`, or the name of an agent. */
  readonly executor: string;
  /** Input and output of all calls. */
  readonly tokens: number;
  /** No price of ours says what it cost. */
  readonly unpriced: boolean;
  readonly sessionId: number;
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** Without the time between a crash, pause or wait and the resumption. */
  readonly workedMs: number;
  readonly costUsd: number;
}

/** One line of the board. Everything else of a feature is in `PanelDetails`, which only the card that is looked at has. */
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
  /** Why it is not picked though pending, shortened. */
  readonly held: string | null;
  /** Shortened. */
  readonly failureReason: string | null;
  readonly approvalId: number | null;
  /** Settled, as of its attempts and reviews. */
  readonly costUsd: number;
  /** How many there are. */
  readonly notes: number;
  /** How many there were, the running one included. */
  readonly attempts: number;
  /** Of the running attempt. */
  readonly startedAt: string | null;
  /** Progress of the to-do list of the open attempt. Null if no attempt is open or the list is empty. */
  readonly todo: TodoProgress | null;
  /** Who works on it, or who did; several: each tries it, and one result is picked. Empty: the built-in agent. */
  readonly executors: readonly string[];
  /** Of several executors: how many have tried it. */
  readonly tried: number;
}

/** A review of the phase that the feature belongs to. */
export interface PanelReview {
  readonly id: number;
  readonly number: number;
  readonly status: string;
  readonly cause: string | null;
  /** null: none yet, or none that could be read. */
  readonly verdict: 'APPROVED' | 'REJECTED' | 'ESCALATE' | null;
  readonly reason: string | null;
  readonly feedback: string | null;
  readonly evidence: PanelAttempt['evidence'];
  readonly executor: string;
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
export interface PanelSession extends PanelSessionFacts {
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

/** What is known of one feature beside its card. */
export interface PanelDetails {
  readonly featureId: number;
  readonly description: string;
  readonly testingSteps: readonly string[];
  readonly dependsOn: readonly { readonly id: number; readonly name: string; readonly status: FeatureStatus }[];
  readonly held: string | null;
  readonly failureReason: string | null;
  /** For the next attempt. */
  readonly feedback: string | null;
  /** That completed it. */
  readonly commit: string | null;
  /** Chosen for it alone, in the order in which they try it; null: as its job says. */
  readonly executors: readonly string[] | null;
  /** Ids of the attempts that lie side by side so far. */
  readonly candidates: readonly number[];
  /** Of attempts that lay side by side: the one whose result was taken. */
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
  /** null: about the project itself. */
  readonly jobId: string | null;
  readonly projectId: string;
  readonly featureId: number | null;
  /** Of a question about a task; then there is no job. */
  readonly taskId: string | null;
  readonly requestedAt: string;
  /** Whether there is a diff to look at. */
  readonly reviewable: boolean;
  /** A worker lacks something outside of its reach, which a setup command may install. */
  readonly blocked?: boolean;
  readonly refusal: Refusal;
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
  /** Its status says that it runs, and no process works on it. */
  readonly still?: boolean;
  readonly reason: string | null;
  readonly wakeAt: string | null;
  /** Why it does not move; null if it moves or is over. */
  readonly waiting: Waiting | null;
  /** It waits for a new day of the ledger: the daily limit is reached. */
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
  readonly branch: string;
  /** Where the result went; null: nowhere yet. */
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
  /** Of `calls`: those of a provider that names no price. Their amounts are 0. */
  readonly unpricedCalls: number;
  /** Settled at what was reported. */
  readonly settledUsd: number;
  /** In flight now. */
  readonly reservedUsd: number;
  /** Perhaps billed: counted at the worst case. */
  readonly unsettledUsd: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

/** How well an executor did in a role. */
export interface ExecutorLine {
  /** `builtin`, or the name of an agent. */
  readonly executor: string;
  readonly role: ExecutorRole;
  /** Tries at features, reviews of phases, or sessions of a planner, the running ones included. */
  readonly attempts: number;
  /** Of `attempts`: over, and not given up by a person. */
  readonly judged: number;
  readonly passed: number;
  /** Of `judged`, 0 to 1; null: none yet. */
  readonly passRate: number | null;
  readonly medianMs: number | null;
  readonly calls: number;
  /** Of `calls`: of an account or a provider that names no price; their cost is what was reported, often 0. */
  readonly unpricedCalls: number;
  readonly settledUsd: number;
  readonly reservedUsd: number;
  readonly unsettledUsd: number;
  /** What was settled, for each that passed; null: none did. */
  readonly usdPerPassed: number | null;
}

export interface PanelCosts {
  readonly day: string;
  readonly todayUsd: number;
  /** Of `todayUsd`: in flight or perhaps billed, counted at the worst case. */
  readonly todayOpenUsd: number;
  readonly todaySimulatedUsd: number;
  readonly dayLimitUsd: number | null;
  readonly total: CostLine;
  /** null while the page does not look at the costs. */
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
  /** True if its status says that it runs and no process works on it. */
  readonly still?: boolean;
  readonly jobTitle: string | null;
  readonly featureName: string | null;
}

/** What the page says that it looks at: what only then comes with a snapshot. */
export interface PanelLook {
  readonly featureId: number | null;
  readonly costs: boolean;
  /** The project whose conversation is shown. */
  readonly conversation: string | null;
  /** How many of its newest messages. */
  readonly messages: number;
  /** The job whose plan is shown. */
  readonly plan: string | null;
  /** The task whose steps are shown, and which of them. */
  readonly task: string | null;
  readonly step: number | null;
}

/** Of a page that was just loaded. */
export const NO_LOOK: PanelLook = {
  featureId: null,
  costs: false,
  conversation: null,
  messages: 0,
  plan: null,
  task: null,
  step: null,
};

/** What can be pressed beside a banner. */
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
  /** What stands in the way of working here, for a banner; null: nothing. */
  readonly banner: PanelBanner | null;
  /** `owner`: jobs run in this window. `viewer`: another process owns the workspace. `none`: not open, restricted, … */
  readonly mode: 'owner' | 'viewer' | 'none';
  /** The name of the folder that this window works in, if the window has several. */
  readonly folder?: string;
  /** Agents of the user's own, as they were found on this machine; absent: nobody has looked yet. */
  readonly agents?: readonly AgentProbe[];
  readonly approvals: readonly PanelApproval[];
  readonly jobs: readonly PanelJob[];
  readonly cards: readonly PanelCard[];
  /** Of the card that is looked at; null: none is, or it is gone. */
  readonly details: PanelDetails | null;
  readonly costs: PanelCosts;
  /** The default one first, then by name. */
  readonly projects: readonly ProjectView[];
  /** What the main agent is at; null before the first message to it. */
  readonly mainAgent: ProjectView | null;
  /** Of the project that is looked at; null: none is. */
  readonly conversation: ConversationView | null;
  /** The plan that the page shows. Null if it shows none, or the plan is gone. */
  readonly plan: PanelPlan | null;
  /** In the order in which they were made: all that are not over, and the newest of the others. */
  readonly tasks: readonly PanelTask[];
  readonly schedules: readonly PanelSchedule[];
  /** Of the task that is looked at; null: none is, or it is gone. */
  readonly task: PanelTaskDetails | null;
}
