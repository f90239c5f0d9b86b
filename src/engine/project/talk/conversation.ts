/**
 * Runs a project's conversation in its thread: takes the project's messages in the order of their ids, and works until nothing is
 * open. Messages that are committed and not in the journal come next, so that none is lost or given twice.
 */
import { wakesTurn } from '../../../core/project/conversations.ts';
import { toPlain } from '../../../shared/errors.ts';
import type { Event } from '../../../shared/workspace/events.ts';
import type { OwnerCalls, ProjectConversation } from '../threadPorts.ts';
import type { ConversationJournal, ConversationPorts } from './conversationPorts.ts';
import { takeStep } from './conversationStep.ts';

export function projectConversation(ports: ConversationPorts, conversed: OwnerCalls['conversed']): ProjectConversation {
  return new Conversing(ports, conversed);
}

class Conversing implements ProjectConversation {
  readonly #ports: ConversationPorts;
  readonly #conversed: OwnerCalls['conversed'];
  #run = 0;
  /** A message or change arrived that the current round may not have seen. */
  #again = false;
  #going: Promise<void> | null = null;
  #abort = new AbortController();
  /** Ends a wait for the provider before its time. */
  #nap = new AbortController();
  #stopped = false;
  #journal: ConversationJournal | null = null;

  constructor(ports: ConversationPorts, conversed: OwnerCalls['conversed']) {
    const told = new Set<string>();
    const problem = (text: string): void => {
      if (!told.has(text)) ports.problem(text);
      told.add(text);
    };
    this.#ports = { ...ports, problem };
    this.#conversed = conversed;
  }

  converse(run: number): void {
    this.#run = Math.max(this.#run, run);
    this.#goOn();
  }

  heard(event: Event): void {
    const what = concerns(this.#ports, event);
    if (what === 'end') {
      this.#abort.abort(new Error('the turn was stopped'));
      this.#goOn();
    } else if (what === 'go') this.#goOn();
    else if (what === 'stop') this.#abort.abort(new Error('the project stops'));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#abort.abort(new Error('the owner stops'));
    await this.#going;
    await this.#journal?.close();
  }

  #goOn(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#nap.abort();
    this.#going ??= this.#go();
  }

  async #go(): Promise<void> {
    let failed: unknown = null;
    while (this.#again && failed === null) {
      this.#again = false;
      this.#abort = new AbortController();
      if (this.#stopped) break;
      const { signal } = this.#abort;
      try {
        await this.#untilRest(signal);
      } catch (thrown) {
        if (!signal.aborted) failed = thrown;
      }
    }
    this.#going = null;
    // Another run may be requested while the journal is closed: that one continues.
    const run = this.#run;
    if (failed !== null) await this.#forget();
    this.#conversed(run, failed === null ? null : toPlain(failed));
  }

  /** The failure may have left half a line: the file is read again. */
  async #forget(): Promise<void> {
    const journal = this.#journal;
    this.#journal = null;
    try {
      await journal?.close();
    } catch (thrown) {
      this.#ports.problem(
        `the conversation of ${this.#ports.projectId} could not be closed: ${toPlain(thrown).message}`,
      );
    }
  }

  async #untilRest(signal: AbortSignal): Promise<void> {
    for (;;) {
      if (signal.aborted) return;
      const outcome = await takeStep({ ports: this.#ports, journal: await this.#open(), signal });
      if (outcome.kind === 'rest') return;
      if (outcome.kind === 'wait') await this.#sleep(outcome.until, signal);
    }
  }

  async #open(): Promise<ConversationJournal> {
    if (this.#journal !== null) return this.#journal;
    const journal = await this.#ports.openJournal();
    for (const { file, line, what } of journal.problems) {
      const place = line === null ? '' : ` line ${line}:`;
      this.#ports.problem(`conversation of ${this.#ports.projectId}, ${file}${place} ${what}`);
    }
    this.#journal = journal;
    return journal;
  }

  async #sleep(until: string, signal: AbortSignal): Promise<void> {
    this.#nap = new AbortController();
    const either = AbortSignal.any([signal, this.#nap.signal]);
    const ms = Math.max(0, Date.parse(until) - this.#ports.clock.now());
    try {
      await this.#ports.clock.sleep(ms, either);
    } catch (thrown) {
      if (!either.aborted) throw thrown;
    }
  }
}

/** The effect of an event on the conversation: a new check, the end of its turn, its end, or none. */
function concerns({ projectId, store }: ConversationPorts, event: Event): 'go' | 'end' | 'stop' | null {
  switch (event.type) {
    case 'message_sent':
      return event.message.project_id === projectId && wakesTurn(event.message) ? 'go' : null;
    case 'turn_ended':
      return event.project_id === projectId && event.by !== 'agent' && event.by !== 'engine' ? 'end' : null;
    case 'project_suspended':
    case 'project_completed':
    case 'project_parked':
      return event.project_id === projectId ? 'stop' : null;
    case 'project_resumed':
    case 'project_unparked':
    case 'project_defined':
      return event.project_id === projectId ? 'go' : null;
    case 'tried_now':
      return event.of === 'project' && event.id === projectId ? 'go' : null;
    case 'limits_set':
      return 'go';
    case 'approval_decided':
    case 'approval_voided': {
      const row = store.state.approvals.get(event.id);
      return row?.project_id === projectId && row.job_id === null && row.task_id === null ? 'go' : null;
    }
    default:
      return null;
  }
}
