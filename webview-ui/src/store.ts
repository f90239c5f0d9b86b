/** The newest snapshot, the live lines, and where one looks. State is replaced whole, never patched. */
import { create } from 'zustand';
import type { LiveLine } from '../../src/shared/live.ts';
import type { PanelCard, PanelView } from '../../src/shared/panelView.ts';
import { type Snapshot, snapshotUnpacker } from '../../src/shared/snapshot.ts';
import type { ToPage } from '../../src/shared/webviewProtocol.ts';
import { post, savedState, saveState } from './bridge.ts';
import { readUiState, type UiState } from './uiState.ts';

interface PageState {
  readonly revision: number;
  /** null until the first snapshot. */
  readonly view: PanelView | null;
  /** The last line of each feature at work. */
  readonly live: ReadonlyMap<number, LiveLine>;
  readonly ui: UiState;
}

export const usePage = create<PageState>(() => ({
  revision: -1,
  view: null,
  live: new Map(),
  ui: readUiState(savedState()),
}));

/** Tells the host where one looks, so that its snapshots bring what is seen there. */
export function tellLook({ selected, tab }: UiState = usePage.getState().ui): void {
  post({ kind: 'look', featureId: selected, costs: tab === 'costs' });
}

/** Changes where one looks, and remembers it over a reload of the page. */
export function look(change: Partial<UiState>): void {
  const before = usePage.getState().ui;
  const ui = { ...before, ...change };
  usePage.setState({ ui });
  saveState(ui);
  if (ui.selected !== before.selected || ui.tab !== before.tab) tellLook(ui);
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
}

/** Takes a message of the host. A snapshot older than the one shown is dropped. */
export function receive(message: ToPage): void {
  switch (message.kind) {
    case 'cards':
    case 'snapshot': {
      const snapshot = unpack(message);
      if (snapshot === 'lost') post({ kind: 'ready' });
      else if (snapshot !== null) show(snapshot);
      return;
    }
    case 'live': {
      const live = new Map(usePage.getState().live);
      for (const line of message.lines) if (line.featureId !== null) live.set(line.featureId, line);
      usePage.setState({ live });
      return;
    }
    case 'focus':
      look({ tab: 'board', selected: message.featureId });
  }
}
