/** A plan as a page: its phases and features, what it may cost, and the answers to its question. */
import { type ReactNode, useEffect, useRef } from 'react';
import type { PanelPlan, PanelPlanFeature, PanelPlanPhase } from '../../../../src/shared/job/planView.ts';
import type { PanelView } from '../../../../src/shared/workspace/panel.ts';
import { post } from '../../store/bridge.ts';
import { t } from '../../store/l10n.ts';
import { look, usePage } from '../../store/store.ts';
import { Button, Link } from '../../ui/Button.tsx';
import { localTime, usd, visible } from '../../ui/text/format.ts';
import { useNarrow } from '../../ui/use/useNarrow.ts';
import { Dependencies, featurePlace, goToFeature } from './Dependencies.tsx';
import { estimateText, featuresOf, sizeOf } from './planFacts.ts';
import { TimelineChart } from './TimelineChart.tsx';

interface Of {
  readonly plan: PanelPlan;
}

interface TextsProps {
  readonly title: string;
  readonly texts: readonly string[];
  readonly code?: boolean;
}

function Items({ texts, code = false }: Omit<TextsProps, 'title'>) {
  return (
    <ul>
      {texts.map((text) => (
        <li key={text}>{code ? <code>{visible(text)}</code> : visible(text)}</li>
      ))}
    </ul>
  );
}

function Texts({ title, ...items }: TextsProps) {
  if (items.texts.length === 0) return null;
  return (
    <div className="plan-texts">
      <h5>{title}</h5>
      <Items {...items} />
    </div>
  );
}

interface FeatureProps {
  readonly feature: PanelPlanFeature;
  readonly numbers: ReadonlyMap<string, number>;
}

function Feature({ feature, numbers }: FeatureProps) {
  const { number, name, category, description, testingSteps, verify, dependsOn, paths } = feature;
  return (
    <article className="plan-feature" id={featurePlace(number)} tabIndex={-1} aria-label={visible(name)}>
      <h4>
        {number}. {visible(name)} <span className="tag">{visible(category)}</span>
      </h4>
      {dependsOn.length === 0 ? null : (
        <p className="plan-after">
          {t('Depends on:')}{' '}
          {dependsOn.map((other) => (
            <Link key={other} label={visible(other)} onPress={() => goToFeature(numbers.get(other) ?? 0)} />
          ))}
        </p>
      )}
      <p className="prose">{visible(description)}</p>
      <Texts title={t('Testing steps')} texts={testingSteps} />
      <Texts title={t('Checked by')} texts={verify} code />
      <Texts title={t('Probably changes')} texts={paths} code />
    </article>
  );
}

function Phase({ phase, numbers }: { readonly phase: PanelPlanPhase; readonly numbers: ReadonlyMap<string, number> }) {
  const title = t('Phase {0}: {1}', phase.number, visible(phase.title));
  return (
    <section className="plan-phase" aria-label={title}>
      <h3>{title}</h3>
      <p className="prose">{visible(phase.objective)}</p>
      {phase.startsAtOnce === null ? null : (
        <p className="muted">
          {t(
            '{0} of {1} features can start at once: the others depend on features of the phase, or change the same files.',
            phase.startsAtOnce,
            phase.features.length,
          )}
        </p>
      )}
      <Texts title={t('Done when')} texts={phase.criteria} />
      <Texts title={t('Checked by')} texts={phase.verify} code />
      {phase.features.map((feature) => (
        <Feature key={feature.number} feature={feature} numbers={numbers} />
      ))}
    </section>
  );
}

/** Shows what the approval answers and grants, and what every worker receives. Absent parts are omitted. */
function Handover({ plan: { questions, setup, assumptions, findings } }: Of) {
  return (
    <>
      <Part title={t('Questions to you')} texts={questions}>
        <p className="muted">{t('An approval needs your answers in words.')}</p>
      </Part>
      <Part title={t('Setup commands')} texts={setup} code>
        <p className="muted">{t('An approval lets these run, with the package registries allowed.')}</p>
      </Part>
      <Part title={t('Assumptions')} texts={assumptions} />
      {findings === '' ? null : (
        <details>
          <summary>{t('Findings for the workers')}</summary>
          <p className="prose">{visible(findings)}</p>
        </details>
      )}
    </>
  );
}

