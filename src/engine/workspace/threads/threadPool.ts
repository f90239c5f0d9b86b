/**
 * Decides which projects have a worker thread: every active project that is not parked, from the start of the owner; the default
 * project and the main agent from their first use. Follows the state, and is the only module that starts or ends project threads.
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
  extends Pick<ProjectSupervisorOptions, 'store' | 'clock' | 'spawn' | 'live' | 'ended' | 'problem' | 'evalResults'> {
  /** The start parameters of the project's thread. */
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
  /** The briefing for the next turn of the project's conversation. */
  briefing(projectId: string, heldUpTo: number): Promise<Briefing>;
  /** Describes how a message of the project is delivered. */
  delivery(projectId: string, messageId: number): string;
}

/** The default project and the main agent: their threads start with their first work. */
const isBuiltIn = (projectId: string): boolean => projectId === DEFAULT_PROJECT || projectId === MAIN_PROJECT;

/** Number of threads that are started before they have work. The threads of further projects start with their first work. */
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

  /** Whether a job is running or being stopped. */
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

  /** Whether the project is active and not parked. */
  mayRun(projectId: string): boolean {
    const project = this.#options.store.state.projects.get(projectId);
    return !this.#stopping && project?.status === 'active' && project.parked === null;
  }

  /** Starts the job as soon as its project may run. */
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

  /** Starts a thread for a project that has none and may run. */
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
      // Changes how the project is shown, not whether it may run.
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

  /** Follows a changed status: a project that may run resumes all its work, any other is stopped. */
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

  /**
   * The ledger has the last answer, or the session has ended. A kill or a stop may have prevented the journal from recording the
   * answer.
   */
  async #lookAgain(projectIds: readonly string[]): Promise<void> {
    for (const id of projectIds) {
      if (!(await this.#options.isAnswered(id))) this.converse(id);
    }
  }

  /** Resumes a conversation when the question that blocked it is answered. A raised limit has a separate event. */
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

  /** Reports the fate of a project's thread in its conversation. The default project may have no conversation. */
  #tell(projectId: string, text: string): Promise<void> {
    const { store } = this.#options;
    if (projectId === DEFAULT_PROJECT && projectMessages(store.state, projectId).length === 0) return Promise.resolve();
    return this.#commit(newMessage(store, { project_id: projectId, direction: 'out', sender: 'engine', text }));
  }

  /** A built-in project is restarted by the next job or message; any other needs a decision of the user. */
  #gaveUp(projectId: string, why: string): Promise<void> {
    if (isBuiltIn(projectId))
      return this.#tell(projectId, `I cannot continue: ${why}. The next message starts another attempt.`);
    const approval = newQuestion(this.#options.store, projectId, {
      kind: 'project',
      about: { of: 'project', projectId },
      question: `Start the project ${projectId} again?`,
      detail: `No work of this project runs: ${why}.\nNothing is lost. Its running jobs were paused: resume them after this.`,
      choices: ['try_again'],
    });
    return this.#commit({ type: 'project_parked', project_id: projectId, reason: why, approval });
  }

  /** Best effort: the project may be suspended meanwhile, and a full disk is reported elsewhere. */
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
    const { briefing, delivery, jobTool, recall, evalResults } = this.#options;
    const supervisor = new ProjectSupervisor({
      projectId,
      store,
      clock,
      spawn,
      live,
      ended,
      problem,
      evalResults,
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
