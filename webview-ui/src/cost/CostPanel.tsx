import { lazy, Suspense } from 'react';
import type { PanelCosts, PanelCostTables, PanelView } from '../../../src/shared/panelView.ts';
import { post } from '../bridge.ts';
import { localTime, usd, visible } from '../format.ts';
import { whyNot } from '../jobs/Job.tsx';
import { Button } from '../ui/Button.tsx';
import { Progress } from '../ui/Progress.tsx';
import { Section } from '../ui/Section.tsx';
import { CostTable } from './CostTable.tsx';

const Chart = lazy(async () => ({ default: (await import('./Chart.tsx')).Chart }));

function Today({ costs }: { readonly costs: PanelCosts }) {
  const { todayUsd, dayLimitUsd, todaySimulatedUsd, total } = costs;
  return (
    <section className="today" aria-label="Today">
      <h2>
        {usd(todayUsd)}
        <span className="muted">{dayLimitUsd === null ? ' today, no limit' : ` of ${usd(dayLimitUsd)} today`}</span>
      </h2>
      {dayLimitUsd === null || dayLimitUsd === 0 ? null : (
        <Progress
          label="Spent of today's limit"
          value={todayUsd}
          max={dayLimitUsd}
          over={todayUsd >= dayLimitUsd * 0.9}
        />
      )}
      <p className="job-facts">
        <span>{usd(total.settledUsd)} settled in all</span>
        <span>{usd(total.reservedUsd)} reserved</span>
        <span>{usd(total.unsettledUsd)} unsettled</span>
        {todaySimulatedUsd === 0 ? null : <span>{usd(todaySimulatedUsd)} simulated today</span>}
      </p>
      <Button secondary label="Set Daily Limit…" onPress={() => post({ kind: 'setDailyLimit' })} />
    </section>
  );
}

function Waiting({ jobs }: Pick<PanelView, 'jobs'>) {
  const waiting = jobs.filter((job) => job.status === 'waiting' || job.status === 'paused');
  if (waiting.length === 0) return null;
  return (
    <ul className="plain" aria-label="Jobs that wait">
      {waiting.map((job) => (
        <li key={job.id} className="callout">
          <strong>{visible(job.title)}</strong> {job.status === 'waiting' ? 'waits' : 'is paused'}
          {whyNot(job) === '' ? '' : `: ${whyNot(job)}`}
        </li>
      ))}
    </ul>
  );
}

function SeriesTable({ series }: Pick<PanelCostTables, 'series'>) {
  return (
    <details>
      <summary>The chart as a table</summary>
      <table className="costs">
        <caption className="unseen">Cost over time</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">In all</th>
          </tr>
        </thead>
        <tbody>
          {series.map(([at, amount], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: points are in order and several may share a second
            <tr key={index}>
              <td>{localTime(new Date(at * 1000).toISOString())}</td>
              <td>{usd(amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function Tables({ tables }: { readonly tables: PanelCostTables }) {
  const { series } = tables;
  const titled = [
    ['By job', tables.byJob],
    ['By phase', tables.byPhase],
    ['By feature', tables.byFeature],
    ['By attempt', tables.byAttempt],
    ['By role', tables.byRole],
    ['By model', tables.byModel],
  ] as const;
  return (
    <>
      {series.length < 2 ? null : (
        <section aria-label="Cost over time">
          <Suspense fallback={<p className="muted">Drawing…</p>}>
            <Chart series={series} />
          </Suspense>
          <SeriesTable series={series} />
        </section>
      )}
      {titled.map(([title, lines]) => (
        <Section key={title} title={title} count={lines.length} open={title === 'By job' || title === 'By model'}>
          <CostTable title={title} lines={lines} />
        </Section>
      ))}
    </>
  );
}

export function CostPanel({ view }: { readonly view: PanelView }) {
  const { costs } = view;
  return (
    <div className="cost-panel">
      <Today costs={costs} />
      <Waiting jobs={view.jobs} />
      {costs.tables === null ? <p className="muted">Loading…</p> : <Tables tables={costs.tables} />}
    </div>
  );
}
