/** What each wish does: checks it against the state and commits the event it comes to. Runs in the owner alone. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { z } from 'zod';
import { isFinal, JOB } from '../core/machines.ts';
import { planFaults } from '../core/planCheck.ts';
import { MAX_RETRIES } from '../core/reduce/features.ts';
import { reduce } from '../core/reduce.ts';
import { reordered } from '../core/reorder.ts';
import { jobApprovals, need, phaseFeatures } from '../core/rows.ts';
import { isPriced } from '../core/unpriced.ts';
import type { Clock } from '../shared/clock.ts';
import type { ApprovalRow, JobOptions, JobRow, MergeMode } from '../shared/domain.ts';
import { failure } from '../shared/errors.ts';
import type { EventDraft } from '../shared/events.ts';
import { applyChanges, type State, TABLE_NAMES } from '../shared/state.ts';
import { mergeRequest } from './actions/merge.ts';
import { planIds } from './actions/plan.ts';
import { MAX_BRIEF_BYTES, WISHES, type WishAnswer, type WishName } from './api.ts';
import type { GitPort } from './ports.ts';
import type { Store } from './store.ts';
import { jobTree } from './tree.ts';

export interface WishPorts {
  readonly store: Store;
  readonly git: GitPort;
  readonly clock: Clock;
  readonly projectDir: string;
  /** Folder of this workspace's jobs. */
  readonly jobsDir: string;
  readonly defaults: JobOptions;
  /** Throws SCENARIO_INVALID; gives what to keep of the name in the job's options. */
  resolveScenario(name: string | null): Promise<string | null>;
  /** Jobs of the project are carried out from now on. */
  work(jobId: string): void;
}

type Input<N extends WishName> = z.output<(typeof WISHES)[N]>;
type Wishes = { readonly [N in WishName]: (input: Input<N>) => Promise<WishAnswer<N>> };

/** The door for all surfaces: the input is validated here, whoever sent it. */
export async function grant<N extends WishName>(wishes: Wishes, name: N, input: unknown): Promise<WishAnswer<N>> {
  const parsed = WISHES[name].safeParse(input);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw failure(
      'INVALID_INPUT',
      `${name}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not right'}`.replace('  ', ' '),
    );
  }
  const wish = wishes[name] as (of: unknown) => Promise<WishAnswer<N>>;
  return wish(parsed.data);
}

export function wishTable(ports: WishPorts): Wishes {
  return { ...jobWishes(ports), ...resultWishes(ports), ...stewardWishes(ports), ...boardWishes(ports) };
}

const DEFAULT_PROJECT = 'default';

