/** Tasks and their steps, for a plain browser and the tests. */

import type {
  PanelSchedule,
  PanelStep,
  PanelStepTexts,
  PanelTask,
  PanelTaskDetails,
  PanelTaskLine,
} from '../../src/shared/task/taskPanel.ts';
import type { PanelApproval, PanelView } from '../../src/shared/workspace/panel.ts';

const AT = '2026-11-02T09:00:00.000Z';
const MINUTE = 60_000;
const after = (minutes: number) => new Date(Date.parse(AT) + minutes * MINUTE).toISOString();
/** Relative to now, so that timers tick at any date. */
const fromNow = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString();

export const TASK_QUESTION: Pick<
  PanelApproval,
  'id' | 'kind' | 'question' | 'detail' | 'choices' | 'projectId' | 'featureId' | 'taskId' | 'requestedAt'
> = {
  id: 900_004,
  kind: 'task',
  question: 'Send the release notes to the list?',
  detail: 'The notes of 2.4.0 name 14 changes, two of them breaking.',
  choices: [],
  projectId: 'default',
  featureId: null,
  taskId: 'task-notes',
  requestedAt: AT,
};

function task(id: string, name: string, patch: Partial<PanelTask>): PanelTask {
  return {
    id,
    projectId: 'default',
    name,
    status: 'PENDING',
    reason: null,
    waiting: null,
    percent: 0,
    stepsDone: 0,
    stepsTotal: 6,
    current: null,
    running: 0,
    questions: 0,
    elapsedMs: 0,
    asOf: AT,
    etaAt: null,
    costUsd: 0,
    reservedUsd: 0,
    unsettledUsd: 0,
    simulated: false,
    scheduleId: null,
    createdAt: AT,
    startedAt: null,
    endedAt: null,
    ...patch,
  };
}

export function sampleTasks(): readonly PanelTask[] {
  const begun = { startedAt: AT, elapsedMs: 34 * MINUTE } as const;
  return [
    task('task-old', 'Codebase tour', {
      ...begun,
      status: 'COMPLETED',
      percent: 100,
      stepsDone: 6,
      endedAt: after(34),
      costUsd: 0.31,
    }),
    task('task-failed', 'Dependency audit', {
      ...begun,
      status: 'FAILED',
      reason: 'step 3, Read the advisories: the host advisories.example is not on the allow-list',
      percent: 33,
      stepsDone: 2,
      endedAt: after(4),
      costUsd: 0.02,
    }),
    task('task-waits', 'Weekly summary', { scheduleId: 1 }),
    task('task-notes', 'Release notes of 2.4.0', {
      ...begun,
      status: 'RUNNING',
      percent: 83,
      stepsDone: 5,
      current: 'Ask before it is sent',
      running: 1,
      questions: 1,
      asOf: fromNow(0),
      costUsd: 0.12,
    }),
    task('task-paused', 'Translate the manual', {
      ...begun,
      status: 'PAUSED',
      reason: 'paused by you',
      percent: 50,
      stepsDone: 3,
      projectId: 'docs',
      costUsd: 0.4,
    }),
    task('task-research', 'Market Research', {
      ...begun,
      status: 'RUNNING',
      percent: 37,
      stepsDone: 4,
      stepsTotal: 11,
      current: 'Gather details',
      running: 3,
      asOf: fromNow(0),
      etaAt: fromNow(26),
      costUsd: 0.0834,
      simulated: true,
    }),
  ];
}

export const SCHEDULES: readonly PanelSchedule[] = [
  {
    id: 1,
    projectId: 'default',
    name: 'Weekly summary',
    cron: '0 9 * * 1',
    timeZone: 'Europe/Zurich',
    enabled: true,
    nextAt: '2026-11-09T08:00:00.000Z',
  },
];

function step(number: number, name: string, patch: Partial<PanelStep>): PanelStep {
  return {
    id: 100 + number,
    number,
    name,
    action: 'llm_generate',
    status: 'PENDING',
    isCheckpoint: false,
    tries: 0,
    wakeAt: null,
    questionId: null,
    startedAt: null,
    endedAt: null,
    costUsd: 0,
    reservedUsd: 0,
    unsettledUsd: 0,
    after: number === 1 ? [] : [number - 1],
    branch: null,
    error: null,
    waiting: null,
    ...patch,
  };
}

const done = (from: number, to: number, costUsd = 0.01) =>
  ({ status: 'COMPLETED', startedAt: after(from), endedAt: after(to), costUsd }) as const;

