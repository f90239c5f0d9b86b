/** Handles requests that file a brief, and start, pause, resume or end its job. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { askedOf } from '../../../core/approval/about.ts';
import { asksToAccept } from '../../../core/job/gate/acceptResult.ts';
import { lanesOf } from '../../../core/job/lanes.ts';
import { backlogBrief, backlogPlan, backlogTitle, nextBacklog } from '../../../core/job/plan/backlog.ts';
import { jobApprovals } from '../../../core/state/rows.ts';
import type { Clock } from '../../../shared/clock.ts';
import { failure } from '../../../shared/errors.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import { MAIN_PROJECT, type ProjectRow } from '../../../shared/project/projects.ts';
import type { State } from '../../../shared/workspace/state.ts';
import type { Store } from '../../state/store.ts';
import { modelsAsked } from '../filing.ts';
import {
  checkBrief,
  checkEffort,
  checkExecutors,
  checkLadders,
  checkLimited,
  jobOptions,
  titleOf,
  withExecutorsOf,
  withModelOf,
} from './brief.ts';
import { projectOrDefault } from './defaultProject.ts';
import { type EngineRequests, type Input, openJob, type RequestPorts } from './ports.ts';
import { withTerms } from './terms.ts';

/** e.g. `20261121-224501-3fa9`: sorts by time, fits into a branch name. No job of the state has it. */
export function newJobId(clock: Clock, { jobs }: Pick<State, 'jobs'>): string {
  const stamp = new Date(clock.now()).toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  for (;;) {
    const id = `${stamp}-${randomBytes(2).toString('hex')}`;
    if (!jobs.has(id)) return id;
  }
}

/** The project that a brief is filed in. Throws NOT_FOUND or NOT_PERMITTED. */
async function activeProject(store: Store, id: string): Promise<ProjectRow> {
  const project = await projectOrDefault(store, id);
  const why = project.status === 'active' ? project.parked : `it is ${project.status}`;
  if (id !== MAIN_PROJECT && why === null) return project;
  throw failure('NOT_PERMITTED', `project ${id} takes no brief: ${why ?? 'it is the main agent’s own'}`, {
    hint: project.status === 'suspended' ? resumeFirst(id) : '',
  });
}

const resumeFirst = (project: string): string => `Resume the project first: autonomous project resume ${project}`;

/** A job does not run while its project is suspended: it would wait without a visible reason. */
function refuseSuspended({ store }: RequestPorts, { id, project_id }: JobRow): void {
  if (store.state.projects.get(project_id)?.status !== 'suspended') return;
  throw failure('NOT_PERMITTED', `job ${id} cannot run: project ${project_id} is suspended`, {
    hint: resumeFirst(project_id),
  });
}

/**
 * Files a brief under an id that was chosen before. Throws what `submitBrief` throws. With `asks`, the brief is filed even if its
 * model cannot be used, since the caller does not wait: the job asks the steward.
 */
export function filesBriefs(ports: RequestPorts) {
  const { store } = ports;
  return async (id: string, input: Input<'submitBrief'>, { asks = false } = {}): Promise<void> => {
    checkBrief(input);
    const of = store.state.projects.get(input.project);
    const chosen = withExecutorsOf(of, jobOptions(input, withModelOf(of, input.provider, ports.defaults), null));
    const options = await withTerms(chosen, ports);
    checkLimited(options);
    checkEffort(options);
    checkLadders(options);
    const agents = await ports.agents();
    checkExecutors(agents, Object.values(options.executors ?? {}), options);
    await ports.ready({
      what: 'the job cannot start',
      model: asks ? null : { provider: options.provider, models: modelsAsked(agents, options) },
      folder: of?.workdir ?? ports.projectDir,
    });
    const scenario = options.provider === 'simulated' ? await ports.resolveScenario(input.scenario ?? null) : null;
    const project = await activeProject(store, input.project);
    const takes = input.backlog === true;
    const taken = takes ? nextBacklog(store.state) : [];
    // Refused here what no plan could hold, before the job exists.
    if (takes) backlogPlan(taken);
    const brief = takes ? backlogBrief(taken) : input.brief;
    const { amends } = input;
    await store.commit({
      type: 'brief_submitted',
      job: {
        id,
        project_id: project.id,
        repository: project.workdir,
        title: takes ? backlogTitle(taken) : titleOf(brief),
        brief,
        // A backlog has testing steps and no verify commands: a reviewer judges each feature by its steps.
        options: { ...options, scenario, ...(takes ? { reviewEachFeature: true } : {}) },
        job_dir: path.join(ports.jobsDir, id),
        branch: `autonomous/${id}`,
        ...(takes ? { backlog: taken.map((feature) => feature.id) } : {}),
        ...(amends === undefined ? {} : { amends: { job_id: amends.jobId, addition: amends.addition } }),
      },
    });
    ports.work(id);
  };
}

