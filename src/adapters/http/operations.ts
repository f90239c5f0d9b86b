/** Defines the endpoints: their input, their answer and their refusals. The routes and the OpenAPI document are built from them. */
import type { z } from 'zod';
import { taskFacts } from '../../core/task/view/taskFacts.ts';
import { taskReport } from '../../core/task/view/taskReport.ts';
import { ACTIVE, taskDetails, taskProgress, taskSummary } from '../../core/task/view/tasks.ts';
import type { TaskService } from '../../engine/task/ask/apiPorts.ts';
import type { Clock } from '../../shared/clock.ts';
import { failure } from '../../shared/errors.ts';
import {
  taskDetailsSchema,
  taskProgressSchema,
  taskReportSchema,
  taskSummarySchema,
} from '../../shared/task/taskApi.ts';
import type { TaskStatus } from '../../shared/task/tasks.ts';
import {
  activeQuerySchema,
  definedTaskSchema,
  listQuerySchema,
  newStepsSchema,
  newTaskSchema,
  nothingSchema,
  reasonSchema,
  resumeSchema,
  taskPageSchema,
} from './bodies.ts';
import type { ErrorStatus } from './errors.ts';
import { pageOf } from './paging.ts';

export const TASKS_PATH = '/api/tasks/long-running';

export interface OperationPorts {
  readonly service: TaskService;
  readonly clock: Clock;
}

interface Input<Q, B> {
  readonly taskId: string;
  readonly query: Q;
  readonly body: B;
}

export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** In the form of OpenAPI. */
  readonly path: string;
  readonly summary: string;
  readonly query: z.ZodType;
  /** Null if it takes no body. */
  readonly body: z.ZodType | null;
  readonly status: 200 | 201;
  readonly answer: z.ZodType;
  /** In addition to those of every operation. */
  readonly refusals: readonly ErrorStatus[];
  run(ports: OperationPorts, input: Input<unknown, unknown>): Promise<unknown>;
}

interface Written<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>
  extends Omit<Operation, 'query' | 'body' | 'answer' | 'run' | 'status'> {
  readonly query?: Q;
  readonly body?: B;
  readonly status?: 201;
  readonly answer: A;
  run(ports: OperationPorts, input: Input<z.output<Q>, z.output<B>>): Promise<z.input<A>>;
}

/** The caller of `run` has validated the input. */
function operation<A extends z.ZodType, Q extends z.ZodType = typeof nothingSchema, B extends z.ZodType = z.ZodNever>(
  written: Written<Q, B, A>,
): Operation {
  const { run, query = nothingSchema, body = null, status = 200, ...rest } = written;
  return { ...rest, query, body, status, run: (ports, input) => run(ports, input as Input<z.output<Q>, z.output<B>>) };
}

const one = `${TASKS_PATH}/{taskId}`;

