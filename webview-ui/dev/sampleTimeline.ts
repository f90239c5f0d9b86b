/** The timeline of the sample's completed job: two lanes, a return from the merge queue, and a night. */
import { axisOf } from '../../src/core/job/view/timeAxis.ts';
import type { Timeline, TimelineRow, TimelineSpan } from '../../src/shared/job/timeline.ts';

const START = Date.parse('2026-11-02T20:00:00.000Z');
const at = (minutes: number): string => new Date(START + minutes * 60_000).toISOString();

type Span = Pick<TimelineSpan, 'kind' | 'from' | 'to'>;
const span = (kind: TimelineSpan['kind'], from: number, to: number): Span => ({ kind, from: at(from), to: at(to) });

type Row = Omit<TimelineRow, 'spans'> & { readonly spans: readonly Span[] };

const of = (who: TimelineRow['of'], name: string, spans: readonly Span[]): Row => ({
  of: who,
  name,
  lanes: [],
  returns: 0,
  isCompleted: null,
  spans,
});

const feature = (name: string, lane: number, spans: readonly Span[], isCompleted = true): Row => ({
  ...of('feature', name, spans),
  lanes: [lane],
  returns: spans.filter(({ kind }) => kind === 'rest').length,
  isCompleted,
});

const ROWS: readonly Row[] = [
  of('planner', '', [span('work', 0, 4)]),
  feature('Parse the configuration file', 1, [span('work', 6, 21)]),
  feature('Read the stack from standard input', 2, [
    span('work', 7, 25),
    span('queue', 25, 26),
    span('rest', 26, 27),
    span('work', 27, 31),
  ]),
  feature('Reject unknown keys with a message that names the nearest known one', 1, [
    span('work', 21, 28),
    span('asked', 28, 540),
    span('work', 540, 551),
  ]),
  feature('Print results as JSON', 2, [span('work', 31, 44), span('queue', 44, 45)], false),
  of('reviewer', 'Foundations', [span('work', 551, 556)]),
  of('steward', '', [span('asked', 4, 6), span('asked', 557, 575)]),
];

export function sampleTimeline(): Timeline {
  const [from, to] = [at(0), at(576)];
  const busy = ROWS.flatMap(({ spans }) => spans).filter(({ kind }) => kind === 'work' || kind === 'queue');
  const { place, breaks } = axisOf(from, to, busy);
  const placed = (row: Row): TimelineRow => ({ ...row, spans: row.spans.map((one) => ({ ...one, ...place(one) })) });
  return { from, to, rows: ROWS.map(placed), breaks };
}