export function jobRequests(ports: RequestPorts) {
  const { store, clock } = ports;
  const file = filesBriefs(ports);
  const changeLanes = async (job: JobRow, lanes: number, by: Input<'resumeJob'>['by']): Promise<void> => {
    if (lanes !== lanesOf(job)) await store.commit({ type: 'job_options_changed', job_id: job.id, lanes, by });
  };
  return {
    submitBrief: async (input) => {
      const jobId = newJobId(clock, store.state);
      await file(jobId, input);
      return { jobId };
    },
    resumeJob: async ({ jobId, budgetMicroUsd, executors, lanes, wake, by }) => {
      const job = openJob(ports, jobId);
      refuseSuspended(ports, job);
      if (executors !== undefined) {
        checkExecutors(await ports.agents(), Object.values(executors), job.options);
        await store.commit({ type: 'job_options_changed', job_id: job.id, executors, by });
      }
      if (lanes !== undefined) await changeLanes(job, lanes, by);
      if (budgetMicroUsd !== undefined)
        await store.commit({ type: 'job_options_changed', job_id: job.id, budgetMicroUsd, by });
      for (const row of jobApprovals(store.state, job.id)) {
        const triedAgain =
          row.kind === 'provider' || (row.kind === 'limit' && row.feature_id === null && budgetMicroUsd !== undefined);
        if (row.status === 'pending' && triedAgain)
          await store.commit({ type: 'approval_voided', id: row.id, reason: 'tried again' });
      }
      const { status, wait } = store.state.jobs.get(job.id) ?? job;
      if (status === 'paused') await store.commit({ type: 'job_resumed', job_id: job.id, by });
      else if (wake && (status === 'waiting' || wait !== null))
        await store.commit({ type: 'tried_now', of: 'job', id: job.id, by });
      ports.work(job.id);
      return null;
    },
    setBudget: async ({ jobId, budgetMicroUsd, by }) => {
      const job = openJob(ports, jobId);
      const before = job.options.budgetMicroUsd;
      await store.commit({ type: 'job_options_changed', job_id: job.id, budgetMicroUsd, by });
      const isMore = before !== null && (budgetMicroUsd === null || budgetMicroUsd > before);
      if (!isMore) return null;
      for (const row of jobApprovals(store.state, job.id)) {
        const about = askedOf(row);
        if (row.status === 'pending' && about.of === 'limit' && about.limit === 'job')
          await store.commit({ type: 'approval_voided', id: row.id, reason: 'the budget was raised' });
      }
      ports.work(job.id);
      return null;
    },
    setLanes: async ({ jobId, lanes, by }) => {
      const job = openJob(ports, jobId);
      await changeLanes(job, lanes, by);
      return null;
    },
    addSetup: async ({ jobId, command, by }) => {
      const job = openJob(ports, jobId);
      if (/[\r\n]/.test(command)) {
        throw failure('INVALID_INPUT', 'a setup command has one line', {
          hint: 'Add each line as a separate command.',
        });
      }
      await store.commit({ type: 'setup_added', job_id: job.id, command, by });
      // The commands that failed may pass now, so they run again before the steward is asked.
      for (const row of jobApprovals(store.state, job.id)) {
        if (row.status === 'pending' && (asksToAccept(row) || askedOf(row).of === 'toolMissing'))
          await store.commit({ type: 'approval_voided', id: row.id, reason: 'a setup command was added' });
      }
      ports.work(job.id);
      return null;
    },
    pauseJob: async ({ jobId, reason, by }) => {
      const job = openJob(ports, jobId);
      if (job.status !== 'paused') await store.commit({ type: 'job_paused', job_id: job.id, reason, by });
      return null;
    },
    cancelJob: async ({ jobId, reason, by }) => {
      const job = openJob(ports, jobId);
      if (job.merging) {
        throw failure('NOT_PERMITTED', `job ${jobId} is being merged: it can no longer be cancelled`, {
          hint: 'When it is done, `autonomous job rollback` undoes the merge.',
        });
      }
      await store.commit({ type: 'job_cancelled', job_id: job.id, reason, by });
      return null;
    },
    selectJob: async ({ jobId }) => {
      await store.commit({ type: 'job_selected', job_id: jobId });
      return null;
    },
  } satisfies Partial<EngineRequests>;
}
