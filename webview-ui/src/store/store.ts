/** The newest snapshot, the live lines, and the page's own state. State is replaced whole, never patched. */

import { create } from 'zustand';
import type { LiveLine } from '../../../src/shared/live.ts';
import type { ToPage } from '../../../src/shared/workspace/pageProtocol.ts';
import type { PanelCard, PanelLook, PanelView } from '../../../src/shared/workspace/panel.ts';
import { type Snapshot, snapshotUnpacker } from '../../../src/shared/workspace/snapshot.ts';
import { post, savedState, saveState } from './bridge.ts';
import { settledDrafts, unsent } from './drafts.ts';
import { chosenIn, filtered, ofProject } from './shown.ts';
import { MESSAGES, readUiState, type UiState, UNFILTERED } from './uiState.ts';

interface PageState {
  readonly revision: number;
  /** null until the first snapshot. */
  readonly view: PanelView | null;
  /** The last line of each feature at work. */
  readonly live: ReadonlyMap<number, LiveLine>;
  /** The last line of each session that works on no feature. */
  readonly said: ReadonlyMap<number, LiveLine>;
  readonly ui: UiState;
  /** The feature that an agent is chosen for; a new object for each request. */
  readonly choosing: { readonly featureId: number } | null;
  /** The question that the reader asked to see, until the list of questions shows it. */
  readonly ledTo: number | null;
}

/** Maximum number of sessions whose last line is kept. */
const MOST_SAID = 100;

export const usePage = create<PageState>(() => ({
  revision: -1,
  view: null,
  live: new Map(),
  said: new Map(),
  ui: readUiState(savedState()),
  choosing: null,
  ledTo: null,
}));

function lookOf({ selected, tab, talk, messages, ...ui }: UiState): PanelLook {
  const conversation = tab === 'conversations' ? talk : null;
  const task = tab === 'tasks' ? ui.task : null;
  return {
    featureId: selected,
    costs: tab === 'costs',
    conversation,
    messages: conversation === null ? 0 : messages,
    plan: tab === 'board' ? ui.plan : null,
    task,
    step: task === null ? null : ui.step,
  };
}

/** Posts the shown parts to the host, so that its snapshots include their details. */
export function postLook(ui: UiState = usePage.getState().ui): void {
  post({ kind: 'look', ...lookOf(ui) });
}

/** Changes the page's own state, and keeps it over a reload. */
export function look(change: Partial<UiState>): void {
  const before = usePage.getState().ui;
  const another = change.talk !== undefined && change.talk !== before.talk;
  const left = change.task !== undefined && change.task !== before.task;
  // A plan replaces the board until the reader navigates elsewhere.
  const leaves = change.plan === undefined && (change.tab !== undefined || change.selected != null);
  const ui = {
    ...before,
    ...(leaves ? { plan: null } : {}),
    ...(another ? { messages: MESSAGES } : {}),
    ...(left ? { step: null } : {}),
    ...change,
  };
  usePage.setState({ ui });
  saveState(ui);
  const [was, is] = [lookOf(before), lookOf(ui)];
  if ((Object.keys(is) as (keyof PanelLook)[]).some((name) => was[name] !== is[name])) postLook(ui);
}

/** The page state that shows a feature. The filter is kept only if it includes the card. */
function lookAtFeature(featureId: number): Partial<UiState> {
  const { view, ui } = usePage.getState();
  const cards =
    view === null ? [] : filtered(ofProject(view, ui.projectId).cards, { ...ui, jobId: chosenIn(view, ui.jobId) });
  const shows = cards.some(({ id }) => id === featureId);
  return { ...(shows ? {} : { ...UNFILTERED, projectId: '' }), tab: 'board', selected: featureId };
}

/** Shows the details of a feature on the board. */
export function showFeature(featureId: number): void {
  look(lookAtFeature(featureId));
}

function runningOnly(live: ReadonlyMap<number, LiveLine>, cards: readonly PanelCard[]): ReadonlyMap<number, LiveLine> {
  if (live.size === 0) return live;
  const running = new Set(cards.filter((card) => card.lane === 'in_progress').map((card) => card.id));
  return new Map([...live].filter(([id]) => running.has(id)));
}

const unpack = snapshotUnpacker();

function show({ revision, view }: Snapshot): void {
  const before = usePage.getState();
  if (revision < before.revision) return;
  usePage.setState({ revision, view, live: runningOnly(before.live, view.cards) });
  const drafts = settledDrafts(before.ui.drafts, view.conversation);
  if (drafts !== before.ui.drafts) look({ drafts });
}

function hear(lines: readonly LiveLine[]): void {
  const live = new Map(usePage.getState().live);
  const said = new Map(usePage.getState().said);
  for (const line of lines) {
    if (line.featureId !== null) live.set(line.featureId, line);
    else if (line.sessionId !== null) said.set(line.sessionId, line);
  }
  usePage.setState({ live, said: new Map([...said].slice(-MOST_SAID)) });
}

/** Confirms a navigation to the host. Without it, a reloaded page is navigated again. */
function led(to: Partial<UiState>): void {
  look(to);
  post({ kind: 'led' });
}

/** Handles a message of the host. A snapshot older than the shown one is dropped. */
export function receive(message: ToPage): void {
  switch (message.kind) {
    case 'part':
    case 'snapshot': {
      const snapshot = unpack(message);
      if (snapshot === 'lost') post({ kind: 'ready' });
      else if (snapshot !== null) show(snapshot);
      return;
    }
    case 'live':
      hear(message.lines);
      return;
    case 'focus':
      led(lookAtFeature(message.featureId));
      return;
    case 'job':
      // Nothing that was chosen before may hide the job.
      led({ ...UNFILTERED, tab: 'board', projectId: '', selected: null, jobId: message.jobId });
      return;
    case 'plan':
      led({ tab: 'board', selected: null, plan: message.jobId });
      return;
    case 'board':
      led({ plan: null });
      return;
    case 'talk':
      led({ tab: 'conversations', talk: message.project });
      return;
    case 'task':
      led({ tab: 'tasks', task: message.taskId });
      return;
    case 'unsent':
      look({ drafts: unsent(usePage.getState().ui.drafts, message.project) });
  }
}
