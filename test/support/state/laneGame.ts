/**
 * Plays the lanes of a job on rows alone: random outcomes, conflicts, kills and changes of the number of lanes, with a model of git in
 * which a commit is the set of the commits below it.
 */

import type { Busy, Due } from '../../../src/core/job/action.ts';
import { NOTHING_RUNS } from '../../../src/core/job/action.ts';
import { heldBecause, lanesOf } from '../../../src/core/job/lanes.ts';
import { needsNoMerge, nextMerge } from '../../../src/core/job/mergeQueue.ts';
import { nextActions } from '../../../src/core/job/nextAction.ts';
import { laneOf, need, openAttempts } from '../../../src/core/state/rows.ts';
import type { AttemptRow, FeatureRow } from '../../../src/shared/job/rows.ts';
import type { State } from '../../../src/shared/workspace/state.ts';
import { JOB_ID, PROJECT_ID, planOf } from './builders.ts';
import { acceptedJob, attemptEnded, type Fold, sessionEnd } from './fold.ts';

/** Returns a whole number from 0 to below the argument. */
export type Dice = (sides: number) => number;

const BASE = 'base';
const NEVER = 0;

export interface Played {
  readonly state: State;
  /** The commits of the job's branch, oldest first. */
  readonly branch: readonly string[];
  /** What broke a promise. Empty if nothing did. */
  readonly broken: readonly string[];
  readonly returns: number;
  readonly most: number;
}

/** `depends`: for each feature the numbers of earlier ones, counted from 0. */
export function playLanes(depends: readonly (readonly number[])[], lanes: number, dice: Dice): Played {
  return new LaneGame(depends, lanes, dice).play();
}

class LaneGame {
  readonly #fold: Fold;
  readonly #dice: Dice;
  readonly #running = new Map<number, Due['action']>();
  /** Tip of the branch at the start of each merge that runs, by lane. */
  readonly #onto = new Map<number, string>();
  readonly #below = new Map<string, ReadonlySet<string>>([[BASE, new Set([BASE])]]);
  readonly #branch: string[] = [];
  readonly #broken: string[] = [];
  #ids = 0;
  #returns = 0;
  #most = 0;

