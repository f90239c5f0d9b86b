/**
 * Runs one session of an external agent, which works with its own tools. Journals its messages and calls, and handles its answer
 * like one of the built-in agent. Its process lives for one turn, and all its child processes have ended before the result is
 * read.
 */

import { failure, findFailure } from '../../shared/errors.ts';
import { beginsAssignment } from '../../shared/workspace/assignment.ts';
import type { SessionResult, SessionSpec, Turn } from '../session/ports.ts';
import type { AgentSession } from '../session/session.ts';
import type { Settled } from '../session/transcript/history.ts';
import { type Driven, drive } from './drive.ts';
import { GO_ON } from './observed/externalState.ts';
import { Journal } from './observed/journal.ts';
import { VerdictAuthenticator } from './observed/verdictAuthenticator.ts';
import { ourTools } from './ourTools.ts';
import type { OurTool } from './ports.ts';
import { ResultReceiver } from './resultReceiver.ts';
import type { ExternalPorts } from './sessionPorts.ts';
import { UsageLimiter } from './usageLimiter.ts';

export interface ExternalSession extends AgentSession {
  /** Tools for its agent, for as long as it has a turn. */
  readonly tools: readonly OurTool[];
  /** The gateway's door within the attempt's limits: for its agent's calls. */
  readonly fetch: typeof fetch;
}

/** Tokens of a context that takes no further feature. */
const FULL_CONTEXT = 60_000;

export function openExternalSession(spec: SessionSpec, ports: ExternalPorts): ExternalSession {
  return new External(spec, ports);
}

class External implements ExternalSession {
  readonly tools: readonly OurTool[];
  readonly fetch: typeof fetch;
  readonly #ports: ExternalPorts;
  readonly #journal: Journal;
  readonly #meter: UsageLimiter;
  readonly #sessionTools: ResultReceiver;
  readonly #authenticator: VerdictAuthenticator;
  #spec: SessionSpec;
  /** Whether its last assignment ended with an answer. */
  #isAnswered = false;

  constructor(spec: SessionSpec, ports: ExternalPorts) {
    this.#ports = ports;
    this.#journal = new Journal(ports.transcript);
    this.#spec = this.#journal.told.conversation.spec ?? spec;
    this.#meter = new UsageLimiter(ports, this.#journal);
    const { role } = this.#spec;
    this.#authenticator = new VerdictAuthenticator({ role, paidByUs: ports.account === null, clock: ports.clock });
    this.#sessionTools = new ResultReceiver(role, this.#journal, this.#authenticator, () => ports.checkpoint());
    this.fetch = this.#authenticator.watching(this.#meter.fetch);
    this.tools = ourTools({
      role,
      context: {
        workdir: ports.workdir,
        files: ports.files,
        scratchFile: () => null,
        sessionTools: ports.sessionTools,
        signal: ports.signal,
        msLeft: () => this.#meter.msLeft(),
        live: ports.live,
        reveal: role === 'reviewer',
      },
      answered: (input) => this.#sessionTools.take(input),
      failed: (thrown) => this.#meter.end({ kind: 'thrown', thrown }),
    });
  }

  /** The agent shortens its own conversation. Another feature begins a new one if this one is long. */
  get isCheaperToContinue(): boolean {
    return this.#isAnswered && this.#ports.used().contextTokens < FULL_CONTEXT;
  }

  get remembers(): boolean {
    return this.#journal.told.own !== null;
  }

  async run(): Promise<SessionResult> {
    this.#meter.begin();
    const { spec, settled, checkpoint } = this.#journal.told.conversation;
    if (spec === null) return this.#begin(this.#spec, {});
    if (settled !== null) {
      // Changes after the answer, for example by an interrupted verify command, are not part of the work.
      if (settled.kind === 'answered') await this.#ports.restore(checkpoint);
      return this.#result(settled);
    }
    await this.#journal.append({ kind: 'user', text: GO_ON });
    return this.#drive();
  }

