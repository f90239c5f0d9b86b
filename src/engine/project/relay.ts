/**
 * Relays the messages of one project to another, in the owner. The pending work is derived from the state each time, so that a
 * crash between a decision and its message loses neither: the next start finds the same work.
 */
import { answeredRelays, isHandled, isWithMain, type RelayMode, relayStep } from '../../core/project/relay.ts';
import { repliesToMain } from '../../core/project/replies.ts';
import type { Clock } from '../../shared/clock.ts';
import { failure, findFailure } from '../../shared/errors.ts';
import { MAIN_PROJECT, type MessageRow } from '../../shared/project/projects.ts';
import type { EventDraft } from '../../shared/workspace/events.ts';
import type { State } from '../../shared/workspace/state.ts';
import type { Store } from '../state/store.ts';
import { newQuestion } from './definition/parking.ts';
import { newMessage } from './talk/messages.ts';

/** An older message was read already, or is outdated. */
const LOOKED_BACK_MS = 24 * 60 * 60_000;
/** The state may change during a decision; more changes than this are a bug. */
const TRIES = 3;

export interface RelayOptions {
  readonly store: Store;
  readonly clock: Clock;
  mode(): RelayMode;
  /** Something could not be passed on; it is tried again at the next start. */
  failed(thrown: unknown): void;
}

export interface Relay {
  /** Projects with a message that is not relayed or asked about yet. Empty while the relay waits for the steward. */
  readonly passing: readonly string[];
  /** Resolves when all messages so far are relayed or asked about. */
  settled(): Promise<void>;
  /** Finishes the current decision, then ends. */
  close(): Promise<void>;
}

export function startRelay(options: RelayOptions): Relay {
  const { store, clock } = options;
  const waiting = new Set(recent(store.state, new Date(clock.now() - LOOKED_BACK_MS).toISOString()));
  let closed = false;
  let work = Promise.resolve();
  let rounds = 0;

  const next = (): void => {
    rounds++;
    work = work.then(async () => {
      for (const { message, to } of answeredRelays(store.state)) await tried(() => pass(store, message, to, true));
      for (const id of [...waiting]) if (await tried(() => decide(options, id))) waiting.delete(id);
      rounds--;
    });
  };
  /** Whether there is nothing left to do about it. */
  const tried = async (act: () => Promise<boolean>): Promise<boolean> => {
    for (let left = TRIES; !closed; left--) {
      try {
        return await act();
      } catch (thrown) {
        const code = findFailure(thrown)?.code;
        if (left > 1 && (code === 'ILLEGAL_TRANSITION' || code === 'NOT_FOUND')) continue;
        if (code !== 'OWNER_LOST') options.failed(thrown);
        return true;
      }
    }
    return false;
  };

  const unsubscribe = store.subscribe((event) => {
    if (event.type === 'message_sent' && event.message.direction === 'out') waiting.add(event.message.id);
    else if (event.type !== 'approval_decided' && event.type !== 'approval_voided') return;
    next();
  });
  next();
  return {
    get passing() {
      if (rounds === 0) return [];
      return [...waiting].flatMap((id) => store.state.messages.get(id)?.project_id ?? []);
    },
    settled: () => work,
    close: async () => {
      closed = true;
      unsubscribe();
      await work;
    },
  };
}

function recent(state: State, since: string): number[] {
  return [...state.messages.values()].filter((row) => row.direction === 'out' && row.at >= since).map(({ id }) => id);
}

/** Returns false if the decision must wait for the answer to another question of the project. */
async function decide(options: RelayOptions, id: number): Promise<boolean> {
  const { store } = options;
  const message = store.state.messages.get(id);
  if (message !== undefined && repliesToMain(store.state, message) && !isWithMain(store.state, message)) {
    await pass(store, message, MAIN_PROJECT, true);
  }
  const step = message === undefined ? undefined : relayStep(store.state, message, options.mode());
  if (message === undefined || step === undefined || step.kind === 'none') return true;
  if (step.kind === 'later') return false;
  if (step.kind === 'pass') return pass(store, message, step.to, false);
  const { question, choices } = step;
  await store.commit(
    unhandled(message, {
      type: 'approval_requested',
      approval: newQuestion(store, message.project_id, {
        kind: 'relay',
        about: { of: 'relay', messageId: message.id },
        question,
        detail: message.text,
        choices,
      }),
    }),
  );
  return true;
}

/**
 * Relays a message verbatim, as data with its origin. `answered` by the steward means that a question about it does not block it.
 */
async function pass(store: Store, message: MessageRow, to: string, answered: boolean): Promise<boolean> {
  const draft = newMessage(store, {
    project_id: to,
    direction: 'in',
    sender: 'project',
    text: message.text,
    relayed_from: message.id,
    // The main agent decides about each message that is passed to it.
    level: to === MAIN_PROJECT ? null : message.level,
  });
  await store.commit(answered ? draft : unhandled(message, draft));
  return true;
}

/** The main agent may have been quicker: then it is looked at again, and nothing is left to do. */
function unhandled(message: MessageRow, draft: EventDraft): (state: State) => EventDraft {
  return (state) => {
    if (isHandled(state, message)) throw failure('ILLEGAL_TRANSITION', `message ${message.id} was passed on already`);
    return draft;
  };
}