function Part({ title, children, ...items }: TextsProps & { readonly children?: ReactNode }) {
  if (items.texts.length === 0) return null;
  return (
    <section className="plan-phase" aria-label={title}>
      <h3>{title}</h3>
      {children}
      <Items {...items} />
    </section>
  );
}

function Estimate({ plan }: Of) {
  const { cost, time, source } = estimateText(plan.estimate);
  return (
    <section aria-label={t('Estimate')}>
      <h3>{t('Estimate')}</h3>
      <dl className="facts">
        <div>
          <dt>{t('Cost')}</dt>
          <dd>{cost}</dd>
        </div>
        <div>
          <dt>{t('Time')}</dt>
          <dd>{time}</dd>
        </div>
        {plan.budgetUsd === null ? null : (
          <div>
            <dt>{t('Budget')}</dt>
            <dd>{usd(plan.budgetUsd)}</dd>
          </div>
        )}
      </dl>
      <p className="muted">{source}</p>
    </section>
  );
}

/** The answers apply to the shown version: each version has its own question. */
function Answers({ plan: { approvalId, jobId, title, accepted } }: Of) {
  if (approvalId === null) {
    return (
      <p className="muted">{accepted ? t('This plan is approved.') : t('This plan does not ask for approval now.')}</p>
    );
  }
  const question = { approvalId, jobId };
  return (
    <>
      <Button
        label={t('Approve')}
        describes={visible(title)}
        onPress={() => post({ kind: 'approve', ...question, choice: null })}
      />
      <Button
        secondary
        label={t('Ask for Changes…')}
        describes={visible(title)}
        onPress={() => post({ kind: 'reject', ...question })}
      />
    </>
  );
}

function Side({ plan }: Of) {
  const { jobId, version } = plan;
  return (
    <aside className="plan-side" aria-label={t('Answers and estimate')}>
      <div className="plan-acts">
        <Answers plan={plan} />
        <Button secondary label={t('Edit as YAML')} onPress={() => post({ kind: 'plan', jobId, act: 'edit' })} />
        {version < 2 ? null : (
          <Link label={t('Compare versions')} onPress={() => post({ kind: 'plan', jobId, act: 'compare' })} />
        )}
      </div>
      <Estimate plan={plan} />
    </aside>
  );
}

function Plan({ plan }: Of) {
  const { title, version, by, at, phases } = plan;
  const features = featuresOf(plan);
  const numbers = new Map(features.map(({ name, number }) => [name, number]));
  // In a narrow page, the side is above the text, for the keyboard too.
  const narrow = useNarrow();
  const side = <Side plan={plan} />;
  return (
    <div className="plan-body">
      {narrow ? side : null}
      <div className="plan-text">
        <h2>{visible(title)}</h2>
        <p className="muted">
          {[
            by === 'planner' ? t('Version {0} by the planner', version) : t('Version {0} by you', version),
            localTime(at),
            sizeOf(plan),
          ].join(' · ')}
        </p>
        {plan.timeline === null ? null : <TimelineChart timeline={plan.timeline} />}
        <Handover plan={plan} />
        <Dependencies features={features} />
        {phases.map((phase) => (
          <Phase key={phase.number} phase={phase} numbers={numbers} />
        ))}
      </div>
      {narrow ? null : side}
    </div>
  );
}

/** Returns to the board once the plan that asked is approved and its features exist. */
function useLeaving(plan: PanelPlan | null) {
  const asked = useRef<string | null>(null);
  useEffect(() => {
    if (plan === null) return;
    if (plan.approvalId !== null) asked.current = plan.jobId;
    else if (plan.accepted && asked.current === plan.jobId) look({ plan: null });
  }, [plan]);
}

export function PlanPage({ view: { plan, jobs } }: { readonly view: PanelView }) {
  const jobId = usePage(({ ui }) => ui.plan);
  const shown = plan?.jobId === jobId ? plan : null;
  const isGone = !jobs.some(({ id }) => id === jobId);
  useLeaving(shown);
  return (
    <section className="plan-page" aria-label={t('Plan')}>
      <p>
        <Link icon="arrow-left" label={t('Board')} onPress={() => look({ plan: null })} />
      </p>
      {shown !== null ? (
        <Plan key={shown.version} plan={shown} />
      ) : (
        <p className="muted" role="status">
          {isGone ? t('This plan is not here any more.') : t('Loading…')}
        </p>
      )}
    </section>
  );
}
