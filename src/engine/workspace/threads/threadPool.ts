/**
 * Who of the projects has a thread: those that are active and not parked, from the start of the owner on; the default one's
 * and the main agent's from when they are first needed. Follows the state: nobody else starts or ends a project's thread.
 */
import { everConversed, unfinishedConversations, wakesTurn } from '../../../core/project/conversations.ts';
import { isFinal, JOB } from '../../../core/state/machines.ts';
import { projectJobs, projectMessages } from '../../../core/state/rows.ts';
import { asFailure, failure, toPlain } from '../../../shared/errors.ts';
import type { AskedBrief } from '../../../shared/job/jobTool.ts';
import { DEFAULT_PROJECT, MAIN_PROJECT, type ProjectRow } from '../../../shared/project/projects.ts';
import type { StepAssignment, StepResult } from '../../../shared/task/taskWork.ts';
import type { Event, EventDraft } from '../../../shared/workspace/events.ts';
import type { Change } from '../../../shared/workspace/state.ts';
import { newQuestion } from '../../project/definition/parking.ts';
import type { JobToolInput } from '../../project/jobTool.ts';
import { newMessage } from '../../project/talk/messages.ts';
import type { Answered, Briefing } from '../../project/threadPorts.ts';
import { ProjectSupervisor, type ProjectSupervisorOptions } from './projectSupervisor.ts';

export interface ThreadPoolOptions
  extends Pick<ProjectSupervisorOptions, 'store' | 'clock' | 'spawn' | 'live' | 'ended' | 'problem'> {
  /** What a thread of the project is told at its start. */
  start(projectId: string): ReturnType<ProjectSupervisorOptions['start']>;
  /** Whether the journal of its conversation ends with an answer; when in doubt it does not. Does not reject. */
  isAnswered(projectId: string): Promise<boolean>;
  /** Files a brief of the project's conversation. */
  submitBrief(projectId: string, sessionId: number, asked: AskedBrief): Promise<{ readonly jobId: string }>;
  /** A call of `long_running_task` by the project's conversation. */
  taskTool(projectId: string, sessionId: number, input: unknown): Promise<string>;
  /** A job of the project: read, or steered. */
  jobTool(projectId: string, input: JobToolInput): Promise<string>;
  /** Searches its conversation for a query. Returns text for a model. */
  recall(projectId: string, query: string): string;
  /** A tool of the main agent. */
  mainTool(name: string, input: unknown): Promise<string>;
  /** What the project's conversation is told before its next turn. */
  briefing(projectId: string, heldUpTo: number): Promise<Briefing>;
  /** What becomes of a message that the project said. */
  delivery(projectId: string, messageId: number): string;
}

/** The default project and the main agent: their threads start with their first work. */
const isBuiltIn = (projectId: string): boolean => projectId === DEFAULT_PROJECT || projectId === MAIN_PROJECT;

/** Threads that wait for their work. Of more active projects than that, a thread begins with the first work of its project. */
const MOST_AHEAD = 32;