/** e.g. `20261121-224501-3fa9`: sorts by time, fits into a branch name. */
function newJobId(clock: Clock): string {
  const stamp = new Date(clock.now()).toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${randomBytes(2).toString('hex')}`;
}

function titleOf(brief: string): string {
  const first = brief.trim().split('\n', 1)[0] ?? '';
  return first.length > 80 ? `${first.slice(0, 79)}…` : first;
}

function checkBrief(brief: string): void {
  if (brief.trim() === '') throw failure('BRIEF_EMPTY', 'the brief is empty', { hint: 'Say what should be done.' });
  const bytes = new TextEncoder().encode(brief).length;
  if (bytes > MAX_BRIEF_BYTES) {
    throw failure('BRIEF_TOO_LARGE', `the brief has ${bytes} bytes, at most ${MAX_BRIEF_BYTES} are allowed`, {
      hint: 'Put the material into the repository and name its files in the brief.',
    });
  }
}

/** `undefined` keeps the default, whatever the value's type. */
function chosen<T>(value: T | undefined, otherwise: T): T {
  return value === undefined ? otherwise : value;
}

function jobOptions(input: Input<'submitBrief'>, defaults: JobOptions, scenario: string | null): JobOptions {
  return {
    ...defaults,
    gates: chosen(input.gates, defaults.gates),
    mergeMode: chosen(input.mergeMode, defaults.mergeMode),
    provider: chosen(input.provider, defaults.provider),
    scenario,
    setup: chosen(input.setup, defaults.setup),
    budgetMicroUsd: chosen(input.budgetMicroUsd, defaults.budgetMicroUsd),
    ...(input.unpricedLimits === undefined ? {} : { unpricedLimits: input.unpricedLimits }),
    models: { ...defaults.models, ...given(input.models) },
    allowedCommands: [...defaults.allowedCommands, ...(input.allowedCommands ?? [])],
    batch: chosen(input.batch, defaults.batch),
    reviewEachFeature: chosen(input.reviewEachFeature, defaults.reviewEachFeature),
  };
}

/** Only what is there: an absent model keeps the default. */
function given(models: Input<'submitBrief'>['models']): Partial<JobOptions['models']> {
  return Object.fromEntries(Object.entries(models ?? {}).filter(([, model]) => model !== undefined));
}

/** Throws INVALID_INPUT. */
function checkLimited({ provider, unpricedLimits }: JobOptions): void {
  if (isPriced(provider) || unpricedLimits !== undefined) return;
  throw failure('INVALID_INPUT', `${provider} names no prices, so the job needs limits of calls and tokens`, {
    hint: 'File the brief from the editor, whose settings give these limits, or choose another provider.',
  });
}

function jobWishes(ports: WishPorts) {
  const { store, clock } = ports;
  return {
    submitBrief: async (input) => {
      checkBrief(input.brief);
      await ports.git.inspect(ports.projectDir);
      const options = jobOptions(input, ports.defaults, null);
      checkLimited(options);
      const scenario = options.provider === 'simulated' ? await ports.resolveScenario(input.scenario ?? null) : null;
      if (!store.state.projects.has(DEFAULT_PROJECT)) {
        await store.commit({ type: 'project_created', project: { id: DEFAULT_PROJECT, model: null, workdir: null } });
      }
      const id = newJobId(clock);
      await store.commit({
        type: 'brief_submitted',
        job: {
          id,
          project_id: DEFAULT_PROJECT,
          title: titleOf(input.brief),
          brief: input.brief,
          options: { ...options, scenario },
          job_dir: path.join(ports.jobsDir, id),
          branch: `autonomous/${id}`,
        },
      });
      ports.work(id);
      return { jobId: id };
    },
    resumeJob: async ({ jobId, budgetMicroUsd, by }) => {
      const job = openJob(ports, jobId);
      if (budgetMicroUsd !== undefined)
        await store.commit({ type: 'job_options_changed', job_id: job.id, budgetMicroUsd, by });
      for (const row of jobApprovals(store.state, job.id)) {
        const triedAgain = row.kind === 'provider' || (row.kind === 'limit' && budgetMicroUsd !== undefined);
        if (row.status === 'pending' && triedAgain)
          await store.commit({ type: 'approval_voided', id: row.id, reason: 'tried again' });
      }
      const status = store.state.jobs.get(job.id)?.status;
      if (status === 'paused') await store.commit({ type: 'job_resumed', job_id: job.id, by });
      if (status === 'waiting') await store.commit({ type: 'job_woken', job_id: job.id });
      ports.work(job.id);
      return null;
    },
    pauseJob: async ({ jobId, reason }) => {
      const job = openJob(ports, jobId);
      if (job.status !== 'paused') await store.commit({ type: 'job_paused', job_id: job.id, reason, by: 'steward' });
      return null;
    },
    cancelJob: async ({ jobId, reason }) => {
      const job = openJob(ports, jobId);
      if (job.merging) {
        throw failure('NOT_PERMITTED', `job ${jobId} is being merged: it can no longer be cancelled`, {
          hint: 'When it is done, `autonomous job rollback` undoes the merge.',
        });
      }
      await store.commit({ type: 'job_cancelled', job_id: job.id, reason, by: 'steward' });
      return null;
    },
    selectJob: async ({ jobId }) => {
      await store.commit({ type: 'job_selected', job_id: jobId });
      return null;
    },
  } satisfies Partial<Wishes>;
}

/** What the steward does to a job's plan and result. */
function resultWishes(ports: WishPorts) {
  const { store } = ports;
  return {
    editPlan: async ({ jobId, plan }) => {
      const job = openJob(ports, jobId);
      const faults = planFaults(plan);
      if (faults.length > 0)
        throw failure('INVALID_INPUT', `the plan cannot be carried out: ${faults.join('; ')}`, { details: { faults } });
      const version = job.plan_version + 1;
      const proposed = {
        type: 'plan_proposed',
        job_id: job.id,
        plan_version: version,
        plan,
        by: 'steward',
        session: null,
      } as const;
      const next = {
        phase: () => store.nextIds('phases', 1)[0] ?? 0,
        feature: () => store.nextIds('features', 1)[0] ?? 0,
      };
      const ids = job.plan_accepted ? planIds(store.state, job, plan, next) : null;
      const accepted =
        ids === null
          ? []
          : [{ type: 'plan_accepted', job_id: job.id, plan_version: version, ids, by: 'steward' } as const];
      // A plan that leaves out what was begun is refused before any of it is committed.
      rehearse(store.state, [proposed, ...accepted]);
      const asked = jobApprovals(store.state, job.id).find((row) => row.status === 'pending' && row.kind === 'plan');
      await store.commit(proposed);
      if (asked !== undefined)
        await store.commit({ type: 'approval_voided', id: asked.id, reason: 'the plan was edited' });
      for (const draft of accepted) await store.commit(draft);
      return null;
    },
    mergeJob: async ({ jobId, mode }) => {
      const over = need(store.state, 'jobs', jobId);
      if (isFinal(JOB, over.status)) return takeResult(ports, over, mode);
      const job = openJob(ports, jobId);
      const gate = jobApprovals(store.state, job.id).find(
        (row) => row.status === 'pending' && (row.kind === 'merge' || row.kind === 'conflict'),
      );
      if (gate === undefined) {
        throw failure('NOT_PERMITTED', `job ${job.id} is ${job.status} and does not wait at the merge gate`, {
          hint: 'See `autonomous jobs`.',
        });
      }
      const choice = gate.kind === 'conflict' && mode === 'merge' ? 'retry' : mode;
      await store.commit({
        type: 'approval_decided',
        id: gate.id,
        decision: 'approved',
        choice,
        feedback: null,
        by: 'steward',
      });
      ports.work(job.id);
      return null;
    },
    rollBack: async ({ jobId }) => {
      const job = need(store.state, 'jobs', jobId);
      if (job.merge === null || job.merge.rolledBack) {
        throw failure('NOT_PERMITTED', `job ${jobId} has no merge that could be rolled back`);
      }
      const message = `Revert "${job.title}"\n\nRolls back job ${job.id}.\n`;
      const result = await ports.git.rollBack(jobTree(ports.projectDir, job), job.merge, message);
      if (result.outcome === 'refused')
        throw failure('NOT_PERMITTED', `the merge cannot be rolled back: ${result.reason}`);
      await store.commit({ type: 'job_rolled_back', job_id: job.id, commit: result.commit });
      return { commit: result.commit };
    },
  } satisfies Partial<Wishes>;
}

/** What a job that is over had finished, put where the steward wants it now. */
async function takeResult(ports: WishPorts, job: JobRow, mode: MergeMode): Promise<null> {
  const refuse = (why: string, hint: string) =>
    failure('NOT_PERMITTED', `job ${job.id} is ${job.status}: ${why}`, { hint });
  if (job.head === null || job.head === job.baseline) throw refuse('it finished nothing', '');
  if (job.merge?.mode === 'merge' && !job.merge.rolledBack) throw refuse('its result is merged', '');
  if (mode === 'merge' && job.status !== 'completed') {
    throw refuse('what it finished was not verified as a whole', 'Take it as a branch or a patch and look at it.');
  }
  const result = await ports.git.integrate(mergeRequest(ports, job, mode, job.head));
  if (result.outcome === 'refused') throw refuse(result.reason, '');
  if (result.outcome === 'moved') {
    throw refuse('the base branch has moved on', `Merge the branch ${job.branch} yourself, or file a new brief.`);
  }
  await ports.store.commit({ type: 'result_merged', job_id: job.id, merge: result.merge });
  return null;
}

/** Throws what the reducer would refuse in a series of drafts; changes nothing. */
function rehearse(state: State, drafts: readonly EventDraft[]): void {
  const copy: State = { ...state };
  for (const name of TABLE_NAMES) Object.assign(copy, { [name]: new Map<unknown, unknown>(state[name]) });
  for (const draft of drafts) {
    const { last_seq, epoch } = copy.meta;
    applyChanges(copy, reduce(copy, { ...draft, seq: last_seq + 1, epoch, at: '' }));
  }
}

function openJob(ports: WishPorts, id: string): JobRow {
  const job = need(ports.store.state, 'jobs', id);
  if (job.status === 'completed' || job.status === 'failed' || job.status === 'cancelled') {
    throw failure('NOT_PERMITTED', `job ${id} is ${job.status}: that is final`, {
      details: { id, status: job.status },
    });
  }
  return job;
}

function stewardWishes(ports: WishPorts) {
  const { store } = ports;
  return {
    decide: async ({ approvalId, decision, choice, feedback, by }) => {
      const approval = need(store.state, 'approvals', approvalId);
      checkDecision(ports, approval, { decision, choice, feedback, by });
      const answer = decision === 'approved' ? (choice ?? approval.choices[0] ?? null) : null;
      await store.commit({ type: 'approval_decided', id: approvalId, decision, choice: answer, feedback, by });
      ports.work(approval.job_id);
      return null;
    },
    setLimits: async (input) => {
      const limits = {
        ...store.state.meta.limits,
        ...Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)),
      };
      await store.commit({ type: 'limits_set', limits, by: 'steward' });
      for (const row of [...store.state.approvals.values()].filter(
        (one) => one.kind === 'limit' && one.status === 'pending',
      )) {
        await store.commit({ type: 'approval_voided', id: row.id, reason: 'the limits were set' });
        ports.work(row.job_id);
      }
      return null;
    },
    adjustCall: async ({ callId, microUsd }) => {
      await store.commit({ type: 'call_adjusted', id: callId, micro_usd: microUsd, by: 'steward' });
      return null;
    },
  } satisfies Partial<Wishes>;
}

/** `--yes` and the demo answer the gates that a person may wave through, and no other. */
const WAVED: Readonly<Record<'yes_flag' | 'demo', readonly ApprovalRow['kind'][]>> = {
  yes_flag: ['plan', 'phase', 'merge', 'dirty_tree', 'setup'],
  demo: ['plan', 'phase', 'merge', 'dirty_tree', 'setup', 'stuck'],
};

function checkDecision(ports: WishPorts, approval: ApprovalRow, input: Omit<Input<'decide'>, 'approvalId'>): void {
  if (approval.status !== 'pending') {
    throw failure('NOT_PERMITTED', `approval ${approval.id} is ${approval.status} already`, {
      hint: 'See `autonomous approvals`.',
    });
  }
  if (input.by !== 'steward' && !WAVED[input.by].includes(approval.kind)) {
    throw failure('NOT_PERMITTED', `only a person answers a question of kind ${approval.kind}`);
  }
  if (input.choice !== null && !approval.choices.includes(input.choice)) {
    throw failure('INVALID_INPUT', `"${input.choice}" is no answer to approval ${approval.id}`, {
      hint: approval.choices.length > 0 ? `Choose one of: ${approval.choices.join(', ')}.` : 'It has no choices.',
    });
  }
  if (input.decision === 'rejected' && (input.feedback ?? '').trim() === '') {
    throw failure('INVALID_INPUT', 'a rejection needs feedback', { hint: 'Say what should be different.' });
  }
  const job = need(ports.store.state, 'jobs', approval.job_id);
  if (approval.kind === 'merge' && approval.commit !== job.head) {
    throw failure('NOT_PERMITTED', `approval ${approval.id} is void: the result is another commit by now`);
  }
}

function boardWishes(ports: WishPorts) {
  const { store } = ports;
  return {
    setFeature: async ({ featureId, status, reason }) => {
      await store.commit({ type: 'feature_set', id: featureId, status, by: 'steward', reason });
      return null;
    },
    retryFeature: async ({ featureId, feedback }) => {
      await store.commit({ type: 'feature_retried', id: featureId, by: 'steward', feedback });
      const feature = need(store.state, 'features', featureId);
      const job = feature.job_id === null ? undefined : store.state.jobs.get(feature.job_id);
      const status = feature.status === 'failed' ? 'failed' : 'pending';
      return { status, retryCount: feature.retry_count, maxRetries: job?.options.maxRetries ?? MAX_RETRIES };
    },
    reorderFeature: async ({ featureId, position }) => {
      const feature = need(store.state, 'features', featureId);
      const rows = feature.phase_id === null ? [] : phaseFeatures(store.state, feature.phase_id);
      for (const moved of reordered(rows, featureId, position))
        await store.commit({ type: 'feature_reordered', ...moved });
      return null;
    },
    addNote: async ({ featureId, category, content, file, line, anchor, supersedes }) => {
      const [id = 0] = store.nextIds('notes', 1);
      await store.commit({
        type: 'note_added',
        note: { id, feature_id: featureId, category, content, created_by_session: null, file, line, anchor },
        supersedes,
      });
      return { noteId: id };
    },
    resolveNote: async ({ noteId }) => {
      await store.commit({ type: 'note_resolved', id: noteId });
      return null;
    },
  } satisfies Partial<Wishes>;
}
