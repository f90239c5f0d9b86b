/** Decides what the lanes of a job do in the phase that is carried out, purely from the state. */
import type { ApprovalRow } from '../../shared/approval.ts';
import { type AttemptRow, type FeatureRow, type JobRow, MAX_LANES, type PhaseRow } from '../../shared/job/rows.ts';
import type { State } from '../../shared/workspace/state.ts';
import { allTried, candidatesOf, isSideBySide, pickedIn } from '../agent/executors.ts';
import { type About, approvalOn } from '../approval/about.ts';
import { featureAttempts, laneOf, openAttempts, phaseFeatures } from '../state/rows.ts';
import { type Action, type Busy, type Due, NOTHING_RUNS } from './action.ts';
import { mergeQueue, nextMerge } from './mergeQueue.ts';
import { sharedPath } from './sharedPaths.ts';

/** Crashes in a row after which a feature is parked. */
const MAX_CRASHES = 5;

export const NO_REASON = 'Rejected without a reason.';

/** Number of features that the job may work on at the same time. */
export const lanesOf = ({ options }: Pick<JobRow, 'options'>): number =>
  Math.min(MAX_LANES, Math.max(1, options.lanes ?? 1));

/** Returns why a pending feature cannot be picked, or null if it can. */
export function heldBecause(state: State, feature: FeatureRow): string | null {
  const other = waitsFor(state, feature);
  if (other === undefined) return null;
  const held = other.status === 'pending' && waitsFor(state, other) !== undefined;
  return `depends on "${other.name}", which ${other.status === 'failed' ? 'failed' : held ? 'is blocked too' : 'is not completed'}`;
}

/** Returns the source of an answer to a question that no rule can answer. */
export const personOf = ({ decided_by }: ApprovalRow): 'steward' | 'yes_flag' | 'demo' =>
  decided_by === 'yes_flag' || decided_by === 'demo' ? decided_by : 'steward';

/** The first dependency that is not completed. A dependency that is no longer in the plan does not block. */
function waitsFor(state: State, feature: FeatureRow): FeatureRow | undefined {
  for (const id of feature.depends_on) {
    const other = state.features.get(id);
    if (other !== undefined && other.status !== 'completed') return other;
  }
  return undefined;
}

/** The pending question that keeps a feature from being picked. */
function featureApproval(state: State, feature: FeatureRow): ApprovalRow | undefined {
  return feature.job_id === null ? undefined : featureApprovals(state).get(feature.id);
}

/** The oldest pending question that blocks each feature. */
export function featureApprovals(state: State): ReadonlyMap<number, ApprovalRow> {
  const oldest = new Map<number, ApprovalRow>();
  for (const row of state.approvals.values()) {
    if (row.status !== 'pending' || row.feature_id === null) continue;
    const known = oldest.get(row.feature_id);
    if (known === undefined || row.id < known.id) oldest.set(row.feature_id, row);
  }
  return oldest;
}

/** The actions that are due in the phase. Never empty if nothing runs. */
export function phaseWork(state: State, job: JobRow, phase: PhaseRow, busy: Busy): readonly Due[] {
  const open = openAttempts(state, job.id);
  const isIdle = open.length === 0 && busy.lanes.size === 0;
  const due = openWork(state, job, open, busy);
  const taken = new Set([...busy.lanes, ...open.map(laneOf)]);
  const free = Array.from({ length: lanesOf(job) }, (_, lane) => lane).filter((lane) => !taken.has(lane));
  const started = free.length === 0 ? [] : starts(state, job, phase, { open, busy, free, isIdle });
  if (due.length + started.length > 0 || busy.lanes.size > 0) return [...due, ...started];
  const questions = featureApprovals(state);
  const asked = phaseFeatures(state, phase.id)
    .filter(({ status }) => status === 'pending' || status === 'in_progress')
    .map((feature) => questions.get(feature.id))
    .filter((row) => row !== undefined);
  if (asked.length > 0) return [{ lane: 0, action: { do: 'await', approvals: asked } }];
  return [{ lane: 0, action: { do: 'begin_review', phase } }];
}

/** What the open attempts do next: they continue, or the first of the queue is merged. */
function openWork(state: State, job: JobRow, open: readonly AttemptRow[], busy: Busy): Due[] {
  const due = open
    .filter((attempt) => attempt.status !== 'queued' && !busy.lanes.has(laneOf(attempt)))
    .map((attempt): Due => ({ lane: laneOf(attempt), action: resume(state, job, attempt) }))
    .filter(({ action }) => action.do !== 'await');
  const isMerging = busy.merge || mergeQueue(state, job.id).some((attempt) => busy.lanes.has(laneOf(attempt)));
  const attempt = isMerging ? null : nextMerge(state, job.id);
  return attempt === null ? due : [...due, { lane: laneOf(attempt), action: { do: 'integrate', attempt } }];
}

