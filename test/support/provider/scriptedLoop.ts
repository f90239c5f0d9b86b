/** A job's loop without agents: the real `nextAction` says what is next, a script says how it ends. */

import { executorFor } from '../../../src/core/agent/executors.ts';
import { subjectOf } from '../../../src/core/approval/about.ts';
import type { Action } from '../../../src/core/job/action.ts';
import { nextAction } from '../../../src/core/job/nextAction.ts';
import { ownPlan } from '../../../src/core/job/plan/backlog.ts';
import { need, openAttempt, phaseFeatures } from '../../../src/core/state/rows.ts';
import { acceptPlan } from '../../../src/engine/job/actions/acceptPlan.ts';
import type { Store } from '../../../src/engine/state/store.ts';
import type { NewApproval } from '../../../src/shared/approval.ts';
import type { Clock } from '../../../src/shared/clock.ts';
import { findFailure } from '../../../src/shared/errors.ts';
import type { Evidence } from '../../../src/shared/job/evidence.ts';
import type { Plan, Verdict } from '../../../src/shared/job/plan.ts';
import type { FeatureRow } from '../../../src/shared/job/rows.ts';
import type { LiveLine } from '../../../src/shared/live.ts';
import type { Role } from '../../../src/shared/session.ts';
import { newApproval } from '../state/builders.ts';

export interface LoopScript {
  readonly plan: Plan;
  /** How the attempts at a feature end, in order; after the last one they succeed. `hang` waits for the pause. */
  readonly attempts?: Readonly<Record<string, readonly ('failed' | 'stuck' | 'hang')[]>>;
  /** Verdicts of the reviews, in order; after the last one they approve. */
  readonly verdicts?: readonly Verdict[];
  readonly dirty?: boolean;
  readonly executables?: readonly string[];
  readonly sandboxed?: boolean;
  /** A limit that resets by itself is met before the plan: how long it takes. */
  readonly waitMs?: number;
}

export interface LoopHost {
  readonly store: Store;
  readonly clock: Clock;
  readonly script: LoopScript;
  readonly stopped: () => boolean;
  /** Resolves at the next event, or when the loop is to stop. */
  changed(): Promise<void>;
  live(line: LiveLine): void;
}

const APPROVED: Verdict = { verdict: 'APPROVED', reason: 'All criteria are met.', feedback: '', reopen: [] };

export async function carryOut(host: LoopHost, jobId: string): Promise<void> {
  const loop = new ScriptedLoop(host, jobId);
  for (;;) {
    if (host.stopped()) return;
    const action = nextAction(host.store.state, jobId, host.clock.now());
    if (action.do === 'stop') return;
    await loop.act(action);
  }
}

class ScriptedLoop {
  readonly #host: LoopHost;
  readonly #jobId: string;
  #waited = false;

  constructor(host: LoopHost, jobId: string) {
    this.#host = host;
    this.#jobId = jobId;
  }

