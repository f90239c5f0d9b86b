/** The timeline of a job that has ended, as every surface shows it. Times are ISO texts. */

export const SPAN_KINDS = ['work', 'queue', 'asked', 'rest'] as const;

export interface TimelineSpan {
  /** `queue`: in the merge queue. `asked`: waits for an answer of the steward. `rest`: paused, interrupted, or without a free lane. */
  readonly kind: (typeof SPAN_KINDS)[number];
  readonly from: string;
  readonly to: string;
  /** Start and length on the axis, 0 to 1. */
  readonly left: number;
  readonly width: number;
}

export interface TimelineRow {
  readonly of: 'planner' | 'feature' | 'reviewer' | 'steward';
  /** Name of the feature, or title of the reviewed phase. Empty for others. */
  readonly name: string;
  /** Lanes of the attempts, from 1. Empty if the job had one lane, and for others than features. */
  readonly lanes: readonly number[];
  /** Returns by the merge queue. */
  readonly returns: number;
  /** Null for others than features. */
  readonly isCompleted: boolean | null;
  /** In the order of time. They do not overlap. */
  readonly spans: readonly TimelineSpan[];
}

export interface Timeline {
  readonly from: string;
  readonly to: string;
  readonly rows: readonly TimelineRow[];
  /** Times in which nothing worked. The axis is shortened there. */
  readonly breaks: readonly Omit<TimelineSpan, 'kind'>[];
}

export const msOf = ({ from, to }: Pick<TimelineSpan, 'from' | 'to'>): number => Date.parse(to) - Date.parse(from);

/** The kinds of spans that the timeline has, for its legend. */
export function kindsIn({ rows }: Pick<Timeline, 'rows'>): readonly TimelineSpan['kind'][] {
  const used = new Set(rows.flatMap(({ spans }) => spans.map(({ kind }) => kind)));
  return SPAN_KINDS.filter((kind) => used.has(kind));
}
