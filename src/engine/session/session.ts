/**
 * Runs one agent session: a conversation with a model and its tools, journaled so that a crash at any moment costs nothing twice.
 */

import type { HandoverReason } from '../../core/session/handover.ts';
import { Stopwatch } from '../../core/session/stopwatch.ts';
import { failure } from '../../shared/errors.ts';
import { WAITING } from '../../shared/live.ts';
import type { AgentRole } from '../../shared/session.ts';
import { assignmentOf, beginsAssignment } from '../../shared/workspace/assignment.ts';
import { decide, fitting, type Step } from './decide.ts';
import { type Economy, economyOf, type SessionSettings } from './economy.ts';
import { type CallFailure, readCallFailure, unavailable } from './failures.ts';
import { type Model, openModel } from './model.ts';
import { NOT_RUN } from './nudges.ts';
import type { SessionPorts, SessionResult, SessionSpec, TranscriptEntry, Turn } from './ports.ts';
import { freshTexts } from './prompts/handover.ts';
import { openingBlocks, type RequestBody, requestBody } from './request.ts';
import { roleTools, toolDefinitions } from './tools/roleTools.ts';
import { runnable } from './tools/tool.ts';
import { addEntry, type Conversation, foldTranscript, type Settled } from './transcript/history.ts';
import { redactedEntry } from './transcript/journalRedaction.ts';
import { earlierResults, errorResult, type Reply, textBlock, toolCalls, withUser } from './transcript/messages.ts';
import { settleRound, unableToCall } from './transcript/rounds.ts';

export interface AgentSession {
  /** Whether another message can refer to the conversation so far. If not, the conversation must be repeated. */
  readonly remembers: boolean;
  /** Whether another assignment costs less in this conversation than in a fresh one. False if there is no conversation yet. */
  readonly isCheaperToContinue: boolean;
  /**
   * Starts or resumes the session from the transcript; an answer in the transcript is returned without a call. Throws failures
   * that are not the model's: OWNER_*, DISK, GIT_FAILED, … The transcript stays resumable.
   */
  run(): Promise<SessionResult>;
  /**
   * Sends another user message in the same conversation. A message with an assignment line at its start starts a new attempt with
   * fresh limits, whatever the result of the last one. Any other message is a re-ask within the attempt: the last result must
   * have been final.
   */
  continueWith(text: string): Promise<SessionResult>;
  /** Starts a turn of a project's conversation. The last result must have been final. */
  take(turn: Turn): Promise<SessionResult>;
}

/** A broken stream is asked for again this often in a row. */
const STREAM_RETRIES = 3;

export function openSession(spec: SessionSpec, ports: SessionPorts, settings: SessionSettings = {}): AgentSession {
  return new Session(spec, ports, economyOf(settings.prices));
}

class Session implements AgentSession {
  readonly remembers = true;
  readonly #spec: SessionSpec;
  readonly #role: AgentRole;
  readonly #ports: SessionPorts;
  readonly #economy: Economy;
  readonly #model: Model;
  #conversation: Conversation;
  /** Working time since the start of the assignment. */
  readonly #elapsed: Stopwatch;
  /** Whether the tree may hold effects of a round that was not finished. */
  #treeUncertain = true;
  /** An error of a tool's port, which the SDK would convert to text for the model. */
  #toolFailure: { readonly thrown: unknown } | null = null;

