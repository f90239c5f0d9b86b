/** One task: progress, steps, questions, checkpoints and log. */
import type { PanelTask, PanelTaskDetails } from '../../../src/shared/task/taskPanel.ts';
import { QuestionLink } from '../approval/QuestionLink.tsx';
import { t } from '../store/l10n.ts';
import { look, usePage } from '../store/store.ts';
import { Button, Link } from '../ui/Button.tsx';
import { Formatted } from '../ui/Formatted.tsx';
import { Icon } from '../ui/Icon.tsx';
import { localTime, usd, visible } from '../ui/text/format.ts';
import { Log } from './Log.tsx';
import { Step } from './Step.tsx';
import { Steps } from './Steps.tsx';
import { actsOf, ask, TaskProgress, TaskWait } from './TaskParts.tsx';
import { TaskFacts } from './Tasks.tsx';
import { taskLook } from './taskFacts.ts';

interface Of {
  readonly task: PanelTask;
}

function Head({ task }: Of) {
  const { id, name, reason } = task;
  const { icon } = taskLook(task);
  const title = visible(name);
  return (
    <header className={`task-head task-${task.status}`}>
      <p>
        <Link icon="arrow-left" label={t('All tasks')} onPress={() => look({ task: null })} />
      </p>
      <h2>
        <Icon name={icon} spin={icon === 'loading'} />
        {title}
      </h2>
      <TaskProgress task={task} />
      <TaskFacts task={task} />
      <TaskWait task={task} />
      {reason === null ? null : (
        <p className={task.status === 'FAILED' ? 'callout failed' : 'callout'}>{visible(reason)}</p>
      )}
      <div className="row">
        {actsOf(task).map(({ act, label }, at) => (
          <Button key={act} secondary={at > 0} label={label} describes={title} onPress={ask(id, act)} />
        ))}
        <Link label={t('Report')} describes={title} onPress={ask(id, 'report')} />
        <Link label={t('Definition')} describes={title} onPress={ask(id, 'definition')} />
      </div>
    </header>
  );
}

function Questions({ task }: Of) {
  const approvals = usePage((page) => page.view?.approvals);
  const own = approvals?.filter(({ taskId }) => taskId === task.id) ?? [];
  if (own.length === 0) return null;
  return (
    <ul aria-label={t('Needs your input')}>
      {own.map((approval) => (
        <li key={approval.id}>
          <QuestionLink approval={approval} />
        </li>
      ))}
    </ul>
  );
}

function Said({ title, at, text }: { readonly title: string; readonly at?: string | null; readonly text: string }) {
  return (
    <section className="task-said">
      <h3>
        {title}
        {at == null ? null : <span className="muted"> {localTime(at)}</span>}
      </h3>
      <div className="said-text">
        <Formatted text={text} />
      </div>
    </section>
  );
}

function About({ details }: { readonly details: PanelTaskDetails }) {
  const { objective, description, maxParallel, budgetUsd, template } = details;
  return (
    <details className="task-about">
      <summary>{t('About this task')}</summary>
      {objective === '' ? null : <p className="prose">{visible(objective)}</p>}
      {description === '' ? null : <p className="prose">{visible(description)}</p>}
      <p className="muted">
        {t('Up to {0} steps in parallel', maxParallel)}
        {budgetUsd === null ? '' : `, ${t('at most {0}', usd(budgetUsd))}`}
        {template === null ? '' : `, ${t('from template {0}', visible(template))}`}
      </p>
    </details>
  );
}

export function LiveTask({ task }: Of) {
  const details = usePage(({ view }) => (view?.task?.taskId === task.id ? view.task : null));
  const selected = usePage(({ ui }) => ui.step);
  const step = details?.steps.find(({ id }) => id === selected);
  return (
    <section className="task-page" aria-label={visible(task.name)}>
      <Head task={task} />
      <Questions task={task} />
      {details === null ? (
        <p className="muted padded" role="status">
          {t('Loading…')}
        </p>
      ) : (
        <>
          <About details={details} />
          {details.summary === null ? null : <Said title={t('Summary')} text={details.summary} />}
          <div className={step === undefined ? 'task-body' : 'task-body with-step'}>
            <Steps steps={details.steps} selected={selected} />
            {step === undefined ? null : <Step key={step.id} task={task} step={step} texts={details.step} />}
          </div>
          {details.lastCheckpointSummary === null || details.lastCheckpointSummary === details.summary ? null : (
            <Said title={t('Last checkpoint')} at={details.checkpointAt} text={details.lastCheckpointSummary} />
          )}
          <Log name={task.name} lines={details.log} />
        </>
      )}
    </section>
  );
}
