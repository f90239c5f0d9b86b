/** A job that is carried out for a test: what is asked of its owner, what is waited for, and what is known of it. */
import { need } from '../../../src/core/state/rows.ts';
import type { Engine, RequestInput } from '../../../src/engine/state/api.ts';
import type { ApprovalKind, ApprovalRow } from '../../../src/shared/approval.ts';
import type { PlainFailure } from '../../../src/shared/errors.ts';
import type { AttemptRow, FeatureRow, JobRow, JobStatus } from '../../../src/shared/job/rows.ts';
import type { LiveLine } from '../../../src/shared/live.ts';
import { type Assignment, parseAssignment } from '../../../src/shared/workspace/assignment.ts';
import type { Event, EventOf, EventType } from '../../../src/shared/workspace/events.ts';
import type { State } from '../../../src/shared/workspace/state.ts';
import type { ServedRequest } from '../provider/messagesServer.ts';
import { LONGEST_SILENCE_MS } from '../time/silence.ts';

export type Brief = Partial<RequestInput<'submitBrief'>>;
type Answer = { readonly choice?: string; readonly feedback?: string };

const OVER: readonly JobStatus[] = ['completed', 'failed', 'cancelled'];

export abstract class JobWorld {
  abstract readonly owner: Pick<Engine, 'state' | 'request' | 'follow'>;
  readonly events: Event[] = [];
  readonly failures: PlainFailure[] = [];
  readonly lives: LiveLine[] = [];
  jobId = '';
  readonly #allowed: readonly (readonly string[])[];
  readonly #news = new Set<() => void>();

  /** `allowed`: argv lists that run where no sandbox is. */
  protected constructor(allowed: readonly (readonly string[])[]) {
    this.#allowed = allowed;
  }

  /** Of the Messages API, in the order in which they came. */
  abstract get requests(): readonly ServedRequest[];

  get state(): State {
    return this.owner.state;
  }

  get job(): JobRow {
    return need(this.state, 'jobs', this.jobId);
  }

  /** With one lane, no gates and no setup, unless said otherwise. */
  async submit(brief: Brief = {}): Promise<void> {
    const { jobId } = await this.owner.request('submitBrief', {
      brief: 'Build it.',
      gates: [],
      setup: [],
      lanes: 1,
      allowedCommands: this.#allowed.map((argv) => [...argv]),
      ...brief,
    });
    this.jobId = jobId;
  }

  /** Submits, and waits until the job is over or `status`. */
  async run(brief: Brief = {}, status: JobStatus = 'completed'): Promise<JobRow> {
    await this.submit(brief);
    return this.is(status);
  }

  /**
   * Resolves with the first value that is neither undefined nor false; looks after each event, and now and then. Throws with the
   * situation when nothing at all has happened for minutes: no event, no live line, no request.
   */
  async until<T>(what: string, look: () => T | undefined | false): Promise<T> {
    let seen = this.#signs();
    for (let end = performance.now() + LONGEST_SILENCE_MS; ; ) {
      const found = look();
      if (found !== undefined && found !== false) return found;
      const signs = this.#signs();
      if (signs > seen) end = performance.now() + LONGEST_SILENCE_MS;
      seen = signs;
      if (performance.now() > end) throw new Error(`nothing happened any more, but not: ${what}; ${this.#situation()}`);
      await this.#nextNews(100);
    }
  }

  is(status: JobStatus): Promise<JobRow> {
    return this.until(`the job is ${status}`, () => {
      const { job } = this;
      if (job.status === status) return job;
      if (OVER.includes(job.status)) throw new Error(`not ${status}; ${this.#situation()}`);
      return undefined;
    });
  }

  /** The question of this kind that waits. */
  asked(kind: ApprovalKind): Promise<ApprovalRow> {
    return this.until(`the steward is asked: ${kind}`, () => {
      const found = [...this.state.approvals.values()].find((row) => row.kind === kind && row.status === 'pending');
      if (found === undefined && OVER.includes(this.job.status))
        throw new Error(`${kind} was never asked; ${this.#situation()}`);
      return found;
    });
  }