  constructor(spec: SessionSpec, ports: SessionPorts, economy: Economy) {
    this.#conversation = foldTranscript(ports.transcript.entries);
    this.#spec = this.#conversation.spec ?? spec;
    this.#role = this.#spec.role;
    this.#ports = ports;
    this.#economy = economy;
    this.#elapsed = new Stopwatch(ports.clock);
    const context = {
      workdir: ports.workdir,
      files: ports.files,
      scratchFile: (path: string) => ports.scratchFile?.(path) ?? null,
      commands: ports.commands,
      sessionTools: ports.sessionTools,
      project: ports.project ?? null,
      callId: '',
      signal: ports.signal,
      msLeft: () => (ports.limits.seconds - this.#elapsedSeconds()) * 1_000,
      live: (text: string) => ports.live(text),
      reveal: this.#role === 'reviewer',
      earlier: (tool: string, input: unknown) => earlierResults(this.#conversation.messages, tool, input),
    };
    const tools = runnable(roleTools(this.#role), context, (thrown) => {
      this.#toolFailure ??= { thrown };
    });
    const conversation = () => conversationName(ports, this.#conversation);
    this.#model = openModel({ fetch: ports.fetch, signal: ports.signal, tools, conversation });
  }

  get isCheaperToContinue(): boolean {
    return this.#conversation.spec !== null && this.#economy.isCheaperToContinue(this.#conversation);
  }

  async run(): Promise<SessionResult> {
    this.#elapsed.reset();
    const resumed = this.#conversation.spec !== null;
    if (!resumed) {
      await this.#append({ kind: 'opening', spec: this.#spec, checkpoint: await this.#ports.checkpoint() });
    }
    // What changed meanwhile is not part of the work: an interrupted verify command, or a setup that made the tree again.
    if (resumed && this.#next().do !== 'run') await this.#ports.restore(this.#conversation.checkpoint);
    return this.#drive();
  }

  async continueWith(text: string): Promise<SessionResult> {
    if (this.#conversation.spec === null) throw noResultYet();
    return this.take({ text });
  }

  async take(turn: Turn): Promise<SessionResult> {
    if (this.#conversation.spec === null) {
      const { text: opening, ...rest } = turn;
      const spec = { ...this.#spec, opening };
      this.#elapsed.reset();
      await this.#append({ kind: 'opening', spec, checkpoint: await this.#ports.checkpoint(), ...rest });
      return this.#drive();
    }
    if (assignmentOf(turn.text) === null && this.#next().do !== 'finish') throw noResultYet();
    await this.#append({ kind: 'user', ...turn, ...(await this.#begun(turn)) });
    return this.#drive();
  }

  /** An assignment has its own limits, and its own tree. */
  async #begun({ text }: Turn): Promise<{ readonly checkpoint?: string | null }> {
    if (!beginsAssignment(text)) return {};
    this.#elapsed.reset();
    const checkpoint = await this.#ports.checkpoint();
    return checkpoint === null ? {} : { checkpoint };
  }

  async #drive(): Promise<SessionResult> {
    this.#elapsed.start();
    try {
      for (;;) {
        const step = this.#next();
        if (step.do === 'finish') return this.#result(step.settled);
        if (this.#ports.signal.aborted) return { outcome: 'aborted', turns: this.#conversation.turns };
        const stopped = await this.#take(step);
        if (stopped !== null) return stopped;
      }
    } finally {
      this.#elapsed.stop();
    }
  }

  #next(): Step {
    return decide(this.#conversation, this.#role, {
      limits: this.#ports.limits,
      elapsedSeconds: this.#elapsedSeconds(),
      economy: this.#economy,
    });
  }

  /** Takes one step and journals it. Returns a result if the session cannot continue now. */
  async #take(step: Exclude<Step, { do: 'finish' }>): Promise<SessionResult | null> {
    switch (step.do) {
      case 'ask':
        return this.#ask();
      case 'run':
        return this.#runTools();
      case 'refuse':
        await this.#refuseCalls(step.text);
        return null;
      case 'tell':
        await this.#append({ kind: 'user', text: step.text });
        return null;
      case 'request_summary':
        await this.#append({ kind: 'user', text: step.text, handover: step.reason });
        return null;
      case 'shorten':
        await this.#append(this.#anew(step.messages, { refused: 'too_long' }));
        return null;
      case 'hand_over':
        await this.#handOver(step.reason, step.summary);
        return null;
    }
  }

  async #handOver(reason: HandoverReason, summary: string | null): Promise<void> {
    const { given, system, attempt } = this.#conversation;
    const ended = { summary, turns: attempt.turns, mostTurns: this.#ports.limits.turns };
    const now = await this.#ports.freshOpening?.();
    const [opening, soFar] = freshTexts(this.#role, now?.opening ?? given, ended);
    // The fresh conversation begins with the instructions and facts that hold.
    const spec = { ...this.#current, system, ...now, opening };
    const messages = withUser([], [...openingBlocks(spec), textBlock(soFar)]);
    await this.#append(this.#anew(messages, { handover: { reason, isSummarized: summary !== null, spec } }));
    this.#ports.live('conversation handed over to a fresh one');
  }

  async #ask(): Promise<SessionResult | null> {
    const { turns } = this.#conversation;
    for (let tries = 0; ; tries++) {
      this.#ports.live(WAITING);
      let message: unknown;
      try {
        message = await this.#model.reply(this.#body());
      } catch (thrown) {
        const failed = readCallFailure(thrown, this.#ports.signal);
        if (failed.kind === 'thrown') throw failed.thrown;
        if (failed.kind === 'aborted') return { outcome: 'aborted', turns };
        if (failed.kind === 'result') return (await this.#isMended(failed)) ? null : failed.result(turns);
        if (tries >= STREAM_RETRIES) return unavailable(failed.failure, turns);
        continue;
      }
      await this.#append({ kind: 'reply', message });
      this.#treeUncertain = false;
      return null;
    }
  }

  /**
   * Makes a refused history one that the provider takes: without what it refused, then as a fresh conversation. False if that was
   * done since the last reply: people look at a fresh conversation that is refused.
   */
  async #isMended({ unfit, window }: Extract<CallFailure, { kind: 'result' }>): Promise<boolean> {
    if (unfit === null) return false;
    const messages = fitting(this.#conversation, unfit);
    const { handingOver } = this.#conversation;
    if (messages !== null) {
      await this.#append(this.#anew(messages, { refused: unfit, ...(window === null ? {} : { window }) }));
      return true;
    }
    if (handingOver === null) return false;
    await this.#handOver(handingOver.reason, null);
    return true;
  }

  #anew(
    messages: readonly unknown[],
    why: Pick<Extract<TranscriptEntry, { kind: 'compacted' }>, 'handover' | 'refused' | 'window'>,
  ): TranscriptEntry {
    const { turn, given } = this.#conversation;
    return { kind: 'compacted', messages, ...why, given, ...(turn.length === 0 ? {} : { turn }) };
  }

  /** An interrupted round is repeated from the tree before it. */
  async #runTools(): Promise<SessionResult | null> {
    const { reply, checkpoint, turns } = this.#conversation;
    const calls = toolCalls(reply as Reply);
    if (this.#treeUncertain) await this.#ports.restore(checkpoint);
    this.#treeUncertain = true;
    this.#toolFailure = null;
    const given = await this.#model.runTools(this.#body());
    if (this.#ports.signal.aborted) return { outcome: 'aborted', turns };
    this.#throwToolFailure();
    const content = settleRound(this.#role, this.#conversation, calls, given);
    const written = this.#mayHaveWritten(calls);
    const after = written ? await this.#ports.checkpoint() : checkpoint;
    const notice = written ? (this.#ports.notice?.() ?? null) : null;
    const told = notice === null ? content : [...content, textBlock(`[engine] ${notice}`)];
    const came = (await this.#ports.meanwhile?.()) ?? null;
    const blocks = came === null ? told : [...told, textBlock(came.text)];
    await this.#append({
      kind: 'results',
      message: { role: 'user', content: blocks },
      checkpoint: after,
      ...(came?.messages === undefined ? {} : { messages: came.messages }),
    });
    const unable = unableToCall(this.#conversation.messages);
    return unable === null ? null : unavailable(unable, this.#conversation.turns);
  }

  async #refuseCalls(text: string): Promise<void> {
    const { reply, checkpoint } = this.#conversation;
    const refused = toolCalls(reply as Reply).map((call) => errorResult(call.id, NOT_RUN));
    await this.#append({
      kind: 'results',
      message: { role: 'user', content: [...refused, textBlock(text)] },
      checkpoint,
    });
  }

  #throwToolFailure(): void {
    if (this.#toolFailure !== null) throw this.#toolFailure.thrown;
  }

  #mayHaveWritten(calls: ReturnType<typeof toolCalls>): boolean {
    const writing = roleTools(this.#role).filter((tool) => tool.writes);
    return calls.some((call) => writing.some((tool) => tool.definition.name === call.name));
  }

  #body(): RequestBody {
    return requestBody(
      this.#current,
      toolDefinitions(this.#current),
      this.#conversation.messages,
      this.#conversation.use,
    );
  }

  /** The spec of the journal: it may have changed since the session was opened. */
  get #current(): SessionSpec {
    return this.#conversation.spec ?? this.#spec;
  }

  async #append(given: TranscriptEntry): Promise<void> {
    const entry = redactedEntry(given, { theirs: false });
    await this.#ports.transcript.append(entry);
    this.#conversation = addEntry(this.#conversation, entry);
  }

  #elapsedSeconds(): number {
    return this.#elapsed.ms / 1_000;
  }

  #result(settled: Settled): SessionResult {
    const { turns } = this.#conversation;
    if (settled.kind === 'answered') return { outcome: 'answered', turns, answer: settled.answer };
    return { outcome: 'ended', turns, reason: settled.reason, detail: settled.detail };
  }
}

function noResultYet(): Error {
  return failure('INTERNAL', 'a session that has not come to a result cannot be given another message');
}

/** Returns a name that is unique in the session, or in the outer one for a session within a session. */
const conversationName = ({ within }: SessionPorts, { name }: Conversation): string =>
  within === undefined ? name : `${within}/${name}`;
