/**
 * Runs a whole job on the simulated model, in a temp folder: no network, no change of any state, a course and a cost
 * estimate.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rm } from '../../adapters/platform/heldFiles.ts';
import { commandsOf } from '../../adapters/simulated/scenario.ts';
import { pendingApprovals } from '../../core/approval/stewardship.ts';
import { countedMicroUsd } from '../../core/state/rows.ts';
import type { RequestInput } from '../../engine/state/api.ts';
import type { Rehearsal, RehearsedStep } from '../../engine/workspace/workspace.ts';
import type { Executors } from '../../shared/agent/executorSchemas.ts';
import { EXECUTOR_ROLES } from '../../shared/agent/executors.ts';
import type { ApprovalKind } from '../../shared/approval.ts';
import { failure } from '../../shared/errors.ts';
import type { Event } from '../../shared/workspace/events.ts';
import type { State } from '../../shared/workspace/state.ts';
import { loadScenario } from '../assets/scenarios.ts';
import type { Owner } from '../owner/assemble.ts';
import { becomeOwner } from '../owner/owner.ts';
import type { OwnerOptions } from '../owner/ownerOptions.ts';

/** A simulation writes less than a model: real runs of the demo's size were between these factors. */
const LOW = 1;
const HIGH = 5;

export async function dryRun(
  options: OwnerOptions,
  input: RequestInput<'submitBrief'>,
  signal: AbortSignal,
): Promise<Rehearsal> {
  const folder = await mkdtemp(join(tmpdir(), 'autonomous-dry-run-'));
  const places = {
    ...options.places,
    stateDir: join(folder, 'state'),
    jobsDir: join(folder, 'jobs'),
    configDir: join(folder, 'config'),
  };
  const owner = await becomeOwner({
    ...options,
    places,
    work: true,
    keepAwake: () => false,
    delayMs: 0,
    credentials: { key: () => null, baseUrl: null },
  });
  try {
    return await course(owner, input, signal);
  } finally {
    await owner.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** No external agent is started: the built-in one replaces it. */
async function course(
  owner: Owner,
  { executors = {}, ...input }: RequestInput<'submitBrief'>,
  signal: AbortSignal,
): Promise<Rehearsal> {
  const steps: RehearsedStep[] = [];
  const over = Promise.withResolvers<void>();
  const answered = new Set<number>();
  owner.follow({
    event: (event) => {
      const step = stepOf(owner.state, event, executors);
      if (step !== null) steps.push(step);
      if (event.type === 'job_completed' || event.type === 'job_failed' || event.type === 'job_paused') over.resolve();
      // A question may be part of another event: the end of an attempt that is stuck.
      for (const { id } of pendingApprovals(owner.state).filter((row) => !answered.has(row.id))) {
        answered.add(id);
        void answer(owner, id).catch(over.reject);
      }
    },
    failed: (_, { message }) => over.reject(failure('INTERNAL', message)),
  });
  signal.addEventListener('abort', () => over.reject(signal.reason as Error), { once: true });
  const scenario = await loadScenario(input.scenario ?? null);
  const builtIn = [await loadScenario('generic'), await loadScenario('demo')].flatMap(commandsOf);
  const { jobId } = await owner.request('submitBrief', {
    ...input,
    provider: 'simulated',
    gates: [],
    mergeMode: 'patch',
    setup: [],
    allowedCommands: [...builtIn, ...(input.allowedCommands ?? [])].map((argv) => [...argv]),
  });
  await over.promise;
  const micro = [...owner.state.spends.values()].reduce((sum, row) => sum + countedMicroUsd(row), 0);
  const version = owner.state.jobs.get(jobId)?.plan_version ?? 0;
  return {
    plan: owner.state.plans.get(`${jobId}#${version}`)?.plan ?? null,
    steps,
    costUsd: micro / 1e6,
    lowUsd: (LOW * micro) / 1e6,
    highUsd: (HIGH * micro) / 1e6,
    note: `Tokens of the scenario "${scenario.title}" at the real prices of the chosen models; a real model reads and writes more.`,
  };
}

const REHEARSED: ReadonlySet<ApprovalKind> = new Set([
  'plan',
  'phase',
  'merge',
  'dirty_tree',
  'unmergeable',
  'stuck',
  'escalate',
]);

/** A dry run asks no person: questions count as answered. */
async function answer(owner: Owner, id: number): Promise<void> {
  const approval = owner.state.approvals.get(id);
  if (approval?.status !== 'pending') return;
  // A command that needs approval does not run in a rehearsal either.
  const decision = REHEARSED.has(approval.kind) ? 'approved' : 'rejected';
  const choice = decision === 'approved' ? (approval.choices[0] ?? null) : null;
  await owner.request('decide', { approvalId: id, decision, choice, feedback: 'Decide sensibly.', by: 'steward' });
}

function stepOf(state: State, event: Event, executors: Executors): RehearsedStep | null {
  const { at } = event;
  switch (event.type) {
    case 'call_settled': {
      const spend = state.spends.get(event.id);
      const feature =
        spend?.feature_id === null || spend === undefined ? undefined : state.features.get(spend.feature_id);
      const about = feature === undefined ? '' : ` for "${feature.name}"`;
      const role = EXECUTOR_ROLES.find((one) => one === spend?.role);
      const by = role === undefined || executors[role] === undefined ? '' : `, by ${executors[role]} in a real run`;
      return { at, text: `${spend?.role ?? 'model'} call${about}${by}`, costUsd: event.micro_usd / 1e6 };
    }
    case 'plan_accepted':
      return { at, text: `plan ${event.plan_version} with ${event.ids.phases.length} phases`, costUsd: 0 };
    case 'phase_started':
      return { at, text: `phase "${state.phases.get(event.phase_id)?.title ?? ''}"`, costUsd: 0 };
    case 'attempt_ended':
      return { at, text: `attempt ${event.status} (${event.cause})`, costUsd: 0 };
    case 'phase_approved':
      return { at, text: 'phase approved', costUsd: 0 };
    case 'phase_rejected':
      return { at, text: `phase rejected: ${event.feedback}`, costUsd: 0 };
    case 'approval_requested':
      return { at, text: `the steward is asked: ${event.approval.question}`, costUsd: 0 };
    case 'job_completed':
      return { at, text: 'done: the result would be merged', costUsd: 0 };
    case 'job_failed':
      return { at, text: `failed: ${event.reason}`, costUsd: 0 };
    default:
      return null;
  }
}