interface Room {
  readonly open: readonly AttemptRow[];
  readonly busy: Busy;
  readonly free: readonly number[];
  readonly isIdle: boolean;
}

/** New work for free lanes. */
function starts(state: State, job: JobRow, phase: PhaseRow, { open, busy, free, isIdle }: Room): readonly Due[] {
  const [lane = 0] = free;
  const features = phaseFeatures(state, phase.id).filter(({ id }) => !busy.features.has(id));
  const inLane = new Set(open.map((attempt) => attempt.feature_id));
  const lost = features.find((feature) => feature.status === 'in_progress' && !inLane.has(feature.id));
  if (lost !== undefined) return [{ lane, action: { do: 'release', feature: lost } }];
  const tried = features.find((feature) => feature.status === 'pending' && allTried(feature));
  if (tried !== undefined) return isIdle ? [{ lane, action: pick(state, job, tried) }] : [];
  const questions = featureApprovals(state);
  const ready = features.filter((row) => row.status === 'pending' && heldBecause(state, row) === null);
  // All candidate results start from the same tree: until every agent has attempted the feature, no other work starts.
  const begun = ready.find((feature) => feature.candidates.length > 0);
  const question = begun === undefined ? undefined : questions.get(begun.id);
  if (question !== undefined) return isIdle ? [{ lane, action: { do: 'await', approvals: [question] } }] : [];
  const wanted = begun === undefined ? ready.filter(({ id }) => !questions.has(id)) : [begun];
  const [first] = wanted;
  if (first !== undefined && isSideBySide(first)) return isIdle ? [startIn(lane, phase, first)] : [];
  const alone = wanted.findIndex(isSideBySide);
  const several = alone === -1 ? wanted : wanted.slice(0, alone);
  const room = isSettling(state, busy) ? 0 : roomFor(state, phase, { open, busy, free });
  return inLanes(state, phase, apart(several, workingFeatures(state, open, busy), room), free);
}

/** Whether a lane has ended its feature and is about to be free. Its conversation knows the newest tree, so the next start waits for it. */
function isSettling(state: State, { features }: Busy): boolean {
  const statuses = [...features].map((id) => state.features.get(id)?.status);
  return statuses.some((status) => status === 'completed' || status === 'failed');
}

/**
 * At most `room` features that share no path with `working` or with an earlier one of them: one after the other, they need no second
 * merge. A feature that waits keeps its turn: none that shares a path with it starts before it.
 */
function apart(wanted: readonly FeatureRow[], working: readonly FeatureRow[], room: number): FeatureRow[] {
  const before = [...working];
  const started: FeatureRow[] = [];
  for (const feature of wanted) {
    if (started.length >= room) break;
    if (before.every((other) => sharedPath(feature, other) === null)) started.push(feature);
    before.push(feature);
  }
  return started;
}

/** Features of open attempts and of lanes in preparation, without those that wait for the steward: an answer may take all night. */
function workingFeatures(state: State, open: readonly AttemptRow[], busy: Pick<Busy, 'features'>): FeatureRow[] {
  const questions = featureApprovals(state);
  const ids = new Set([...open.flatMap(({ feature_id }) => feature_id ?? []), ...busy.features]);
  return [...ids].flatMap((id) => (questions.has(id) ? [] : (state.features.get(id) ?? [])));
}

/** Returns a function that states why a pending feature does not start beside the work in the lanes. Null if it can. */
export function delaysOf(state: State, jobId: string): (feature: FeatureRow) => string | null {
  const working = workingFeatures(state, openAttempts(state, jobId), NOTHING_RUNS);
  return (feature) => {
    for (const other of working) {
      const isApart = other.id === feature.id || other.phase_id !== feature.phase_id;
      const path = isApart ? null : sharedPath(feature, other);
      if (path !== null) return `waits for "${other.name}", which probably changes ${path} too`;
    }
    return null;
  };
}

const startIn = (lane: number, phase: PhaseRow, feature: FeatureRow): Due => ({
  lane,
  action: { do: 'attempt', phase, feature },
});

