/** The expanded part of a job's row: its phases with their reviews, its views and settings. */
import { isActive, isOpen } from '../../../src/core/job/view/jobStatus.ts';
import type { PanelJob } from '../../../src/shared/workspace/panel.ts';
import { post } from '../store/bridge.ts';
import { t } from '../store/l10n.ts';
import { Link } from '../ui/Button.tsx';
import { Icon, type IconName } from '../ui/Icon.tsx';
import { localTime, visible } from '../ui/text/format.ts';
import { phaseLabel } from '../ui/text/labels.ts';
import { proofOutcome } from './card/Attempts.tsx';

type Phase = PanelJob['phases'][number];

const ICONS: Readonly<Record<Phase['status'], IconName>> = {
  pending: 'circle-outline',
  executing: 'loading',
  reviewing: 'eye',
  completed: 'pass',
  failed: 'error',
};

function PhaseLine({ phase, still }: { readonly phase: Phase; readonly still: boolean }) {
  const isStill = still && (phase.status === 'executing' || phase.status === 'reviewing');
  const icon = isStill ? 'debug-pause' : ICONS[phase.status];
  return (
    <li className={`phase phase-${phase.status}`}>
      <Icon name={icon} spin={icon === 'loading'} />
      <span className="phase-title">
        {phase.number}. {visible(phase.title)}
      </span>
      <span className="muted">
        {isStill ? t('Not running') : phaseLabel(phase.status)}
        {phase.attempt > 1 ? `, ${t('round {0}', phase.attempt)}` : ''}
      </span>
    </li>
  );
}

function AddSetup({ job }: { readonly job: PanelJob }) {
  if (!isOpen(job)) return null;
  return (
    <p>
      <Link
        label={t('Add Setup Command…')}
        describes={visible(job.title)}
        onPress={() => post({ kind: 'addSetup', jobId: job.id })}
      />
    </p>
  );
}

/** Shows that no setup command runs although dependencies are named. */
function SetupGap({ job }: { readonly job: PanelJob }) {
  if (job.setupGap === undefined) return null;
  return (
    <div className="callout">
      <p>
        {t('No setup command runs: {0} names dependencies, and there is no lock file.', visible(job.setupGap.manifest))}
      </p>
      <AddSetup job={job} />
    </div>
  );
}

/** Shows the files that were removed again after the setup, and how to keep them. */
function SetupRemoved({ job: { setupRemoved } }: { readonly job: PanelJob }) {
  if (setupRemoved === undefined) return null;
  const { paths, more } = setupRemoved;
  const names = paths.map(visible).join(', ');
  return (
    <div className="callout">
      <p>
        {t(
          'The setup made or changed files that git does not ignore, and they were removed again: {0}',
          more === 0 ? names : t('{0} and {1} more', names, more),
        )}
      </p>
      <p>{t('To keep them, list them in .gitignore or commit them. Then file the job again.')}</p>
    </div>
  );
}

/** Shows the verify commands that failed before any work, and what to do if something is missing. */
function FailedBefore({ job }: { readonly job: PanelJob }) {
  const failed = job.failedBefore ?? [];
  if (failed.length === 0) return null;
  return (
    <div className="callout">
      <p>{t('Verify commands that failed before any work:')}</p>
      <ul>
        {failed.map((one) => (
          <li key={one.command}>
            <code>{visible(one.command)}</code>{' '}
            {[proofOutcome(one), ...(one.missing === null ? [] : [visible(one.missing)])].join(': ')}
          </li>
        ))}
      </ul>
      {failed.every(({ missing }) => missing === null) ? null : (
        <>
          <p>{t('Something is missing. A setup command can install it.')}</p>
          <AddSetup job={job} />
        </>
      )}
    </div>
  );
}

/** A result that was taken although it fails is never shown without that. */
function TakenFailure({ job }: { readonly job: PanelJob }) {
  if (job.takenFailure === undefined) return null;
  const { commands, question, reason } = job.takenFailure;
  return (
    <div className="callout">
      <p>{t('Verify commands fail on the result:')}</p>
      <ul>
        {commands.map((command) => (
          <li key={command}>
            <code>{visible(command)}</code>
          </li>
        ))}
      </ul>
      <p>{t('You took the result although it fails (question {0}): {1}', question, visible(reason))}</p>
    </div>
  );
}

/** Gates that a rule approved are never shown as if a person had. */
function ByRules({ job }: { readonly job: PanelJob }) {
  if (job.ruleUses === undefined) return null;
  return (
    <div className="callout">
      {job.ruleUses.map(({ questionId, ruleId, rule, question }) => (
        <p key={questionId}>
          {t('Approved by rule {0}: {1}', ruleId, visible(question))} <span className="muted">{visible(rule)}</span>
        </p>
      ))}
      <Link label={t('Approval Rules…')} onPress={() => post({ kind: 'rules' })} />
    </div>
  );
}

export function JobParts({ job }: { readonly job: PanelJob }) {
  const title = visible(job.title);
  return (
    <div className="job-parts">
      {job.phases.length === 0 ? (
        <p className="muted">{t('No plan yet.')}</p>
      ) : (
        <ol className="phases">
          {job.phases.map((phase) => (
            <PhaseLine key={phase.id} phase={phase} still={job.still === true} />
          ))}
        </ol>
      )}
      <SetupGap job={job} />
      <SetupRemoved job={job} />
      <FailedBefore job={job} />
      <TakenFailure job={job} />
      <ByRules job={job} />
      <p className="muted">{t('Branch {0}, begun {1}', visible(job.branch), localTime(job.createdAt))}</p>
      <p className="row">
        {job.phases.length === 0 ? null : (
          <Link
            label={isOpen(job) ? t('Open Plan') : t('Open Plan and Timeline')}
            describes={title}
            onPress={() => post({ kind: 'openPlan', jobId: job.id })}
          />
        )}
        {isOpen(job) ? (
          <Link label={t('Set Lanes…')} describes={title} onPress={() => post({ kind: 'setLanes', jobId: job.id })} />
        ) : null}
        {isActive(job) && job.unpriced !== true ? (
          <Link label={t('Set Budget…')} describes={title} onPress={() => post({ kind: 'setBudget', jobId: job.id })} />
        ) : null}
      </p>
    </div>
  );
}
