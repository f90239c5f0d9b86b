/** The snapshot that the pages show, a function of the state. */
import type { ApprovalRow } from '../../shared/approvals.ts';
import type { SpendRow } from '../../shared/money.ts';
import type { PanelApproval, PanelCard, PanelLook, PanelView } from '../../shared/panelView.ts';
import type { State } from '../../shared/state.ts';
import { refusalOf } from '../refusals.ts';
import { orderedChoices, pendingApprovals } from '../stewardship.ts';
import { costView } from './costPanel.ts';
import { details } from './details.ts';
import { atOnce, followed } from './followed.ts';
import { book, emptyLedger, type Ledger } from './ledger.ts';
import { cardMaker } from './panelCards.ts';
import { jobViews } from './panelJobs.ts';
import { planView } from './planView.ts';
import { conversationView, type MadeMessages, type ProjectList, projectMaker } from './projects.ts';
import { taskPanelMaker } from './taskPanel.ts';

type Frame = Pick<PanelView, 'banner' | 'mode' | 'agents' | 'folder'>;

/** It remembers the state that it saw last, so that the next snapshot costs what has changed. */
export interface PanelMaker {
  /** Takes a large ledger in by pieces, with a breath between them, before `view` is asked for. */
  catchUp(state: State): Iterable<unknown>;
  /** `today` as for `costs`; `frame` says how this window is connected, `look` what its page shows; `nowMs` is of the wall clock. */
  view(state: State, today: string, frame: Frame, look: PanelLook, nowMs: number): PanelView;
}

function approvalView(state: State, row: ApprovalRow): PanelApproval {
  return {
    id: row.id,
    kind: row.kind,
    question: row.question,
    detail: row.detail,
    choices: orderedChoices(state, row),
    executables: row.executables,
    jobId: row.job_id,
    projectId: row.project_id,
    featureId: row.feature_id,
    taskId: row.task_id,
    requestedAt: row.requested_at,
    reviewable: row.commit !== null,
    refusal: refusalOf(row),
  };
}

/** What is kept between two looks at one state. */
interface Memory {
  readonly state: State;
  readonly ledger: Ledger;
  readonly follow: (rows: Iterable<SpendRow>) => Generator<undefined>;
  readonly cardsOf: ReturnType<typeof cardMaker>;
  readonly projectsOf: ReturnType<typeof projectMaker>;
  readonly tasksOf: ReturnType<typeof taskPanelMaker>;
  readonly messages: MadeMessages;
  /** Replaced by every event: while it is the same, so is all else. */
  meta: State['meta'] | null;
  cards: readonly PanelCard[];
  /** Of that day, whose spending it tells. */
  today: string;
  list: ProjectList;
}

function memoryOf(state: State): Memory {
  const ledger = emptyLedger();
  const follow = followed<SpendRow>((row, sign) => book(ledger, row, sign));
  const list: ProjectList = { projects: [], mainAgent: null };
  const makers = {
    cardsOf: cardMaker(),
    projectsOf: projectMaker(),
    tasksOf: taskPanelMaker(),
    messages: new WeakMap(),
  };
  return { state, ledger, follow, ...makers, meta: null, cards: [], today: '', list };
}

function upToDate(memory: Memory, today: string): Memory {
  const { state } = memory;
  if (memory.meta === state.meta && memory.today === today) return memory;
  atOnce(memory.follow(state.spends.values()));
  if (memory.meta !== state.meta) memory.cards = memory.cardsOf(state, memory.ledger);
  memory.list = memory.projectsOf(state, today, memory.ledger);
  memory.meta = state.meta;
  memory.today = today;
  return memory;
}

export function panelMaker(): PanelMaker {
  let memory: Memory | null = null;
  const memoryFor = (state: State): Memory => {
    if (memory?.state !== state) memory = memoryOf(state);
    return memory;
  };
  return {
    catchUp: (state) => memoryFor(state).follow(state.spends.values()),
    view: (state, today, frame, look, nowMs) => {
      const { ledger, cards, list, tasksOf, messages } = upToDate(memoryFor(state), today);
      const { featureId, conversation } = look;
      return {
        ...frame,
        approvals: pendingApprovals(state).map((row) => approvalView(state, row)),
        jobs: jobViews(state, today, ledger),
        cards,
        details: featureId === null ? null : details(state, ledger, featureId),
        plan: look.plan === null ? null : planView(state, ledger, look.plan),
        ...list,
        conversation: conversation === null ? null : conversationView(state, conversation, look.messages, messages),
        ...tasksOf(state, ledger, look, nowMs),
        costs: costView(state, today, ledger, look.costs),
      };
    },
  };
}