  async act(action: Action): Promise<void> {
    const { store, clock } = this.#host;
    const job_id = this.#jobId;
    switch (action.do) {
      case 'wait':
        return Promise.race([clock.sleep(Date.parse(action.until) - clock.now()), this.#host.changed()]);
      case 'wake':
        await store.commit({ type: 'job_woken', job_id });
        return;
      case 'await':
        if (need(store.state, 'jobs', job_id).status !== 'awaiting_steward') {
          await store.commit({ type: 'job_awaiting', job_id, reason: action.approvals[0]?.question ?? '' });
          return;
        }
        return this.#host.changed();
      case 'ask':
        return this.#ask(action);
      case 'fail':
        await store.commit({ type: 'job_failed', job_id, reason: action.reason });
        return;
      case 'pause':
        await store.commit({ type: 'job_paused', job_id, reason: action.reason, by: 'steward' });
        return;
      case 'clone':
        return this.#clone(action.snapshot);
      case 'setup':
        await store.commit({ type: 'setup_finished', job_id, evidence: [], head: 'b'.repeat(40) });
        return;
      case 'plan':
        return this.#plan();
      case 'accept_plan':
        return this.#accept(action.version);
      case 'refuse_plan':
        await store.commit({ type: 'plan_refused', job_id, feedback: action.feedback, by: 'steward', session: null });
        return;
      case 'start_phase':
        await store.commit({ type: 'phase_started', job_id, phase_id: action.phase.id, base_commit: 'b'.repeat(40) });
        return;
      case 'attempt':
        return this.#attempt(action.feature, action.phase.id);
      case 'summarize':
        await store.commit({
          type: 'phase_summarized',
          job_id,
          phase_id: action.phase.id,
          attempt: action.phase.attempt,
          summary: 'Done.',
          session: null,
        });
        return;
      case 'check_baseline':
        await store.commit({ type: 'baseline_checked', job_id, evidence: [this.#evidence(0)], skipped: null });
        return;
      case 'begin_review':
        await store.commit({ type: 'phase_reviewing', job_id, phase_id: action.phase.id });
        return;
      case 'review':
        return this.#review(action.phase.id);
      case 'approve_phase':
        await store.commit({
          type: 'phase_approved',
          job_id,
          phase_id: action.phase.id,
          by: action.by,
          reason: action.reason,
        });
        return;
      case 'reject_phase':
        return this.#reject(action);
      case 'accept_result':
        await store.commit({
          type: 'result_accepted',
          job_id,
          commit: action.head,
          approval_id: action.approval.id,
        });
        return;
      case 'verify_result':
        await store.commit({
          type: 'result_verified',
          job_id,
          commit: action.head,
          evidence: [],
          feedback: null,
          fix_feature_id: null,
        });
        return;
      case 'merge':
        await store.commit({
          type: 'job_completed',
          job_id,
          merge: {
            mode: action.mode,
            target:
              action.mode === 'merge' ? 'main' : action.mode === 'branch' ? `autonomous/${job_id}` : '/out/job.patch',
            commit: action.mode === 'patch' ? null : 'c'.repeat(40),
            previous: 'b'.repeat(40),
            checkedOut: action.mode === 'merge',
            rolledBack: false,
            note: null,
          },
        });
        return;
      case 'resume':
        await store.commit({ type: 'attempt_resumed', id: action.attempt.id, job_id });
        return this.#end(action.attempt.id, need(store.state, 'features', action.attempt.feature_id ?? 0), 'succeeded');
      case 'pick':
        await store.commit({
          type: 'candidate_picked',
          id: action.feature.id,
          attempt_id: action.attempt?.id ?? null,
          commit: action.attempt?.commit ?? null,
          feedback: action.feedback,
          by: action.by,
        });
        return;
      default:
        throw new Error(`the scripted loop does not know ${action.do}`);
    }
  }

  async #ask(action: Extract<Action, { do: 'ask' }>): Promise<void> {
    const job = need(this.#host.store.state, 'jobs', this.#jobId);
    const { kind } = action.question;
    const merge = kind === 'merge';
    const tried = action.question.kind === 'pick' ? action.question.candidates : [];
    const candidates = tried.filter(({ status }) => status === 'succeeded');
    await this.#request({
      kind: kind === 'planner' ? 'escalate' : kind,
      subject: subjectOf(action.about),
      question: merge ? 'Merge the result into main?' : `Is this ${kind} right?`,
      detail: merge ? ' src/a.js | 12 ++++' : `What the ${kind} says.`,
      commit: merge ? job.head : null,
      executables: merge ? (this.#host.script.executables ?? []) : [],
      choices: merge ? ['merge', 'branch', 'patch'] : candidates.map(({ id }) => String(id)),
      feature_id: action.question.kind === 'pick' ? action.question.feature.id : null,
    });
  }

  async #request(asked: Pick<NewApproval, 'kind' | 'subject' | 'question'> & Partial<NewApproval>): Promise<void> {
    await this.#host.store.commit({ type: 'approval_requested', approval: this.#approval(asked) });
  }

  #approval(asked: Pick<NewApproval, 'kind' | 'subject' | 'question'> & Partial<NewApproval>): NewApproval {
    return newApproval({ ...asked, id: this.#id('approvals'), job_id: this.#jobId });
  }

  #id(table: 'approvals' | 'sessions' | 'attempts' | 'spends' | 'phases' | 'features'): number {
    return this.#host.store.nextIds(table, 1)[0] ?? 0;
  }

  async #clone(snapshot: boolean | null): Promise<void> {
    const { store, script } = this.#host;
    if (script.dirty === true && snapshot === null) {
      await this.#request({
        kind: 'dirty_tree',
        subject: 'dirty_tree',
        question: 'Your tree has uncommitted work. What is the baseline?',
        choices: ['head', 'snapshot'],
      });
      return;
    }
    const commit = 'b'.repeat(40);
    await store.commit({
      type: 'clone_made',
      job_id: this.#jobId,
      clone_dir: '/jobs/clone',
      baseline: commit,
      base_branch: 'main',
      snapshot: snapshot ?? false,
      head: commit,
    });
  }