  async continueWith(text: string): Promise<SessionResult> {
    if (this.#journal.told.conversation.spec === null) throw noResultYet();
    return this.take({ text });
  }

  async take(turn: Turn): Promise<SessionResult> {
    const { spec, settled } = this.#journal.told.conversation;
    if (spec === null) {
      this.#meter.begin();
      const { text: opening, ...rest } = turn;
      return this.#begin({ ...this.#spec, opening }, rest);
    }
    if (settled === null) throw noResultYet();
    const begins = beginsAssignment(turn.text);
    if (begins) this.#meter.begin();
    const checkpoint = begins ? await this.#ports.checkpoint() : null;
    await this.#journal.append({ kind: 'user', ...turn, ...(checkpoint === null ? {} : { checkpoint }) });
    return this.#drive();
  }

  async #begin(spec: SessionSpec, rest: Omit<Turn, 'text'>): Promise<SessionResult> {
    this.#spec = spec;
    await this.#journal.append({ kind: 'opening', spec, checkpoint: await this.#ports.checkpoint(), ...rest });
    return this.#drive();
  }

  async #drive(): Promise<SessionResult> {
    const driven = await drive({
      spec: this.#spec,
      ports: this.#ports,
      journal: this.#journal,
      meter: this.#meter,
      sessionTools: this.#sessionTools,
      authenticator: this.#authenticator,
    });
    return this.#conclude(driven);
  }

  /** The order of precedence: a journaled result, the reason for ending the turn, the agent's failure. */
  async #conclude({ why, failed }: Driven): Promise<SessionResult> {
    if (why?.kind === 'thrown') throw why.thrown;
    const { settled } = this.#journal.told.conversation;
    if (settled !== null) {
      await this.#leaveTree(settled);
      return this.#result(settled);
    }
    await this.#leaveTree(null);
    const { sessionTurns: turns } = this.#ports.used();
    if (why?.kind === 'aborted') return { outcome: 'aborted', turns };
    if (why?.kind === 'result') return why.result(turns);
    if (why?.kind === 'ended') return this.#ended(why.reason, why.detail);
    const found = findFailure(failed);
    if (found?.code === 'ABORTED') return { outcome: 'aborted', turns };
    if (found?.code === 'AGENT_FLOOD') return this.#ended('flood', found.message);
    throw failed;
  }

  async #ended(reason: Extract<Settled, { kind: 'ended' }>['reason'], why: string): Promise<SessionResult> {
    const detail = `${why}${this.#sessionTools.refusals}`;
    await this.#journal.append({ kind: 'ended', reason, detail });
    return this.#result({ kind: 'ended', reason, detail });
  }

  /** The answer refers to the tree at that time. Without an answer, the tree stays unchanged and is stored for its diff. */
  async #leaveTree(settled: Settled | null): Promise<void> {
    try {
      const lies = await this.#ports.checkpoint();
      if (settled?.kind !== 'answered') return;
      const { checkpoint } = this.#journal.told.conversation;
      if (lies !== checkpoint) await this.#ports.restore(checkpoint);
    } catch (thrown) {
      // Without an answer the tree is not needed: the end of the session is the error to report.
      if (settled !== null) throw thrown;
      this.#ports.live('the tree could not be kept');
    }
  }

  #result(settled: Settled): SessionResult {
    // Turns are calls of a model, as for every session; what it journaled may be several of them, or none.
    const { sessionTurns: turns } = this.#ports.used();
    this.#isAnswered = settled.kind === 'answered';
    if (settled.kind === 'ended') return { outcome: 'ended', turns, reason: settled.reason, detail: settled.detail };
    return { outcome: 'answered', turns, answer: this.#sessionTools.weighed(settled.answer) };
  }
}

function noResultYet(): Error {
  return failure('INTERNAL', 'a session that has not come to a result cannot be given another message');
}
