import type { PanelJob } from '../../../src/shared/panelView.ts';
import type { FromPage } from '../../../src/shared/webviewProtocol.ts';
import { post } from '../bridge.ts';
import { localTime, usd, visible, words } from '../format.ts';
import { IconButton } from '../ui/Button.tsx';
import { Icon, type IconName } from '../ui/Icon.tsx';
import { Progress } from '../ui/Progress.tsx';

type Act = Extract<FromPage, { kind: 'job' }>['act'];

const ICONS: Readonly<Record<PanelJob['status'], IconName>> = {
  planning: 'loading',
  running: 'loading',
  awaiting_steward: 'account',
  paused: 'debug-pause',
  waiting: 'bell',
  completed: 'pass',
  failed: 'error',
  cancelled: 'circle-outline',
};

const WORKING: ReadonlySet<string> = new Set(['planning', 'running', 'waiting', 'awaiting_steward']);

/** Whether something still happens in it, or can. */
export function isOpen(job: PanelJob): boolean {
  return WORKING.has(job.status) || job.status === 'paused';
}

/** `Waits: daily limit, until 3 Nov, 00:00`, or empty. */
export function whyNot(job: PanelJob): string {
  const until = job.wakeAt === null ? '' : `until ${localTime(job.wakeAt)}`;
  return [job.reason === null ? '' : visible(job.reason), until].filter(Boolean).join(', ');
}

function Acts({ job }: { readonly job: PanelJob }) {
  const title = visible(job.title);
  const act = (name: Act) => () => post({ kind: 'job', jobId: job.id, act: name });
  return (
    <span className="acts">
      {WORKING.has(job.status) ? (
        <IconButton icon="debug-pause" label={`Pause ${title}`} onPress={act('pause')} />
      ) : null}
      {job.status === 'paused' ? (
        <IconButton icon="debug-start" label={`Resume ${title}`} onPress={act('resume')} />
      ) : null}
      {isOpen(job) ? <IconButton icon="debug-stop" label={`Cancel ${title}`} onPress={act('cancel')} /> : null}
      <IconButton icon="diff" label={`Show changes of ${title}`} onPress={act('diff')} />
    </span>
  );
}

function Job({ job }: { readonly job: PanelJob }) {
  const { pending, in_progress, completed, failed } = job.counts;
  const total = pending + in_progress + completed + failed;
  const phase = job.phases.find(({ status }) => status === 'executing' || status === 'reviewing');
  const why = whyNot(job);
  const spin = ICONS[job.status] === 'loading';
  return (
    <li className={`job job-${job.status}`}>
      <p className="job-head">
        <Icon name={ICONS[job.status]} spin={spin} />
        <strong className="one-line" title={visible(job.title)}>
          {visible(job.title)}
        </strong>
        <Acts job={job} />
      </p>
      {total === 0 ? null : (
        <Progress label={`Completed features of ${visible(job.title)}`} value={completed} max={total} />
      )}
      <p className="job-facts">
        <span>{words(job.status)}</span>
        {total === 0 ? null : (
          <span>
            {completed} of {total} done
          </span>
        )}
        <span>{money(job)}</span>
      </p>
      {phase === undefined ? null : (
        <p className="job-phase one-line">
          Phase {phase.number} of {job.phases.length}: {visible(phase.title)}
          {phase.status === 'reviewing' ? ' (review)' : ''}
        </p>
      )}
      {why === '' ? null : <p className="card-why">{why}</p>}
    </li>
  );
}

/** A provider without prices has only calls and tokens, which the cost panel shows. */
function money({ unpriced, costUsd, budgetUsd, simulated }: PanelJob): string {
  if (unpriced === true) return 'not priced';
  return `${usd(costUsd)}${budgetUsd === null ? '' : ` of ${usd(budgetUsd)}`}${simulated ? ' simulated' : ''}`;
}

export function Jobs({ jobs }: { readonly jobs: readonly PanelJob[] }) {
  if (jobs.length === 0) return null;
  return (
    <ul className="jobs" aria-label="Jobs">
      {jobs.map((job) => (
        <Job key={job.id} job={job} />
      ))}
    </ul>
  );
}