  constructor(depends: readonly (readonly number[])[], lanes: number, dice: Dice) {
    this.#dice = dice;
    const lines = depends.map((on, index) =>
      [`f${index}`, on.map((one) => `f${one}`).join(', ')].filter((part) => part !== '').join(' < '),
    );
    this.#fold = acceptedJob(planOf({ Phase: lines }), { lanes, gates: [], maxRetries: 3 });
    this.#fold.commit(
      { type: 'baseline_checked', job_id: JOB_ID, evidence: [], skipped: null },
      { type: 'phase_started', job_id: JOB_ID, phase_id: 1, base_commit: BASE },
    );
  }

  play(): Played {
    for (let step = 0; step < 5_000 && !this.#isOver(); step++) {
      this.#start();
      this.#check();
      const luck = this.#dice(40);
      if (luck === 0) this.#kill();
      else if (luck === 2) this.#setByHand();
      else if (luck === 1)
        this.#fold.commit({ type: 'job_options_changed', job_id: JOB_ID, lanes: 1 + this.#dice(4), by: 'steward' });
      else this.#finish();
      this.#check();
    }
    if (!this.#isOver()) this.#broken.push('the phase never ends');
    const { state } = this.#fold;
    return { state, branch: this.#branch, broken: this.#broken, returns: this.#returns, most: this.#most };
  }

  get #head(): string {
    return need(this.#fold.state, 'jobs', JOB_ID).head ?? BASE;
  }

  #busy(): Busy {
    const features = [...this.#running.values()].flatMap((action) =>
      action.do === 'attempt' ? [action.feature.id] : [],
    );
    const merge = [...this.#running.values()].some((action) => action.do === 'integrate');
    return { lanes: new Set(this.#running.keys()), features: new Set(features), job: false, merge };
  }

  #isOver(): boolean {
    if (this.#running.size > 0) return false;
    const [next] = nextActions(this.#fold.state, JOB_ID, NEVER, NOTHING_RUNS);
    return next?.action.do === 'begin_review';
  }

  #start(): void {
    for (const { lane, action } of nextActions(this.#fold.state, JOB_ID, NEVER, this.#busy())) {
      if (this.#running.has(lane)) this.#broken.push(`lane ${lane} does two things at once`);
      if (action.do === 'begin_review') return;
      this.#running.set(lane, action);
      if (action.do === 'integrate') this.#onto.set(lane, this.#head);
      if (action.do === 'attempt') this.#begin(lane, action.feature);
      if (action.do === 'resume' && action.attempt.status === 'interrupted')
        this.#fold.commit({ type: 'attempt_resumed', id: action.attempt.id, job_id: JOB_ID });
    }
    this.#checkIdle();
    const merging = [...this.#running.values()].filter((action) => action.do === 'integrate');
    if (merging.length > 1) this.#broken.push('two merges at once');
    if (merging.length === 0 && nextMerge(this.#fold.state, JOB_ID) !== null)
      this.#broken.push('the queue stands still');
    this.#most = Math.max(this.#most, this.#running.size);
  }

  #begin(lane: number, feature: FeatureRow): void {
    const id = ++this.#ids;
    const base = this.#head;
    this.#fold.commit(
      {
        type: 'session_started',
        id,
        job_id: JOB_ID,
        project_id: PROJECT_ID,
        role: 'worker',
        model: 'm',
        phase_id: 1,
        notes: [],
      },
      {
        type: 'attempt_started',
        id,
        job_id: JOB_ID,
        phase_id: 1,
        feature_id: feature.id,
        session_id: id,
        base_commit: base,
        start: base,
        notes: [],
        lane,
      },
    );
  }

  #commitOn(parent: string, what: string): string {
    const id = `${what}@${this.#below.size}`;
    this.#below.set(id, new Set([...(this.#below.get(parent) ?? []), id]));
    return id;
  }

  #finish(): void {
    const lanes = [...this.#running.keys()];
    const lane = lanes[this.#dice(Math.max(1, lanes.length))];
    const action = lane === undefined ? undefined : this.#running.get(lane);
    if (lane === undefined || action === undefined) return;
    this.#running.delete(lane);
    if (action.do === 'release') {
      this.#fold.commit({ type: 'feature_set', id: action.feature.id, status: 'pending', by: 'engine', reason: null });
      return;
    }
    const attempt = openAttempts(this.#fold.state, JOB_ID).find((row) => laneOf(row) === lane);
    if (attempt === undefined) return;
    if (action.do === 'integrate') this.#merge(attempt, this.#onto.get(lane) ?? this.#head);
    else this.#end(attempt);
  }

  #end(attempt: AttemptRow): void {
    const session = sessionEnd(attempt.session_id);
    if (this.#dice(6) === 0) {
      this.#fold.commit(
        attemptEnded({ id: attempt.id, status: 'failed', cause: 'verify_failed', feedback: 'no', session }),
      );
      return;
    }
    const commit = this.#commitOn(
      attempt.base_commit,
      need(this.#fold.state, 'features', attempt.feature_id ?? 0).name,
    );
    if (needsNoMerge(this.#fold.state, attempt)) {
      this.#integrated(attempt, commit);
      return;
    }
    const nothing = { evidence: [], diff: null, changed: null, kept: null, left: null, summary: null } as const;
    this.#fold.commit({ type: 'attempt_queued', id: attempt.id, job_id: JOB_ID, cause: 'done', commit, ...nothing });
  }

  #merge(attempt: AttemptRow, onto: string): void {
    if (onto !== this.#head) this.#broken.push('the branch moved during a merge');
    if (this.#dice(3) > 0) {
      this.#integrated(attempt, this.#commitOn(onto, need(this.#fold.state, 'features', attempt.feature_id ?? 0).name));
      return;
    }
    this.#returns++;
    const cause = this.#dice(2) === 0 ? 'conflict' : 'verify_failed';
    this.#fold.commit({
      type: 'attempt_returned',
      id: attempt.id,
      job_id: JOB_ID,
      cause,
      onto,
      start: onto,
      paths: [],
      detail: '',
    });
  }

  #integrated(attempt: AttemptRow, commit: string): void {
    const holder = openAttempts(this.#fold.state, JOB_ID).find(
      (row) => row.returns.length > 1 && row.status !== 'queued',
    );
    if (holder !== undefined && holder.id !== attempt.id) this.#broken.push('another attempt holds the queue');
    const session = sessionEnd(attempt.session_id);
    this.#fold.commit(attemptEnded({ id: attempt.id, status: 'succeeded', commit, session }));
    this.#branch.push(commit);
  }

  /** A person gives up a feature that no lane works on, also while it is merged. */
  #setByHand(): void {
    const open = openAttempts(this.#fold.state, JOB_ID).filter(({ status }) => status !== 'running');
    const attempt = open[this.#dice(Math.max(1, open.length))];
    if (attempt?.feature_id == null) return;
    this.#fold.commit({ type: 'feature_set', id: attempt.feature_id, status: 'failed', by: 'steward', reason: null });
  }

  /** The process ends, and another one continues from the rows. */
  #kill(): void {
    this.#running.clear();
    for (const row of openAttempts(this.#fold.state, JOB_ID))
      if (row.status === 'running')
        this.#fold.commit({ type: 'attempt_interrupted', id: row.id, job_id: JOB_ID, cause: 'pause' });
  }

  #check(): void {
    const { state } = this.#fold;
    const open = openAttempts(state, JOB_ID);
    if (new Set(open.map(laneOf)).size < open.length) this.#broken.push('two attempts in one lane');
    if (new Set(open.map((row) => row.feature_id)).size < open.length) this.#broken.push('two attempts at one feature');
    for (const attempt of open) this.#checkBase(attempt);
    const below = this.#below.get(this.#head);
    for (const row of state.features.values()) {
      if (row.status === 'completed' && (row.commit === null || below?.has(row.commit) !== true))
        this.#broken.push(`${row.name} is completed and not in the branch`);
      if (row.status === 'in_progress' && !open.some((one) => one.feature_id === row.id) && !this.#isInHand(row))
        this.#broken.push(`${row.name} is in no lane and no queue`);
    }
  }

  /** An attempt is based on everything that its feature depends on: from its start, and after each return. */
  #checkBase({ feature_id, base_commit }: AttemptRow): void {
    const { name, depends_on } = need(this.#fold.state, 'features', feature_id ?? 0);
    for (const on of depends_on) {
      const other = need(this.#fold.state, 'features', on);
      if (other.commit === null || this.#below.get(base_commit)?.has(other.commit) !== true)
        this.#broken.push(`${name} is worked on without ${other.name}`);
    }
  }

  /** No lane is left free for a feature that may start. Only the first attempt of a phase is alone. */
  #checkIdle(): void {
    const { state } = this.#fold;
    const isFirst = [...state.attempts.values()].every(({ status, number }) => status === 'running' && number === 1);
    const isReleasing = [...this.#running.values()].some(({ do: what }) => what === 'release');
    const taken = new Set([...this.#running.keys(), ...openAttempts(state, JOB_ID).map(laneOf)]);
    const lanes = lanesOf(need(state, 'jobs', JOB_ID));
    const isFree = Array.from({ length: lanes }, (_, lane) => lane).some((lane) => !taken.has(lane));
    if (isFirst || isReleasing || !isFree) return;
    const waiting = [...state.features.values()].find(
      (row) => row.status === 'pending' && heldBecause(state, row) === null && !this.#isInHand(row),
    );
    if (waiting !== undefined) this.#broken.push(`a lane is free, and ${waiting.name} waits`);
  }

  #isInHand(feature: FeatureRow): boolean {
    return [...this.#running.values()].some((action) => 'feature' in action && action.feature?.id === feature.id);
  }
}