/** A feature returns to the lane of its last attempt if that is free. Otherwise it takes the lane that worked last: its conversation knows the newest tree. */
function inLanes(state: State, phase: PhaseRow, features: readonly FeatureRow[], free: readonly number[]): Due[] {
  const left = new Set(newestFirst(state, phase, free));
  return features.map((feature) => {
    const last = featureAttempts(state, feature.id).at(-1);
    const [first = 0] = left;
    const lane = last !== undefined && left.has(laneOf(last)) ? laneOf(last) : first;
    left.delete(lane);
    return startIn(lane, phase, feature);
  });
}

function newestFirst(state: State, phase: PhaseRow, free: readonly number[]): readonly number[] {
  if (free.length < 2) return free;
  const ends = new Map<number, string>();
  for (const row of state.attempts.values()) {
    const end = row.ended_at ?? '';
    if (row.phase_id === phase.id && row.feature_id !== null && end > (ends.get(laneOf(row)) ?? ''))
      ends.set(laneOf(row), end);
  }
  return free.toSorted((a, b) => (ends.get(b) ?? '').localeCompare(ends.get(a) ?? '') || a - b);
}

/**
 * Number of attempts that may start now. The first conversation of a phase gets its first answer alone: the others then read its
 * prompt from the provider's cache.
 */
function roomFor(state: State, phase: PhaseRow, { open, busy, free }: Omit<Room, 'isIdle'>): number {
  if (free.length < 2 && open.length === 0) return free.length;
  const ofPhase = [...state.attempts.values()].filter((row) => row.phase_id === phase.id && row.feature_id !== null);
  if (ofPhase.some((row) => row.status !== 'running' || row.number > 1)) return free.length;
  const sessions = new Set(ofPhase.map((row) => row.session_id));
  for (const spend of state.spends.values())
    if (sessions.has(spend.session_id ?? 0) && spend.status === 'settled') return free.length;
  return open.length + busy.lanes.size > 0 ? 0 : 1;
}

/** No other work starts meanwhile, because all results are based on the same tree. */
function pick(state: State, job: JobRow, feature: FeatureRow): Action {
  const candidates = candidatesOf(state, feature);
  const none = { do: 'pick', feature, attempt: null } as const;
  if (candidates.every((attempt) => attempt.status !== 'succeeded')) {
    const feedback = candidates.findLast((attempt) => attempt.feedback !== null)?.feedback ?? null;
    return { ...none, feedback, by: 'engine' };
  }
  const about: About = { of: 'pick', featureId: feature.id, candidates: feature.candidates };
  const asked = approvalOn(state, job.id, about);
  if (asked === undefined || asked.status === 'void')
    return { do: 'ask', about, question: { kind: 'pick', feature, candidates } };
  if (asked.status === 'pending') return { do: 'await', approvals: [asked] };
  const by = personOf(asked);
  if (asked.status === 'rejected') return { ...none, feedback: asked.feedback || NO_REASON, by };
  const picked = pickedIn(asked);
  const attempt = candidates.find((one) => one.id === picked) ?? null;
  return { do: 'pick', feature, attempt, feedback: asked.feedback, by };
}

/** Continues an interrupted attempt, or asks about one that crashes repeatedly. */
export function resume(state: State, job: JobRow, attempt: AttemptRow): Action {
  const feature = attempt.feature_id === null ? undefined : state.features.get(attempt.feature_id);
  if (feature === undefined) return resumeReview(state, job, attempt);
  if (feature.crash_count < MAX_CRASHES) return { do: 'resume', attempt };
  const pending = featureApproval(state, feature);
  if (pending !== undefined) return { do: 'await', approvals: [pending] };
  const about: About = { of: 'crashes', attempt: attempt.id, times: attempt.interruptions };
  const asked = approvalOn(state, job.id, about);
  if (asked !== undefined) return { do: 'resume', attempt };
  return { do: 'ask', about, question: { kind: 'crashes', attempt, feature } };
}

/** A review that crashed as often is asked about again after as many crashes more. */
function resumeReview(state: State, job: JobRow, attempt: AttemptRow): Action {
  const round = Math.floor(attempt.interruptions / MAX_CRASHES);
  if (round === 0) return { do: 'resume', attempt };
  const about: About = { of: 'crashes', attempt: attempt.id, times: round };
  const asked = approvalOn(state, job.id, about);
  if (asked === undefined) return { do: 'ask', about, question: { kind: 'crashes', attempt, feature: null } };
  if (asked.status !== 'rejected') return { do: 'resume', attempt };
  return { do: 'fail', reason: `the review crashed ${attempt.interruptions} times` };
}