  async approve(kind: ApprovalKind, { choice, feedback }: Answer = {}): Promise<ApprovalRow> {
    return this.#decide(kind, { decision: 'approved', choice: choice ?? null, feedback: feedback ?? null });
  }

  async reject(kind: ApprovalKind, feedback: string): Promise<ApprovalRow> {
    return this.#decide(kind, { decision: 'rejected', choice: null, feedback });
  }

  happened<T extends EventType>(type: T): EventOf<T>[] {
    return this.events.filter((event) => event.type === type) as EventOf<T>[];
  }

  feature(name: string): FeatureRow {
    const found = [...this.state.features.values()].find((row) => row.name === name && row.job_id === this.jobId);
    if (found === undefined) throw new Error(`there is no feature "${name}"`);
    return found;
  }

  attempts(name: string): AttemptRow[] {
    const { id } = this.feature(name);
    return [...this.state.attempts.values()].filter((row) => row.feature_id === id);
  }

  /** Requests of the Messages API that a role sent, in order. */
  sent(role: Assignment['role'], feature?: string): ServedRequest[] {
    return this.requests.filter((request) => {
      const about = assignmentOf(request);
      return about?.role === role && (feature === undefined || ('feature' in about && about.feature === feature));
    });
  }

  /** The text that gave a role this attempt, and then what the sessions of the job share if it begins the conversation. */
  opening(role: Assignment['role'], nth = 0, feature?: string): string {
    const first = this.sent(role, feature).filter((request) => lastMessage(request).startsWith('Assignment: '));
    return (userTexts(first[nth]).at(-1) ?? []).toReversed().join('\n\n');
  }

  /** Hears what the owner tells from now on. */
  protected hear(): void {
    const tell = (): void => {
      for (const told of [...this.#news]) told();
    };
    this.owner.follow({
      event: (event) => {
        this.events.push(event);
        tell();
      },
      live: (line) => {
        this.lives.push(line);
        tell();
      },
      failed: (_, failed) => {
        this.failures.push(failed);
        tell();
      },
    });
  }

  /** Of life. */
  #signs(): number {
    return this.events.length + this.lives.length + this.failures.length + this.requests.length;
  }

  #nextNews(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#news.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#news.add(done);
    });
  }

  async #decide(
    kind: ApprovalKind,
    answer: {
      readonly decision: 'approved' | 'rejected';
      readonly choice: string | null;
      readonly feedback: string | null;
    },
  ): Promise<ApprovalRow> {
    const approval = await this.asked(kind);
    const choice = answer.choice ?? (answer.decision === 'approved' ? (approval.choices[0] ?? null) : null);
    await this.owner.request('decide', { approvalId: approval.id, ...answer, choice });
    return approval;
  }

  #situation(): string {
    const { status, reason } = this.state.jobs.get(this.jobId) ?? { status: 'no job', reason: null };
    const asks = [...this.state.approvals.values()]
      .filter((row) => row.status === 'pending')
      .map((row) => `${row.kind}: ${row.question}`);
    const last = this.events.slice(-6).map((event) => event.type);
    const said = this.lives.slice(-3).map((line) => line.text);
    return JSON.stringify({ status, reason, asks, failures: this.failures, last, said });
  }
}

type Sent = {
  readonly messages?: readonly {
    readonly role: string;
    readonly content: string | readonly { readonly text?: string }[];
  }[];
};

/** Returns the texts of each message of the user. */
function userTexts(request: ServedRequest | undefined): string[][] {
  const { messages = [] } = JSON.parse(request?.body ?? '{}') as Sent;
  return messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => (typeof content === 'string' ? [content] : content.map((block) => block.text ?? '')));
}

const textsOf = (request: ServedRequest | undefined): string[] => userTexts(request).flat();

/** The last text of the user in a request. */
export function lastMessage(request: ServedRequest | undefined): string {
  return textsOf(request).at(-1) ?? '';
}

/** What a request is about; null for what has no assignment, and for counting tokens. */
export function assignmentOf(request: ServedRequest): Assignment | null {
  if (request.path.split('?', 1)[0] !== '/v1/messages') return null;
  return (
    textsOf(request)
      .map((text) => parseAssignment(text.split('\n', 1)[0] ?? ''))
      .findLast((found) => found !== null) ?? null
  );
}
