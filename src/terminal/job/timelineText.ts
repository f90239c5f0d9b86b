/** The timeline of a job that has ended, drawn with characters. */
import { kindsIn, msOf, type Timeline, type TimelineRow, type TimelineSpan } from '../../shared/job/timeline.ts';
import { duration } from '../text/format.ts';
import { visibleLine } from '../text/visible.ts';
import { displayWidth, padEnd, truncate, wrap } from '../text/width.ts';

type Kind = TimelineSpan['kind'];

/** They differ without colors. */
const MARKS: Readonly<Record<Kind, string>> = { work: '#', queue: '=', asked: '?', rest: '.' };

const KINDS: Readonly<Record<Kind, string>> = {
  work: 'work',
  queue: 'in the merge queue',
  asked: 'waits for you',
  rest: 'paused or interrupted',
};

const BREAK = '/';
const INDENT = '  ';
const GAP = '  ';
/** Columns of the names at most, and of the bars at least and at most. */
const MOST_NAME = 40;
const LEAST_BAR = 16;
const MOST_BAR = 72;

/** Lines of at most `width` columns, if the width has room for a bar. */
export function timelineText(timeline: Timeline, width: number): string[] {
  const { rows, breaks } = timeline;
  const names = rows.map(nameOf);
  const longest = Math.max(...names.map(displayWidth));
  const nameWidth = Math.min(longest, MOST_NAME, Math.max(8, width - LEAST_BAR - INDENT.length - GAP.length));
  const barWidth = Math.min(MOST_BAR, Math.max(LEAST_BAR, width - nameWidth - INDENT.length - GAP.length));
  const marks = kindsIn(timeline).map((kind) => `${MARKS[kind]} ${KINDS[kind]}`);
  const shortened = breaks.map((one) => duration(msOf(one)));
  return [
    ...wrap(`Timeline  ${duration(msOf(timeline))}: ${marks.join(', ')}`, width).split('\n'),
    ...rows.map((row, index) => {
      const name = padEnd(truncate(names[index] ?? '', nameWidth), nameWidth);
      return `${INDENT}${name}${GAP}${bar(row, breaks, barWidth)}`.trimEnd();
    }),
    ...(shortened.length === 0
      ? []
      : wrap(`${INDENT}${BREAK} nothing worked, shortened: ${shortened.join(', ')}`, width).split('\n')),
  ];
}

function nameOf({ of, name, lanes, returns, isCompleted }: TimelineRow): string {
  if (of === 'planner') return 'Plan';
  if (of === 'steward') return 'Questions to you';
  if (of === 'reviewer') return `Review of ${visibleLine(name)}`;
  const facts = [
    ...(lanes.length === 0 ? [] : [`lane ${lanes.join(', ')}`]),
    ...(returns === 0 ? [] : [`returned ${returns} ×`]),
    ...(isCompleted === false ? ['not completed'] : []),
  ];
  return facts.length === 0 ? visibleLine(name) : `${visibleLine(name)} (${facts.join('; ')})`;
}

/** A span has at least one column. Where several share one, the last counts. */
function bar(row: TimelineRow, breaks: Timeline['breaks'], width: number): string {
  const cells: string[] = Array.from({ length: width }, () => ' ');
  const fill = ({ left, width: part }: Pick<TimelineSpan, 'left' | 'width'>, mark: string): void => {
    const first = Math.min(width - 1, Math.floor(left * width));
    const end = Math.max(first + 1, Math.min(width, Math.round((left + part) * width)));
    cells.fill(mark, first, end);
  };
  for (const one of breaks) fill(one, BREAK);
  for (const span of row.spans) fill(span, MARKS[span.kind]);
  return cells.join('');
}
