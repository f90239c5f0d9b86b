/** Everything of one step. */
import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { PanelStep, PanelStepTexts, PanelTask } from '../../../src/shared/task/taskPanel.ts';
import type { Json } from '../../../src/shared/task/tasks.ts';
import { goToQuestion } from '../approval/goToQuestion.ts';
import { post } from '../store/bridge.ts';
import { t } from '../store/l10n.ts';
import { look, usePage } from '../store/store.ts';
import { IconButton, Link } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { duration, localTime, usd, visible } from '../ui/text/format.ts';
import { heldTexts } from '../ui/text/spent.ts';
import { apart } from '../ui/text/waitFacts.ts';
import { useEscape } from '../ui/use/useEscape.ts';
import { useNow } from '../ui/use/useNow.ts';
import { WaitLine } from '../ui/WaitLine.tsx';
import { actionLabel, readable, stepLook, stepState, stepTime } from './taskFacts.ts';

/** Characters of a step's input or output that are shown here. */
const SHOWN = 4_000;

interface ValueProps {
  readonly part: 'params' | 'result';
  readonly title: string;
  readonly value: Json;
  /** Opens the whole. */
  readonly onOpen: () => void;
}

function Value({ part, title, value, onOpen }: ValueProps) {
  const text = readable(value);
  return (
    <section>
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is too long is scrolled by keyboard too */}
      <pre className={`value value-${part}`} tabIndex={0}>
        {visible(text.slice(0, SHOWN))}
      </pre>
      {text.length > SHOWN ? (
        <p>
          <Link label={t('Open all {0} characters', text.length)} describes={title} onPress={onOpen} />
        </p>
      ) : null}
    </section>
  );
}

function Result({ texts, onOpen }: { readonly texts: PanelStepTexts; readonly onOpen: () => void }) {
  const { result, resultBytes } = texts;
  if (result !== null) return <Value part="result" title={t('Result')} value={result} onOpen={onOpen} />;
  if (resultBytes === 0) return null;
  return (
    <section>
      <h3>{t('Result')}</h3>
      <p>
        <Link label={t('Open all {0} bytes', resultBytes)} describes={t('Result')} onPress={onOpen} />
      </p>
    </section>
  );
}

/** Counts down to the time at which the step resumes. */
function Wakes({ at }: { readonly at: string }) {
  const now = useNow(true);
  const left = Date.parse(at) - now;
  return (
    <dd>
      {left > 0 ? t('in {0}', duration(left)) : t('now')} <span className="muted">{localTime(at)}</span>
    </dd>
  );
}

function Took({ step }: { readonly step: PanelStep }) {
  return <dd>{stepTime(step, useNow(step.status === 'RUNNING' && step.still !== true))}</dd>;
}

function onError({ onError: mode, maxRetries, backoffSeconds }: PanelStepTexts): string {
  if (mode === 'retry')
    return t('retried up to {0} times, first after {1}', maxRetries, duration(backoffSeconds * 1000));
  return mode === 'continue' ? t('the task continues without it') : t('the task fails');
}

function Facts({ step, texts }: { readonly step: PanelStep; readonly texts: PanelStepTexts | null }) {
  const { after, branch, tries, wakeAt, startedAt, costUsd } = step;
  const open = stepState(step) === 'waiting' || stepState(step) === 'again';
  return (
    <dl className="facts">
      <dt>{t('State')}</dt>
      <dd>{stepLook(step).label}</dd>
      <dt>{t('Action')}</dt>
      <dd>{actionLabel(step.action)}</dd>
      {branch === null ? null : (
        <>
          <dt>{t('Only')}</dt>
          <dd>{branch.when ? t('if step {0} is true', branch.of) : t('if step {0} is false', branch.of)}</dd>
        </>
      )}
      {after.length === 0 ? null : (
        <>
          <dt>{t('Needs first')}</dt>
          <dd>{after.join(', ')}</dd>
        </>
      )}
      {tries === 0 ? null : (
        <>
          <dt>{t('Failed attempts')}</dt>
          <dd>{tries}</dd>
        </>
      )}
      {open && wakeAt !== null ? (
        <>
          <dt>{t('Resumes')}</dt>
          <Wakes at={wakeAt} />
        </>
      ) : null}
      {startedAt === null || step.still === true ? null : (
        <>
          <dt>{t('Took')}</dt>
          <Took step={step} />
        </>
      )}
      {texts === null ? null : (
        <>
          <dt>{t('If it fails')}</dt>
          <dd>{onError(texts)}</dd>
        </>
      )}
      <dt>{t('Cost')}</dt>
      <dd>{[usd(costUsd), ...heldTexts(step)].join(', ')}</dd>
    </dl>
  );
}

/** Links to its question, its job, and the messages of its session. */
function Ways({ step, texts }: { readonly step: PanelStep; readonly texts: PanelStepTexts }) {
  const asked = usePage((page) => page.view?.approvals.find(({ id }) => id === step.questionId));
  const { jobId, sessionId } = texts;
  return (
    <p className="row">
      {asked === undefined ? null : <Link label={t('Show Question')} onPress={() => goToQuestion(asked)} />}
      {jobId === null ? null : (
        <Link label={t('Show its job')} onPress={() => look({ tab: 'board', projectId: '', category: '', jobId })} />
      )}
      {sessionId === null ? null : (
        <Link label={t('Transcript')} onPress={() => post({ kind: 'openTranscript', sessionId })} />
      )}
    </p>
  );
}

/** The wait of a step of a running task. An intended wait is among its facts. */
function StepWait({ task, step }: { readonly task: PanelTask; readonly step: PanelStep }) {
  const waiting = apart(step.waiting);
  if (waiting === null || waiting.code === 'time' || task.status !== 'RUNNING') return null;
  return <WaitLine waiting={waiting} of="task" id={task.id} describes={visible(step.name)} />;
}

interface StepProps {
  readonly task: PanelTask;
  readonly step: PanelStep;
  /** null until they are loaded. */
  readonly texts: PanelStepTexts | null;
}

export function Step({ task, step, texts: given }: StepProps) {
  const texts = given?.id === step.id ? given : null;
  const { icon } = stepLook(step);
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    // Discard the result: in some browsers it is a promise, which is not a valid cleanup of an effect.
    void pane.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const close = () => {
    flushSync(() => look({ step: null }));
    document.querySelector<HTMLElement>(`[data-step="${step.id}"]`)?.focus();
  };
  useEscape(pane, close);
  const open = (part: 'params' | 'result') => () => post({ kind: 'openStep', taskId: task.id, stepId: step.id, part });
  return (
    <aside className="details step-details" ref={pane} aria-label={t('Step {0}', step.number)}>
      <header>
        <h2 className={`step-${stepState(step)}`}>
          <Icon name={icon} spin={icon === 'loading'} /> {step.number}. {visible(step.name)}
        </h2>
        <IconButton icon="close" label={t('Close details')} onPress={close} />
      </header>
      {texts?.error == null ? null : <p className="callout failed prose">{visible(texts.error)}</p>}
      <StepWait task={task} step={step} />
      <Facts step={step} texts={texts} />
      {texts === null ? (
        <p className="muted" role="status">
          {t('Loading…')}
        </p>
      ) : (
        <>
          <Ways step={step} texts={texts} />
          <Result texts={texts} onOpen={open('result')} />
          <Value part="params" title={t('Parameters')} value={texts.params} onOpen={open('params')} />
        </>
      )}
    </aside>
  );
}
