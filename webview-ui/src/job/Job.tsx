/** One job as a row: its activity, progress and cost, and why it is blocked. */
import { useEffect } from 'react';
import { isActive, isOpen } from '../../../src/core/job/view/jobStatus.ts';
import { DEFAULT_PROJECT } from '../../../src/shared/project/projects.ts';
import type { FromPage } from '../../../src/shared/workspace/pageProtocol.ts';
import type { PanelJob } from '../../../src/shared/workspace/panel.ts';
import { goToQuestion } from '../approval/goToQuestion.ts';
import { post } from '../store/bridge.ts';
import { t } from '../store/l10n.ts';
import { usePage } from '../store/store.ts';
import { IconButton, Link } from '../ui/Button.tsx';
import type { IconName } from '../ui/Icon.tsx';
import { Progress } from '../ui/Progress.tsx';
import { Row } from '../ui/Row.tsx';
import { visible } from '../ui/text/format.ts';
import { phaseLabel } from '../ui/text/labels.ts';
import { heldTexts } from '../ui/text/spent.ts';
import { apart } from '../ui/text/waitFacts.ts';
import { WaitLine } from '../ui/WaitLine.tsx';
import { JobParts } from './JobParts.tsx';
import { money, shownStatus, statusLabel, whereTo, whyNot } from './jobFacts.ts';

type Act = Extract<FromPage, { kind: 'job' }>['act'];

const ICONS: Readonly<Record<PanelJob['status'], IconName>> = {
  planning: 'loading',
  running: 'loading',
  awaiting_steward: 'bell',
  paused: 'debug-pause',
  waiting: 'clock',
  completed: 'pass',
  failed: 'error',
  cancelled: 'circle-slash',
};

function Acts({ job }: { readonly job: PanelJob }) {
  const title = visible(job.title);
  const act = (name: Act) => () => post({ kind: 'job', jobId: job.id, act: name });
  return (
    <>
      {isActive(job) && job.still !== true ? (
        <IconButton icon="debug-pause" label={t('Pause {0}', title)} onPress={act('pause')} />
      ) : null}
      {job.status === 'paused' || job.still === true ? (
        <IconButton icon="debug-start" label={t('Resume {0}', title)} onPress={act('resume')} />
      ) : null}
      {isOpen(job) ? <IconButton icon="debug-stop" label={t('Cancel {0}', title)} onPress={act('cancel')} /> : null}
      <IconButton icon="diff" label={t('Show changes of {0}', title)} onPress={act('diff')} />
    </>
  );
}

function State({ job }: { readonly job: PanelJob }) {
  const asked = usePage((page) => page.view?.approvals.find(({ jobId }) => jobId === job.id));
  const label = statusLabel(job);
  if (job.status !== 'awaiting_steward' || asked === undefined) return <span>{label}</span>;
  return <Link label={label} describes={visible(job.title)} onPress={() => goToQuestion(asked)} />;
}

function Facts({ job }: { readonly job: PanelJob }) {
  const { pending, in_progress, completed, failed } = job.counts;
  const total = pending + in_progress + completed + failed;
  const result = whereTo(job);
  const phase = job.phases.find(({ status }) => status === 'executing' || status === 'reviewing');
  return (
    <>
      {total === 0 ? null : (
        <Progress
          label={t('Completed features of {0}', visible(job.title))}
          says={t('{0} of {1} done', completed, total)}
          value={completed}
          max={total}
        />
      )}
      <p className="job-facts">
        <State job={job} />
        {job.projectId === DEFAULT_PROJECT ? null : <span className="tag">{visible(job.projectId)}</span>}
        {result === '' ? null : <span>{result}</span>}
        {job.built === true ? (
          <Link
            label={t('Open What Was Built')}
            describes={visible(job.title)}
            onPress={() => post({ kind: 'job', jobId: job.id, act: 'built' })}
          />
        ) : null}
        {total === 0 ? null : <span>{t('{0} of {1} done', completed, total)}</span>}
        {failed === 0 ? null : <span className="bad">{t('{0} failed', failed)}</span>}
        <span>{money(job)}</span>
        {heldTexts(job).map((held) => (
          <span key={held}>{held}</span>
        ))}
        {phase === undefined ? null : (
          <span className="one-line job-phase">
            {t('Phase {0} of {1}: {2}', phase.number, job.phases.length, visible(phase.title))}
            {phase.status === 'reviewing' ? ` (${phaseLabel(phase.status)})` : ''}
          </span>
        )}
      </p>
    </>
  );
}

function Why({ job }: { readonly job: PanelJob }) {
  const why = whyNot(job);
  const waiting = apart(job.waiting);
  if (waiting !== null) {
    return (
      <WaitLine
        waiting={waiting}
        of="job"
        id={job.id}
        describes={visible(job.title)}
        text={job.waitsForDay ? why : undefined}
      >
        {job.waitsForDay ? (
          <Link label={t('Set Daily Limit…')} onPress={() => post({ kind: 'setDailyLimit' })} />
        ) : null}
      </WaitLine>
    );
  }
  if (why === '') return null;
  return (
    <p className="job-why" title={visible(job.reason ?? '')}>
      {why}
    </p>
  );
}

const rowId = (jobId: string) => `job-${jobId}`;

function Job({ job }: { readonly job: PanelJob }) {
  const title = visible(job.title);
  return (
    <Row
      id={rowId(job.id)}
      className={`job-${job.status}`}
      icon={job.still === true ? ICONS.paused : ICONS[shownStatus(job)]}
      title={title}
      parts={{ label: t('Phases of {0}', title), shown: <JobParts job={job} /> }}
      acts={<Acts job={job} />}
    >
      <Facts job={job} />
      <Why job={job} />
    </Row>
  );
}

interface JobsProps {
  readonly jobs: readonly PanelJob[];
  /** The job that the page was navigated to. */
  readonly chosen?: string;
}

export function Jobs({ jobs, chosen = '' }: JobsProps) {
  useEffect(() => {
    // Discards the value: if scrolling returns a promise, React would take it for the effect's clean-up.
    document.getElementById(rowId(chosen))?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  if (jobs.length === 0) return null;
  return (
    <ul className="jobs" aria-label={t('Jobs')}>
      {jobs.map((job) => (
        <Job key={job.id} job={job} />
      ))}
    </ul>
  );
}