export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #supervisors = new Map<string, ProjectSupervisor>();
  readonly #unsubscribe: () => void;
  #stopping = false;

  /** Starts the threads of the projects that are active. */
  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    this.#unsubscribe = options.store.subscribe((event, changes) => {
      for (const supervisor of this.#supervisors.values()) supervisor.fold(event, changes);
      this.#react(event, changes);
    });
    for (const { id } of options.store.state.projects.values()) this.#begin(id);
    const unfinished = unfinishedConversations(options.store.state);
    for (const id of unfinished) this.converse(id);
    void this.#lookAgain([...everConversed(options.store.state)].filter((id) => !unfinished.has(id)));
  }

  /** Whether a job is being carried out, or put away. */
  hasInHand(jobId: string): boolean {
    return [...this.#supervisors.values()].some((supervisor) => supervisor.hasInHand(jobId));
  }

  /** Ids of the jobs whose loop runs. */
  get jobs(): readonly string[] {
    return [...this.#supervisors.values()].flatMap((supervisor) => supervisor.jobs);
  }

  /** Ids of the projects whose conversation has a turn in hand. */
  get turns(): readonly string[] {
    return [...this.#supervisors].filter(([, supervisor]) => supervisor.isTalking).map(([id]) => id);
  }

  /** Whether the project has a thread, or had one a moment ago. */
  isLive(projectId: string): boolean {
    return this.#supervisors.get(projectId)?.isLive === true;
  }

  /** It is active, and nothing holds it. */
  mayRun(projectId: string): boolean {
    const project = this.#options.store.state.projects.get(projectId);
    return !this.#stopping && project?.status === 'active' && project.parked === null;
  }

  /** Carries the job out from now on, as soon as its project may. */
  work(jobId: string): void {
    const job = this.#options.store.state.jobs.get(jobId);
    if (job !== undefined && this.mayRun(job.project_id)) this.#hostOf(job.project_id).work(jobId);
  }

  /** The conversation has something to answer. */
  converse(projectId: string): void {
    if (this.mayRun(projectId)) this.#attempt(() => this.#hostOf(projectId).converse());
  }

  /** Carries out a step of a task in its project's thread; `aborted` at once when the project may not run now. */
  async step(order: StepAssignment, signal: AbortSignal): Promise<StepResult> {
    return this.mayRun(order.projectId) ? this.#hostOf(order.projectId).step(order, signal) : { outcome: 'aborted' };
  }

  /** Graceful, all at once, within the time that VS Code gives. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#supervisors.values()].map((supervisor) => supervisor.stop()));
    this.#unsubscribe();
  }

  /** A thread for one that has none and may run. */
  #begin(projectId: string): void {
    if (isBuiltIn(projectId) || !this.mayRun(projectId)) return;
    const others = [...this.#supervisors].filter(([id, supervisor]) => id !== projectId && supervisor.isLive);
    if (others.length < MOST_AHEAD) this.#attempt(() => this.#hostOf(projectId).keep());
  }

  #react(event: Event, changes: readonly Change[]): void {
    switch (event.type) {
      case 'message_sent':
        if (wakesTurn(event.message)) this.converse(event.message.project_id);
        return;
      case 'project_defined':
      case 'limits_set':
        for (const id of unfinishedConversations(this.#options.store.state)) this.converse(id);
        break;
      // It changes what is shown of the project, and nothing of what may run.
      case 'wait_begun':
      case 'wait_ended':
      case 'call_reserved':
        return;
      case 'approval_decided':
      case 'approval_voided':
        this.#settled(event.id);
        break;
      default:
    }
    for (const change of changes) {
      if (change.table === 'projects' && 'put' in change) this.#follow(change.put);
    }
  }

  /** Its life changed: one that may run goes on with all it has, one that may not is stopped. */
  #follow({ id }: ProjectRow): void {
    if (!this.mayRun(id)) {
      const supervisor = this.#supervisors.get(id);
      if (supervisor !== undefined && !this.#stopping) void supervisor.rest();
      return;
    }
    this.#begin(id);
    this.#supervisors.get(id)?.refresh();
    for (const job of projectJobs(this.#options.store.state, id)) {
      if (job.status !== 'paused' && !isFinal(JOB, job.status)) this.#attempt(() => this.work(job.id));
    }
    const { state } = this.#options.store;
    if (unfinishedConversations(state).has(id)) this.converse(id);
    else if (everConversed(state).has(id)) void this.#lookAgain([id]);
  }

  /** The ledger has its last answer, or its session is over; a kill or a stop may have come before its journal had the answer. */
  async #lookAgain(projectIds: readonly string[]): Promise<void> {
    for (const id of projectIds) {
      if (!(await this.#options.isAnswered(id))) this.converse(id);
    }
  }

  /** What kept a conversation from going on is answered; a limit is raised by an event of its own. */
  #settled(approvalId: number): void {
    const asked = this.#options.store.state.approvals.get(approvalId);
    if (asked?.job_id !== null || asked.task_id !== null || (asked.kind !== 'limit' && asked.kind !== 'provider'))
      return;
    if (asked.kind === 'provider' || asked.status !== 'approved') this.converse(asked.project_id);
  }

  #attempt(act: () => void): void {
    try {
      act();
    } catch (thrown) {
      this.#options.problem(`a worker thread could not be started: ${asFailure(thrown).message}`);
    }
  }

  /** Says in its conversation what became of a project's thread; the default one may have no conversation at all. */
  #tell(projectId: string, text: string): Promise<void> {
    const { store } = this.#options;
    if (projectId === DEFAULT_PROJECT && projectMessages(store.state, projectId).length === 0) return Promise.resolve();
    return this.#commit(newMessage(store, { project_id: projectId, direction: 'out', sender: 'engine', text }));
  }

  /** The next job or message tries a built-in project again; any other waits for a person. */
  #gaveUp(projectId: string, why: string): Promise<void> {
    if (isBuiltIn(projectId)) return this.#tell(projectId, `I cannot go on: ${why}. The next message tries again.`);
    const approval = newQuestion(this.#options.store, projectId, {
      kind: 'project',
      about: { of: 'project', projectId },
      question: `Start the project ${projectId} again?`,
      detail: `Nothing of it runs: ${why}.\nNothing is lost. Jobs that were under way are paused: resume them after this.`,
      choices: ['try_again'],
    });
    return this.#commit({ type: 'project_parked', project_id: projectId, reason: why, approval });
  }

  /** Best effort: it may be suspended by now, and a disk that is full is told of elsewhere. */
  async #commit(draft: EventDraft): Promise<void> {
    try {
      await this.#options.store.commit(draft);
    } catch (thrown) {
      const { code, message } = asFailure(thrown);
      if (code !== 'ILLEGAL_TRANSITION') this.#options.problem(message);
    }
  }

  #hostOf(projectId: string): ProjectSupervisor {
    const known = this.#supervisors.get(projectId);
    if (known !== undefined) return known;
    const { store, clock, spawn, live, ended, problem, start, submitBrief, taskTool, mainTool } = this.#options;
    const { briefing, delivery, jobTool, recall } = this.#options;
    const supervisor = new ProjectSupervisor({
      projectId,
      store,
      clock,
      spawn,
      live,
      ended,
      problem,
      start: () => start(projectId),
      submitBrief: (sessionId, asked) => answered(submitBrief(projectId, sessionId, asked)),
      taskTool: (sessionId, input) => answered(taskTool(projectId, sessionId, input)),
      mainTool: (name, input) => answered(projectId === MAIN_PROJECT ? mainTool(name, input) : notMain()),
      jobTool: (job, action, reason) => answered(jobTool(projectId, { job, action, reason })),
      recall: (query) => answered(Promise.try(recall, projectId, query)),
      briefing: (heldUpTo) => answered(briefing(projectId, heldUpTo)),
      delivery: (messageId) => answered(Promise.try(delivery, projectId, messageId)),
      tell: (text) => this.#tell(projectId, text),
      gaveUp: (why) => this.#gaveUp(projectId, why),
    });
    this.#supervisors.set(projectId, supervisor);
    return supervisor;
  }
}

async function notMain(): Promise<never> {
  throw failure('NOT_PERMITTED', 'only the main agent has these tools', {
    hint: 'Say what you need with notify: it reaches whom it concerns.',
  });
}

async function answered<T>(answer: Promise<T>): Promise<Answered<T>> {
  try {
    return { value: await answer };
  } catch (thrown) {
    return { failure: toPlain(thrown) };
  }
}
