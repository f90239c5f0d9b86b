/** Runs one life of an agent's process: starts it, gives it turns until there is an answer or a reason to stop, and ends it. */

import { NO_USAGE, usageSince } from '../../core/model/usage/usage.ts';
import type { TodoItem } from '../../shared/job/todo.ts';
import { WAITING } from '../../shared/live.ts';
import { answerTool } from '../session/answers.ts';
import { askForAnswer, truncatedNotice } from '../session/nudges.ts';
import type { EndReason, SessionSpec } from '../session/ports.ts';
import { paid } from './account.ts';
import { Ending, type Why } from './ending.ts';
import { callBlock, fitted, MOST_SIZE, replyEntry, resultBlock, resultsEntry } from './observed/entries.ts';
import type { ExternalState } from './observed/externalState.ts';
import { digest, firstMessage, instructions } from './observed/instructions.ts';
import type { Journal } from './observed/journal.ts';
import { type ThrottledUpdates, throttledUpdates } from './observed/throttledUpdates.ts';
import { type Observed, UpdateAssembler } from './observed/updateAssembler.ts';
import type { VerdictAuthenticator } from './observed/verdictAuthenticator.ts';
import type { AgentUpdate, RunningAgent, TurnEnd } from './ports.ts';
import type { ResultReceiver } from './resultReceiver.ts';
import type { ExternalPorts, Reported } from './sessionPorts.ts';
import type { UsageLimiter } from './usageLimiter.ts';

/**
 * Time that a turn may take after its answer: the model's last words are still arriving, and an interrupted call stays unsettled.
 */
const GRACE_MS = 30_000;
/** Between two looks at the tree while it works. */
const CHECKPOINT_MS = 2_000;
/** Maximum number of updates that are not journaled yet. A stop waits until each one is journaled. */
const MAX_UNKEPT = 1_000;
const SHOWN_EVERY_MS = 100;
const PLAN_EVERY_MS = 1_000;

export interface DriveParts {
  readonly spec: SessionSpec;
  readonly ports: ExternalPorts;
  readonly journal: Journal;
  readonly meter: UsageLimiter;
  readonly sessionTools: ResultReceiver;
  readonly authenticator: VerdictAuthenticator;
}

export interface Driven {
  readonly why: Why | null;
  /** The failure of the agent or the journal. Undefined if there is none. */
  readonly failed: unknown;
}

/** Never rejects. When it resolves, the process has ended and all updates are journaled. */
export async function drive(parts: DriveParts): Promise<Driven> {
  const driver = new Driver(parts);
  return driver.run();
}

class Driver {
  readonly #parts: DriveParts;
  readonly #ending: Ending;
  readonly #hearing: UpdateAssembler;
  readonly #shown: ThrottledUpdates<string>;
  readonly #plans: ThrottledUpdates<readonly TodoItem[]>;
  #planKept: Promise<unknown> = Promise.resolve();
  #agent: RunningAgent | null = null;
  #unkept = 0;
  #lastCheckpoint = Number.NEGATIVE_INFINITY;
  #cancelGrace = (): void => undefined;
  /** Totals that this process reported. */
  #reported: Reported | null = null;

