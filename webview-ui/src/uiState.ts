/** What the page remembers by itself: where one looks, never what is. */

export const TABS = ['board', 'costs'] as const;
export const GROUPINGS = ['none', 'phase', 'category'] as const;

export interface UiState {
  readonly tab: (typeof TABS)[number];
  readonly groupBy: (typeof GROUPINGS)[number];
  readonly query: string;
  /** Empty: every job. */
  readonly jobId: string;
  /** Empty: every category. */
  readonly category: string;
  /** The card whose details are shown. */
  readonly selected: number | null;
}

export const FRESH: UiState = { tab: 'board', groupBy: 'none', query: '', jobId: '', category: '', selected: null };

const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 500) : '');

/** Reads a saved state of any shape; what does not fit is as if fresh. */
export function readUiState(value: unknown): UiState {
  if (value === null || typeof value !== 'object') return FRESH;
  const saved = value as Record<keyof UiState, unknown>;
  return {
    tab: TABS.find((tab) => tab === saved.tab) ?? FRESH.tab,
    groupBy: GROUPINGS.find((grouping) => grouping === saved.groupBy) ?? FRESH.groupBy,
    query: text(saved.query),
    jobId: text(saved.jobId),
    category: text(saved.category),
    selected: Number.isSafeInteger(saved.selected) ? (saved.selected as number) : null,
  };
}
