/** Replaces the board while there is a job but no card. */
import { isOpen } from '../../../src/core/job/view/jobStatus.ts';
import type { PanelJob, PanelView } from '../../../src/shared/workspace/panel.ts';
import { t } from '../store/l10n.ts';
import { Icon } from '../ui/Icon.tsx';
import { visible } from '../ui/text/format.ts';
import { statusLabel, whyNot } from './jobFacts.ts';

function Planning() {
  return (
    <>
      <Icon name="loading" spin />
      <h2>{t('Planning…')}</h2>
      <p>{t('The planner reads the repository and proposes phases and features. They appear here with the plan.')}</p>
    </>
  );
}

function PlanWaits() {
  return (
    <>
      <Icon name="project" />
      <h2>{t('The plan needs your approval')}</h2>
      <p>{t('Read it, change what you like, and accept it. Its features appear here.')}</p>
    </>
  );
}

/** A job that is waiting, paused or ended without a plan: its reason and its question. */
function Otherwise({ job, asks }: { readonly job: PanelJob; readonly asks: string | undefined }) {
  const why = asks ?? whyNot(job);
  return (
    <>
      <Icon name="info" />
      <h2>{visible(job.title)}</h2>
      <p>{statusLabel(job)}</p>
      {why !== '' ? <p>{visible(why)}</p> : isOpen(job) ? null : <p>{t('It has no features.')}</p>}
    </>
  );
}

export function Beginning({ view }: { readonly view: PanelView }) {
  const planWaits = view.approvals.some(({ kind }) => kind === 'plan');
  const planning = view.jobs.some(({ status, still }) => status === 'planning' && still !== true);
  const [newest] = view.jobs;
  const asked = view.approvals.find(({ jobId }) => jobId === newest?.id);
  return (
    <div className="empty" role="status">
      {planWaits ? (
        <PlanWaits />
      ) : planning || newest === undefined ? (
        <Planning />
      ) : (
        <Otherwise job={newest} asks={asked?.question} />
      )}
    </div>
  );
}
