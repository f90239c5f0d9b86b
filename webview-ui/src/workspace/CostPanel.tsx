/** The tab of costs: amounts, chart and tables. */
import type { CacheLine } from '../../../src/shared/money.ts';
import type { PanelCosts, PanelCostTables, PanelView } from '../../../src/shared/workspace/panel.ts';
import { shownStatus, whyNot } from '../job/jobFacts.ts';
import { CacheTable } from '../money/CacheTable.tsx';
import { Chart } from '../money/Chart.tsx';
import { CostTable } from '../money/CostTable.tsx';
import { ExecutorTable } from '../money/ExecutorTable.tsx';
import { SeriesTable } from '../money/SeriesTable.tsx';
import { SessionTable } from '../money/SessionTable.tsx';
import { UseTable } from '../money/UseTable.tsx';
import { post } from '../store/bridge.ts';
import { plural, t } from '../store/l10n.ts';
import { Button, Link } from '../ui/Button.tsx';
import { Progress } from '../ui/Progress.tsx';
import { Section } from '../ui/Section.tsx';
import { count, usd, visible } from '../ui/text/format.ts';
import { jobLabel, roleLabel } from '../ui/text/labels.ts';

const NEARLY = 0.9;

function Sums({ costs }: { readonly costs: PanelCosts }) {
  const { todayUsd, todaySimulatedUsd, total } = costs;
  const tokens = total.inputTokens + total.outputTokens + total.cacheReadTokens + total.cacheWriteTokens;
  const facts = [
    t('{0} settled in all', usd(total.settledUsd)),
    t('{0} reserved', usd(total.reservedUsd)),
    ...(total.unsettledUsd === 0 ? [] : [t('{0} unsettled', usd(total.unsettledUsd))]),
    ...(todaySimulatedUsd === 0 || todayUsd === 0 ? [] : [t('{0} simulated today', usd(todaySimulatedUsd))]),
  ];
  return (
    <>
      <p className="job-facts">
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
      {total.unpricedCalls === 0 ? null : (
        <p className="muted">
          {plural(
            total.unpricedCalls,
            {
              one: '{0} call of {1} is not priced: its provider names no price. {2} tokens in all.',
              other: '{0} calls of {1} are not priced: their provider names no price. {2} tokens in all.',
            },
            total.calls,
            count(tokens),
          )}
        </p>
      )}
    </>
  );
}

function Today({ costs }: { readonly costs: PanelCosts }) {
  const { todayUsd, todayOpenUsd, todaySimulatedUsd, dayLimitUsd } = costs;
  const settled = Math.max(0, todayUsd - todayOpenUsd);
  const onlySimulated = todayUsd === 0 && todaySimulatedUsd > 0;
  return (
    <section className="today" aria-label={t('Today')}>
      <h2>
        {usd(onlySimulated ? todaySimulatedUsd : settled)}{' '}
        <span className="muted">
          {onlySimulated
            ? t('simulated today: no real money')
            : dayLimitUsd === null
              ? t('today, no limit')
              : t('of {0} today', usd(dayLimitUsd))}
        </span>
      </h2>
      {dayLimitUsd === null || dayLimitUsd === 0 ? null : (
        <>
          <Progress
            label={t("Spent of today's limit")}
            says={t('{0} of {1}', usd(settled), usd(dayLimitUsd))}
            value={settled}
            maybe={todayOpenUsd}
            max={dayLimitUsd}
            over={todayUsd >= dayLimitUsd * NEARLY}
          />
          {todayOpenUsd === 0 ? null : (
            <p className="legend">
              <span className="key sure">{t('settled')}</span>
              <span className="key maybe">{t('{0} reserved or unsettled', usd(todayOpenUsd))}</span>
            </p>
          )}
        </>
      )}
      <Sums costs={costs} />
      <Button secondary label={t('Set Daily Limit…')} onPress={() => post({ kind: 'setDailyLimit' })} />
    </section>
  );
}

function Waiting({ jobs }: Pick<PanelView, 'jobs'>) {
  const waiting = jobs.filter((job) => shownStatus(job) === 'waiting' || job.status === 'paused');
  if (waiting.length === 0) return null;
  return (
    <ul className="plain" aria-label={t('Waiting jobs')}>
      {waiting.map((job) => (
        <li key={job.id} className="callout">
          <strong>{visible(job.title)}</strong>: {whyNot(job) === '' ? jobLabel(shownStatus(job)) : whyNot(job)}{' '}
          {job.waitsForDay ? (
            <Link
              label={t('Set Daily Limit…')}
              describes={visible(job.title)}
              onPress={() => post({ kind: 'setDailyLimit' })}
            />
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function CacheSections({ tables }: { readonly tables: PanelCostTables }) {
  const { cache } = tables;
  const sessions = tables.sessions.flatMap(({ cache: amounts, ...session }) => {
    if (amounts === null) return [];
    const role = `${roleLabel(session.role)} ${session.id}`;
    const label = session.featureName === null ? role : `${role}: ${visible(session.featureName)}`;
    return [{ key: String(session.id), label, ...amounts }];
  });
  const titled = [
    [t('Cache by job'), t('Job'), cache.byJob, ({ label }: CacheLine) => visible(label)],
    [t('Cache by role'), t('Role'), cache.byRole, ({ label }: CacheLine) => roleLabel(label)],
    [t('Cache by session'), t('Session'), sessions, ({ label }: CacheLine) => label],
  ] as const;
  return titled.map(([title, of, lines, labelOf]) => (
    <Section key={title} title={title} count={lines.length} open={false}>
      <CacheTable title={title} of={of} lines={lines} labelOf={labelOf} />
    </Section>
  ));
}

function Tables({ tables }: { readonly tables: PanelCostTables }) {
  const { series, sessions } = tables;
  const titled = [
    [t('By project'), t('Project'), tables.byProject, false],
    [t('By job'), t('Job'), tables.byJob, true],
    [t('By phase'), t('Phase'), tables.byPhase, false],
    [t('By feature'), t('Feature'), tables.byFeature, false],
    [t('By attempt'), t('Attempt'), tables.byAttempt, false],
    [t('By role'), t('Role'), tables.byRole, false],
    [t('By model'), t('Model'), tables.byModel, true],
  ] as const;
  return (
    <>
      {series.points.length < 2 ? null : (
        <section aria-label={t('Cost over time')}>
          <Chart series={series} />
          <SeriesTable series={series} />
        </section>
      )}
      <div>
        <Section title={t('Where the money goes')}>
          <UseTable amounts={tables.cache.total} />
        </Section>
        {titled
          .filter(([, , lines]) => lines !== tables.byProject || lines.length > 1)
          .map(([title, of, lines, open]) => (
            <Section key={title} title={title} count={lines.length} open={open}>
              <CostTable title={title} of={of} lines={lines} roles={lines === tables.byRole} />
            </Section>
          ))}
        <CacheSections tables={tables} />
        <Section title={t('Executors')} count={tables.executors.length} open={false}>
          <ExecutorTable lines={tables.executors} />
        </Section>
        <Section title={t('Sessions')} count={sessions.length} open={false}>
          <SessionTable sessions={sessions} />
        </Section>
      </div>
    </>
  );
}

export function CostPanel({ view }: { readonly view: PanelView }) {
  const { costs } = view;
  return (
    <div className="cost-panel">
      <Today costs={costs} />
      <Waiting jobs={view.jobs} />
      {costs.tables === null ? (
        <p className="muted" role="status">
          {t('Loading…')}
        </p>
      ) : (
        <Tables tables={costs.tables} />
      )}
    </div>
  );
}