interface Wanted {
  readonly project?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

async function listed(
  { service, clock }: OperationPorts,
  { project, limit, cursor }: Wanted,
  statuses: readonly TaskStatus[] | undefined,
): Promise<z.input<typeof taskPageSchema>> {
  const state = await service.state();
  const tasks = [...state.tasks.values()].filter(
    (task) =>
      (project === undefined || task.project_id === project) &&
      (statuses === undefined || statuses.includes(task.status)),
  );
  const page = pageOf(tasks, limit, cursor);
  if (page === null) throw failure('INVALID_INPUT', 'the cursor is not one of a page before');
  const facts = taskFacts(state);
  const now = clock.now();
  return { tasks: page.tasks.map(({ id }) => taskSummary(state, id, now, facts)), nextCursor: page.nextCursor };
}

/** A change of a task's status; answers with the task after the change. */
function act<B extends z.ZodType>(
  name: 'start' | 'pause' | 'resume' | 'cancel' | 'retry',
  summary: string,
  body: B,
  run: (service: TaskService, taskId: string, body: z.output<B>) => Promise<void>,
): Operation {
  return operation({
    id: `${name}Task`,
    method: 'POST',
    path: `${one}/${name}`,
    summary,
    body,
    answer: taskSummarySchema,
    refusals: [404, 409],
    run: async ({ service, clock }, input) => {
      await run(service, input.taskId, input.body);
      return taskSummary(await service.state(), input.taskId, clock.now());
    },
  });
}

export const OPERATIONS: readonly Operation[] = [
  operation({
    id: 'createTask',
    method: 'POST',
    path: TASKS_PATH,
    summary: 'Create a task: of a definition, or of a template with its parameters',
    body: newTaskSchema,
    status: 201,
    answer: definedTaskSchema,
    refusals: [404, 409],
    run: async ({ service, clock }, { body }) => {
      const { project, start, ...rest } = body;
      const made = 'template' in rest ? rest : { definition: rest };
      const { taskId, problems } = await service.create({ project, start, ...made });
      return { ...taskDetails(await service.state(), taskId, clock.now()), problems: [...problems] };
    },
  }),
  operation({
    id: 'listTasks',
    method: 'GET',
    path: TASKS_PATH,
    summary: 'List all tasks, newest first',
    query: listQuerySchema,
    answer: taskPageSchema,
    refusals: [],
    run: (ports, { query }) => listed(ports, query, query.status === undefined ? undefined : [query.status]),
  }),
  operation({
    id: 'listActiveTasks',
    method: 'GET',
    path: `${TASKS_PATH}/active`,
    summary: 'List the tasks that run or are paused, newest first',
    query: activeQuerySchema,
    answer: taskPageSchema,
    refusals: [],
    run: (ports, { query }) => listed(ports, query, ACTIVE),
  }),
  operation({
    id: 'getTask',
    method: 'GET',
    path: one,
    summary: 'All of a task: definition, steps with their results, the newest lines of its log',
    answer: taskDetailsSchema,
    refusals: [404],
    run: async ({ service, clock }, { taskId }) => taskDetails(await service.state(), taskId, clock.now()),
  }),
  operation({
    id: 'addSteps',
    method: 'POST',
    path: `${one}/steps`,
    summary: 'Add steps to a task, also to one that runs',
    body: newStepsSchema,
    answer: definedTaskSchema,
    refusals: [404, 409],
    run: async ({ service, clock }, { taskId, body }) => {
      const problems = await service.addSteps(taskId, body.steps);
      return { ...taskDetails(await service.state(), taskId, clock.now()), problems: [...problems] };
    },
  }),
  act('start', 'Start a task', nothingSchema, (service, taskId) => service.start(taskId)),
  act(
    'pause',
    'Pause a task: running steps end, and no other step starts',
    reasonSchema,
    (service, taskId, { reason }) => service.pause(taskId, reason),
  ),
  act('resume', 'Resume a paused task, or try a waiting one now', resumeSchema, (service, taskId, { budgetUsd }) =>
    service.resume(taskId, budgetUsd),
  ),
  act('cancel', 'End a task for good', reasonSchema, (service, taskId, { reason }) => service.cancel(taskId, reason)),
  act('retry', 'Resume a failed task at the step that failed', nothingSchema, (service, taskId) =>
    service.retry(taskId),
  ),
  operation({
    id: 'getProgress',
    method: 'GET',
    path: `${one}/progress`,
    summary: 'How far a task is',
    answer: taskProgressSchema,
    refusals: [404],
    run: async ({ service, clock }, { taskId }) => taskProgress(await service.state(), taskId, clock.now()),
  }),
  operation({
    id: 'getReport',
    method: 'GET',
    path: `${one}/report`,
    summary: 'Results of a task so far, in Markdown',
    answer: taskReportSchema,
    refusals: [404],
    run: async ({ service, clock }, { taskId }) => taskReport(await service.state(), taskId, clock.now()),
  }),
];
