/** Draws the timeline of a job that has ended: a row for each feature, with its work and its waits. Each row states them in words too. */
import {
  kindsIn,
  msOf,
  SPAN_KINDS,
  type Timeline,
  type TimelineRow,
  type TimelineSpan,
} from '../../../../src/shared/job/timeline.ts';
import { t } from '../../store/l10n.ts';
import { duration, localTime, visible } from '../../ui/text/format.ts';

type Kind = TimelineSpan['kind'];

const KINDS: Readonly<Record<Kind, string>> = {
  work: t('Work'),
  queue: t('In the merge queue'),
  asked: t('Waits for your answer'),
  rest: t('Paused or interrupted'),
};

const percentOf = (part: number): string => `${(part * 100).toFixed(3)}%`;

function rowTitle({ of, name }: TimelineRow): string {
  if (of === 'planner') return t('Plan');
  if (of === 'steward') return t('Questions to you');
  return of === 'reviewer' ? t('Review of {0}', visible(name)) : visible(name);
}

function lanesText({ lanes }: TimelineRow): string | null {
  return lanes.length === 0 ? null : lanes.map((lane) => t('Lane {0}', lane)).join(', ');
}

/** e.g. `Work 4m 10s, In the merge queue 3s` */
function sums({ spans }: TimelineRow): string {
  const parts = SPAN_KINDS.flatMap((kind) => {
    const ms = spans.filter((span) => span.kind === kind).reduce((sum, span) => sum + msOf(span), 0);
    return ms === 0 ? [] : [`${KINDS[kind]} ${duration(ms)}`];
  });
  return parts.join(', ');
}

function Row({ row }: { readonly row: TimelineRow }) {
  const lanes = lanesText(row);
  return (
    <li className="timeline-row">
      <span className="timeline-name" title={rowTitle(row)}>
        <span className="one-line">{rowTitle(row)}</span>
        {lanes === null ? null : <span className="muted timeline-fact">{lanes}</span>}
        {row.returns === 0 ? null : <span className="muted timeline-fact">{t('Returned {0} ×', row.returns)}</span>}
        {row.isCompleted === false ? <span className="bad timeline-fact">{t('Not completed')}</span> : null}
      </span>
      <span className="timeline-track" aria-hidden="true">
        {row.spans.map((span) => (
          <span
            key={`${span.kind} ${span.from}`}
            className={`timeline-span timeline-${span.kind}`}
            style={{ left: percentOf(span.left), width: percentOf(span.width) }}
            title={t(
              '{0}: {1} to {2} ({3})',
              KINDS[span.kind],
              localTime(span.from),
              localTime(span.to),
              duration(msOf(span)),
            )}
          />
        ))}
      </span>
      <span className="unseen">{sums(row)}</span>
    </li>
  );
}

function Breaks({ breaks }: Pick<Timeline, 'breaks'>) {
  if (breaks.length === 0) return null;
  return (
    <li className="timeline-row">
      <span className="timeline-name muted">{t('Shortened')}</span>
      <span className="timeline-track">
        {breaks.map((one) => (
          <span
            key={one.from}
            className="timeline-break"
            style={{ left: percentOf(one.left), width: percentOf(one.width) }}
            title={t('Nothing worked from {0} to {1}', localTime(one.from), localTime(one.to))}
          >
            {duration(msOf(one)).split(' ')[0]}
          </span>
        ))}
      </span>
    </li>
  );
}

export function TimelineChart({ timeline }: { readonly timeline: Timeline }) {
  const { from, to, rows, breaks } = timeline;
  return (
    <section className="timeline" aria-label={t('Timeline')}>
      <h3>{t('Timeline')}</h3>
      <p className="muted">{t('{0} to {1} ({2})', localTime(from), localTime(to), duration(msOf(timeline)))}</p>
      <ol>
        {rows.map((row) => (
          <Row key={`${row.of} ${row.name}`} row={row} />
        ))}
        <Breaks breaks={breaks} />
      </ol>
      <p className="timeline-legend">
        {kindsIn(timeline).map((kind) => (
          <span key={kind}>
            <span className={`timeline-sample timeline-${kind}`} aria-hidden="true" />
            {KINDS[kind]}
          </span>
        ))}
      </p>
    </section>
  );
}