  constructor(parts: DriveParts) {
    const { ports } = parts;
    this.#parts = parts;
    this.#ending = new Ending(ports.signal);
    this.#shown = throttledUpdates(ports.clock, SHOWN_EVERY_MS, (text) => ports.live(text));
    this.#plans = throttledUpdates(ports.clock, PLAN_EVERY_MS, (items) => this.#keepPlan(items));
    this.#hearing = new UpdateAssembler({
      tell: (heard) => this.#keep(heard),
      live: (text) => this.#shown.say(text),
      plan: (items) => this.#plans.say(items),
    });
  }

  async run(): Promise<Driven> {
    const { sessionTools, meter, journal, authenticator } = this.#parts;
    authenticator.begin();
    const unwatch = meter.watch(this.#ending);
    const closeDesk = sessionTools.open({
      over: () => this.#ending.why !== null && this.#ending.why.kind !== 'aborted',
      before: () => this.#hearing.flush(),
      settled: () => this.#settled(),
      failed: (thrown) => this.#ending.end({ kind: 'thrown', thrown }),
    });
    let failed: unknown;
    try {
      await this.#turns();
    } catch (thrown) {
      failed = thrown;
    }
    unwatch();
    this.#cancelGrace();
    try {
      await this.#agent?.close();
    } catch (thrown) {
      failed ??= thrown;
    }
    closeDesk();
    this.#hearing.end();
    this.#plans.flush();
    this.#plans.stop();
    await this.#planKept;
    this.#shown.stop();
    await journal.idle().catch((thrown: unknown) => this.#ending.end({ kind: 'thrown', thrown }));
    this.#ending.release();
    return { why: this.#ending.why, failed };
  }

  async #turns(): Promise<void> {
    const { journal } = this.#parts;
    const { conversation } = journal.told;
    const agent = await this.#open();
    let text = promptFor(journal.told, agent.facts.resumed);
    for (;;) {
      this.#shown.say(WAITING);
      const end = await this.#turn(agent, text);
      this.#hearing.turnEnded(end.text);
      await journal.idle();
      if (agent.conversation !== journal.told.own) await this.#introduce(agent);
      if (this.#ending.why !== null || journal.told.conversation.settled !== null) return;
      const next = afterTurn(end, journal.told, conversation.spec ?? this.#parts.spec);
      if ('ended' in next) return this.#ending.end({ kind: 'ended', ...next.ended });
      text = next.say;
      await journal.append({ kind: 'user', text });
    }
  }

  async #open(): Promise<RunningAgent> {
    const { ports, spec, journal } = this.#parts;
    this.#agent = await ports.open({
      executor: ports.executor,
      sessionId: ports.sessionId,
      model: spec.model,
      system: instructions(spec.role),
      workdir: ports.workdir,
      writes: spec.role === 'worker',
      judges: spec.role === 'reviewer',
      resume: journal.told.own,
      heard: (update) => this.#heard(update),
      refused: (thrown) => this.#ending.refused(thrown),
      signal: this.#ending.signal,
    });
    await this.#introduce(this.#agent);
    return this.#agent;
  }

  #introduce({ facts, conversation }: RunningAgent): Promise<void> {
    const { executor } = this.#parts.ports;
    return this.#parts.journal.append({ kind: 'agent', executor, version: facts.version, conversation });
  }

  async #turn(agent: RunningAgent, text: string): Promise<TurnEnd> {
    const { ports, meter, authenticator } = this.#parts;
    const { account } = ports;
    const prompt = (): Promise<TurnEnd> => agent.prompt(authenticator.marked(text), this.#ending.signal);
    if (account === null) return prompt();
    let booking: Awaited<ReturnType<typeof account.reserve>>;
    try {
      booking = await account.reserve(meter.tokensLeft());
    } catch (thrown) {
      this.#ending.refused(thrown);
      throw thrown;
    }
    const before = this.#reported;
    return paid(booking, prompt, () => since(before, this.#reported));
  }

  #heard(update: AgentUpdate): void {
    if (update.kind === 'usage') {
      this.#reported = update;
      this.#parts.meter.heard(update);
    } else {
      this.#parts.authenticator.heard(update);
      this.#hearing.hear(update);
    }
  }

  #settled(): void {
    // Updates after the answer are not part of the answer.
    this.#hearing.drop();
    this.#cancelGrace = this.#parts.ports.clock.timer(GRACE_MS, () => this.#ending.end({ kind: 'settled' }));
  }

  #keep(heard: Observed): void {
    const { journal } = this.#parts;
    if (++this.#unkept > MAX_UNKEPT) {
      this.#flooded();
      return;
    }
    const kept = journal.inTurn(async (append) => {
      this.#unkept--;
      const { conversation, size } = journal.told;
      if (conversation.settled !== null) return;
      if (size > MOST_SIZE) return this.#flooded();
      const { text, call } = fitted(heard, size);
      if (call === null) return append(replyEntry(text, []));
      const id = `call-${conversation.turns + 1}`;
      await append(replyEntry(text, [callBlock(id, call.name, call.input)]));
      await append(resultsEntry([resultBlock(id, call)], call.mayWrite ? await this.#keepTree() : null));
    });
    kept.catch((thrown: unknown) => this.#ending.end({ kind: 'thrown', thrown }));
  }

  /** Best effort: people only watch the list. If the store fails, the next event that counts shows it. */
  #keepPlan(items: readonly TodoItem[]): void {
    const { setTodo } = this.#parts.ports.sessionTools;
    if (setTodo === undefined) return;
    this.#planKept = this.#planKept.then(() => setTodo(items)).catch(() => undefined);
  }

  #flooded(): void {
    this.#hearing.drop();
    this.#ending.end({ kind: 'ended', reason: 'flood', detail: 'the agent sends more updates than can be stored' });
  }

  /**
   * Stores the tree so that an interrupted attempt has a diff. The agent keeps writing; a file that cannot be stored now is
   * stored later.
   */
  async #keepTree(): Promise<string | null> {
    const { clock, checkpoint, live } = this.#parts.ports;
    if (clock.monotonic() - this.#lastCheckpoint < CHECKPOINT_MS) return null;
    this.#lastCheckpoint = clock.monotonic();
    try {
      return await checkpoint();
    } catch {
      live('the tree could not be kept just now');
      return null;
    }
  }
}

/** The first prompt of an agent, which may or may not remember the conversation. */
function promptFor({ conversation, pending, heard }: ExternalState, resumed: boolean): string {
  const opening = conversation.spec === null ? '' : firstMessage(conversation.spec);
  const before = resumed
    ? heard
      ? ''
      : opening
    : [opening, digest(conversation.messages)].filter(Boolean).join('\n\n');
  return [before, ...pending].filter((part) => part !== '').join('\n\n');
}

type After = { readonly say: string } | { readonly ended: { readonly reason: EndReason; readonly detail: string } };

/** A turn ended without an answer: it is asked for it once. */
function afterTurn(end: TurnEnd, { reminded, conversation }: ExternalState, { role }: SessionSpec): After {
  const ended = (reason: EndReason, detail: string): After => ({ ended: { reason, detail } });
  switch (end.reason) {
    case 'refusal':
      return ended('refusal', end.text || 'the agent refused');
    case 'max_turns':
      return ended('turns', 'the agent reached its own turn limit');
    case 'max_tokens':
      return reminded ? ended('truncated', 'the reply was cut off twice in a row') : { say: truncatedNotice(role) };
    case 'end':
    case 'cancelled':
      if (!reminded) return { say: askForAnswer(role) };
      return conversation.invalidAnswers > 0
        ? ended('invalid_answer', 'no valid answer after a repair turn')
        : ended('no_report', `the agent stopped without calling ${answerTool(role) ?? 'its tool'}`);
  }
}

/** The difference between two totals. */
function since(before: Reported | null, now: Reported | null): Reported | null {
  if (now === null || before === null || now === before) return now === before ? null : now;
  const { usage, costMicroUsd } = now;
  return {
    usage: usage === null ? null : usageSince(before.usage ?? NO_USAGE, usage),
    costMicroUsd: costMicroUsd === null ? null : Math.max(0, costMicroUsd - (before.costMicroUsd ?? 0)),
  };
}