function researchSteps(): PanelStep[] {
  return [
    step(1, 'Identify competitors', { ...done(0, 3), isCheckpoint: true }),
    step(2, 'Enough found?', { ...done(3, 3, 0), action: 'conditional' }),
    step(3, 'Widen the search', { status: 'SKIPPED', endedAt: after(3), after: [2], branch: { of: 2, when: false } }),
    step(4, 'Rank them', { ...done(3, 8), after: [2], branch: { of: 2, when: true } }),
    step(5, 'Gather details', { status: 'RUNNING', startedAt: fromNow(-4), after: [3, 4], costUsd: 0.03 }),
    step(6, 'Read their prices', {
      action: 'http_get',
      status: 'PENDING',
      tries: 1,
      wakeAt: fromNow(2),
      after: [3, 4],
      error: 'answered 503 Service Unavailable',
      startedAt: fromNow(-3),
    }),
    step(7, 'Wait for the quarterly figures', {
      action: 'wait',
      status: 'RUNNING',
      startedAt: fromNow(-4),
      wakeAt: fromNow(41),
      after: [3, 4],
    }),
    step(8, 'Combine', { action: 'aggregate', after: [5, 6, 7, 1] }),
    step(9, 'Ask whether it is what was meant', { action: 'approval', after: [8] }),
    step(10, 'Write the report', { isCheckpoint: true, after: [9] }),
    step(11, 'Tell', { action: 'notify', after: [10] }),
  ];
}

function notesSteps(): PanelStep[] {
  const names = ['Read the history', 'Sort the changes', 'Wait for the tag', 'Write the notes', 'Shorten them'];
  return [
    ...names.map((name, at) => step(at + 1, name, done(at, at + 1))),
    step(6, 'Ask before it is sent', {
      action: 'approval',
      status: 'RUNNING',
      startedAt: fromNow(-9),
      questionId: TASK_QUESTION.id,
    }),
  ];
}

/** State of a step in a long task: most of the first have ended, four run, and the rest is pending. */
function stateOf(at: number): Partial<PanelStep> {
  if (at < 400) return at % 90 === 89 ? { status: 'FAILED', error: 'no' } : done(0, 1);
  return at < 404 ? { status: 'RUNNING', startedAt: after(2) } : {};
}

let many: readonly PanelStep[] = [];

/** Returns the same objects each time, as the host does for unchanged steps. */
function manySteps(amount: number): readonly PanelStep[] {
  if (many.length !== amount) {
    many = Array.from({ length: amount }, (_, at) => step(at + 1, `Look at part ${at + 1}`, stateOf(at)));
  }
  return many;
}

const PLAIN = ['Begin', 'Continue', 'Look again', 'Write it down', 'Read it', 'End'];

function stepsOf(id: string): readonly PanelStep[] {
  if (id === 'task-research') return researchSteps();
  if (id === 'task-notes') return notesSteps();
  return PLAIN.map((name, at) => step(at + 1, name, id === 'task-old' ? done(at, at + 1) : {}));
}

const RESULT = '{"competitors":[{"name":"Acme","founded":1999},{"name":"Initech","founded":1996}],"total":2}';

function textsOf({ id, number, status, error }: PanelStep): PanelStepTexts {
  const isDone = status === 'COMPLETED';
  const result = !isDone ? null : number === 1 ? RESULT : number === 4 ? 'Acme, then Initech. '.repeat(400) : 'Fine.';
  return {
    id,
    params: { prompt: 'For each competitor: {{step_1_result}}', maxTokens: 4000 },
    result: number === 2 ? null : result,
    resultBytes: isDone ? (number === 2 ? 2_345_678 : (result?.length ?? 0)) : 0,
    error,
    onError: number === 6 ? 'retry' : 'abort',
    maxRetries: 3,
    backoffSeconds: 60,
    jobId: null,
    sessionId: number === 1 ? 77 : null,
  };
}

function line(id: number, text: string, patch: Partial<PanelTaskLine> = {}): PanelTaskLine {
  return { id, at: after(id), level: 'info', event: null, step: null, text, ...patch };
}

const CHECKPOINT = 'Two competitors were found: Acme (1999) and Initech (1996). Their prices are still to be read.';

const LOG: readonly PanelTaskLine[] = [
  line(1, 'Market Research', { event: 'task:started' }),
  line(2, 'Identify competitors: completed', { event: 'task:step_completed', step: 1 }),
  line(3, CHECKPOINT, { event: 'task:checkpoint', step: 1 }),
  line(4, 'Enough found?: completed', { event: 'task:step_completed', step: 2 }),
  line(5, 'Read their prices: answered 503 Service Unavailable', { level: 'warning', step: 6 }),
  line(6, 'Read their prices: the page has no table', { level: 'error', step: 6 }),
];

/** The details of an open task. `amount`: with that many steps instead of its own. */
export function sampleTask(
  view: PanelView,
  id: string | null,
  selected: number | null,
  amount: number,
): PanelTaskDetails | null {
  if (id === null || !view.tasks.some((one) => one.id === id)) return null;
  const steps = amount > 0 ? manySteps(amount) : stepsOf(id);
  const own = steps.find((one) => one.id === selected);
  return {
    taskId: id,
    description: 'Research competitors in the AI space.',
    objective: 'Create a comprehensive competitor analysis.',
    maxParallel: 4,
    budgetUsd: 2,
    template: 'research-report',
    lastCheckpointSummary: id === 'task-research' ? CHECKPOINT : null,
    checkpointAt: after(3),
    summary: null,
    steps,
    step: own === undefined ? null : textsOf(own),
    log: LOG,
  };
}
