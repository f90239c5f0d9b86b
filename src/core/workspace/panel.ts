/** The snapshot that the pages show, a function of the state. */
import type { ApprovalRow } from '../../shared/approval.ts';
import type { SpendRow } from '../../shared/money.ts';
import type { AtWork } from '../../shared/workspace/atWork.ts';
import type { PanelApproval, PanelCard, PanelLook, PanelView } from '../../shared/workspace/panel.ts';
import type { State } from '../../shared/workspace/state.ts';
import { refusalOf } from '../approval/refusals.ts';
import { openQuestions, waitingFor } from '../approval/sameCause.ts';
import { orderedChoices, takesSetup } from '../approval/stewardship.ts';
import { details } from '../job/view/details.ts';
import { cardMaker } from '../job/view/panelCards.ts';
import { jobViews } from '../job/view/panelJobs.ts';
import { planView } from '../job/view/planView.ts';
import { book } from '../money/ledger.ts';
import { atOnce, followed } from '../money/view/followed.ts';
import { type LedgerWithUses, ledgerWithUses } from '../money/view/sessionUses.ts';
import {
  conversationView,
  listAsItRuns,
  type MadeMessages,
  type ProjectList,
  projectMaker,
} from '../project/projectView.ts';
import { offerFor } from '../rule/offers.ts';
import { offerText } from '../rule/ruleWords.ts';
import { taskPanelMaker } from '../task/view/taskPanel.ts';
import { costView } from './costPanel.ts';

interface Frame extends Pick<PanelView, 'banner' | 'mode' | 'agents' | 'folder'> {
  /** If absent, the statuses count. */
  readonly atWork?: AtWork;
}

/** Keeps the last state, so that the next snapshot only costs what changed. */
export interface PanelMaker {
  /** Takes a large ledger in by pieces, with a breath between them, before `view` is asked for. */
  catchUp(state: State): Iterable<unknown>;
  /** `today` as for `costs`; `frame` describes how this window is connected, `look` the page's selection; `nowMs` is wall-clock time. */
  view(state: State, today: string, frame: Frame, look: PanelLook, nowMs: number): PanelView;
}

function approvalView(state: State, row: ApprovalRow): PanelApproval {
  const offer = offerFor(state, row);
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
    ...(takesSetup(row) ? { blocked: true } : {}),
    ...(offer === null ? {} : { offer: offerText(offer) }),
    refusal: refusalOf(state, row),
  };
}

/** Each pending question, so that a job or a card can find its own. A list shows one per cause. */
function approvalViews(state: State): PanelApproval[] {
  return openQuestions(state)
    .flatMap(({ row, others }) => {
      if (others.length === 0) return [approvalView(state, row)];
      const first = { ...approvalView(state, row), waiting: waitingFor(state, row, others) };
      return [first, ...others.map((other) => ({ ...approvalView(state, other), settledBy: row.id }))];
    })
    .sort((a, b) => a.id - b.id);
}

/** Values kept between two views of a state. */
interface Memory {
  readonly state: State;
  readonly ledger: LedgerWithUses;
  readonly follow: (rows: Iterable<SpendRow>) => Generator<undefined>;
  readonly cardsOf: ReturnType<typeof cardMaker>;
  readonly projectsOf: ReturnType<typeof projectMaker>;
  readonly tasksOf: ReturnType<typeof taskPanelMaker>;
  readonly messages: MadeMessages;
  /** Replaced by every event: while it is the same, so is all else. */
  meta: State['meta'] | null;
  cards: readonly PanelCard[];
  /** The day whose spending is shown. */
  today: string;
  list: ProjectList;
}

function memoryOf(state: State): Memory {
  const ledger = ledgerWithUses([], state);
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

const byStatus = ({ jobs }: State): AtWork => ({ works: true, jobs: [...jobs.keys()], turns: [] });

export function panelMaker(): PanelMaker {
  let memory: Memory | null = null;
  const memoryFor = (state: State): Memory => {
    if (memory?.state !== state) memory = memoryOf(state);
    return memory;
  };
  return {
    *catchUp(state) {
      const { follow, ledger } = memoryFor(state);
      yield* follow(state.spends.values());
      yield* ledger.uses.catchUp();
    },
    view: (state, today, { atWork = byStatus(state), ...frame }, look, nowMs) => {
      const { ledger, cards, list, tasksOf, messages } = upToDate(memoryFor(state), today);
      const { featureId, conversation } = look;
      return {
        ...frame,
        approvals: approvalViews(state),
        jobs: jobViews(state, today, ledger, atWork),
        cards,
        details: featureId === null ? null : details(state, ledger, featureId),
        plan: look.plan === null ? null : planView(state, ledger, look.plan),
        ...listAsItRuns(state, list, atWork),
        conversation: conversation === null ? null : conversationView(state, conversation, look.messages, messages),
        ...tasksOf(state, ledger, { look, atWork }, nowMs),
        costs: costView(state, today, ledger, look.costs ? atWork : null),
      };
    },
  };
}