  async #session(role: Role, phase_id: number | null, executor?: string): Promise<number> {
    const { store } = this.#host;
    const id = this.#id('sessions');
    const model = role === 'worker' ? 'claude-sonnet-5-5' : 'claude-opus-5-5';
    await store.commit({
      type: 'session_started',
      id,
      job_id: this.#jobId,
      project_id: 'default',
      role,
      model,
      ...(executor === undefined ? {} : { executor }),
      phase_id,
      notes: [],
    });
    return id;
  }

  /** One model call of the session: 10 000 tokens in, 2 000 out, 0.0123 dollars. */
  async #call(session_id: number): Promise<void> {
    const { store, clock } = this.#host;
    const id = this.#id('spends');
    const { provider } = need(store.state, 'jobs', this.#jobId).options;
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    await store.commit({
      type: 'call_reserved',
      id,
      session_id,
      provider,
      model: 'm',
      day,
      micro_usd: 50_000,
      price_version: '1',
    });
    const usage = { input: 10_000, output: 2_000, cacheRead: 30_000, cacheWrite5m: 0, cacheWrite1h: 0 };
    await store.commit({ type: 'call_settled', id, usage, micro_usd: 12_345 });
  }

  async #plan(): Promise<void> {
    const { store, script, clock } = this.#host;
    if (script.waitMs !== undefined && !this.#waited) {
      this.#waited = true;
      const wake_at = new Date(clock.now() + script.waitMs).toISOString();
      await store.commit({ type: 'job_waiting', job_id: this.#jobId, reason: 'the daily limit is reached', wake_at });
      return;
    }
    const own = ownPlan(store.state, need(store.state, 'jobs', this.#jobId));
    if (own !== null) {
      await store.commit(own);
      return;
    }
    const id = await this.#session('planner', null);
    await this.#call(id);
    await store.commit({
      type: 'plan_proposed',
      job_id: this.#jobId,
      plan_version: need(store.state, 'jobs', this.#jobId).plan_version + 1,
      plan: script.plan,
      by: 'planner',
      session: { id, status: 'completed', error_message: null, turns: 2 },
    });
  }

  async #accept(version: number): Promise<void> {
    try {
      await acceptPlan({ store: this.#host.store, jobId: this.#jobId }, version, 'steward');
    } catch (thrown) {
      // The answer's own request was quicker.
      if (findFailure(thrown)?.code !== 'ILLEGAL_TRANSITION') throw thrown;
    }
  }

  async #attempt(feature: FeatureRow, phase_id: number): Promise<void> {
    const { store, script, clock } = this.#host;
    const job = need(store.state, 'jobs', this.#jobId);
    const session_id = await this.#session('worker', phase_id, executorFor(job, 'worker', feature));
    const id = this.#id('attempts');
    const tries = [...store.state.attempts.values()].filter((row) => row.feature_id === feature.id).length;
    await store.commit({
      type: 'attempt_started',
      id,
      job_id: this.#jobId,
      phase_id,
      feature_id: feature.id,
      session_id,
      base_commit: 'b'.repeat(40),
      notes: [],
    });
    this.#host.live({
      at: new Date(clock.now()).toISOString(),
      jobId: this.#jobId,
      sessionId: session_id,
      featureId: feature.id,
      text: 'edit src/a.js',
    });
    await this.#call(session_id);
    const end = script.attempts?.[feature.name]?.[tries] ?? 'succeeded';
    if (end !== 'hang') return this.#end(id, feature, end);
    while (!this.#host.stopped() && store.state.jobs.get(this.#jobId)?.status !== 'paused') await this.#host.changed();
    await store.commit({ type: 'attempt_interrupted', id, job_id: this.#jobId, cause: 'pause' });
  }

  async #end(id: number, feature: FeatureRow, status: 'succeeded' | 'failed' | 'stuck'): Promise<void> {
    const { store } = this.#host;
    const { session_id } = need(store.state, 'attempts', id);
    const asked = { kind: 'stuck' as const, subject: `stuck:${id}`, question: 'Which port should it use?' };
    const question = { ...asked, detail: 'The port is missing.' };
    await store.commit({
      type: 'attempt_ended',
      id,
      job_id: this.#jobId,
      status,
      cause: status === 'failed' ? 'verify_failed' : status,
      summary: status === 'stuck' ? question.detail : 'Did it.',
      feedback: status === 'failed' ? 'a test failed' : null,
      verdict: null,
      commit: status === 'succeeded' ? 'd'.repeat(40) : null,
      evidence: status === 'stuck' ? [] : [this.#evidence(status === 'failed' ? 1 : 0)],
      diff: null,
      approval: status === 'stuck' ? this.#approval({ ...question, feature_id: feature.id }) : null,
      session: { id: session_id, status: 'completed', error_message: null, turns: 3 },
    });
  }

  #evidence(exitCode: number): Evidence {
    return {
      command: 'npm test',
      exitCode,
      ended: null,
      durationMs: 900,
      artifact: 'a'.repeat(64),
      tail: 'ok',
      commit: 'd'.repeat(40),
      sandboxed: this.#host.script.sandboxed ?? true,
    };
  }

  async #review(phase_id: number): Promise<void> {
    const { store, script } = this.#host;
    const session_id = await this.#session('reviewer', phase_id);
    const id = this.#id('attempts');
    const done = [...store.state.attempts.values()].filter((row) => row.feature_id === null).length;
    const base = {
      job_id: this.#jobId,
      phase_id,
      feature_id: null,
      session_id,
      base_commit: 'b'.repeat(40),
      notes: [],
    };
    await store.commit({ type: 'attempt_started', id, ...base });
    await this.#call(session_id);
    const verdict = script.verdicts?.[done] ?? APPROVED;
    await store.commit({
      type: 'attempt_ended',
      id,
      job_id: this.#jobId,
      status: 'succeeded',
      cause: 'verdict',
      summary: verdict.reason,
      feedback: null,
      verdict,
      commit: null,
      evidence: [],
      diff: null,
      approval: null,
      session: { id: session_id, status: 'completed', error_message: null, turns: 1 },
    });
  }

  async #reject({ phase, by, feedback, reopen }: Extract<Action, { do: 'reject_phase' }>): Promise<void> {
    const { store } = this.#host;
    const ids = phaseFeatures(store.state, phase.id)
      .filter((row) => reopen.includes(row.name))
      .map((row) => row.id);
    await store.commit({
      type: 'phase_rejected',
      job_id: this.#jobId,
      phase_id: phase.id,
      by,
      feedback,
      reopen: ids,
      fix_feature_id: ids.length === 0 ? this.#id('features') : null,
    });
  }
}

/** Whether an attempt is under way, for tests that stop in the middle of one. */
export function isWorking(store: Store, jobId: string): boolean {
  return openAttempt(store.state, jobId)?.status === 'running';
}
