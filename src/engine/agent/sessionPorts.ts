/** What a session by somebody else's agent needs from outside, beside what every session does. */
import type { Usage } from '../../shared/money.ts';
import type { SessionPorts } from '../session/ports.ts';
import type { OpenAgent } from './ports.ts';

export interface ExternalPorts
  extends Pick<
    SessionPorts,
    | 'sessionId'
    | 'fetch'
    | 'workdir'
    | 'files'
    | 'transcript'
    | 'sessionTools'
    | 'limits'
    | 'clock'
    | 'checkpoint'
    | 'restore'
    | 'live'
    | 'signal'
  > {
  /** Name in the data file. */
  readonly executor: string;
  readonly open: OpenAgent;
  /** What the attempt under way used so far, by the ledger. */
  used(): Used;
  /** null: its calls leave by `fetch`, where they are paid. */
  readonly account: OwnAccount | null;
}

export interface Used {
  /** Calls of a model, or turns of an agent that has an account of its own. */
  readonly turns: number;
  /** The same of the whole session. */
  readonly sessionTurns: number;
  readonly tokens: number;
  /** Of the newest call: how long the conversation is by now. */
  readonly contextTokens: number;
}

/** The ledger of an agent that pays with an account of its own. */
export interface OwnAccount {
  /** Before each turn, which may use up to `tokens`. Throws LIMIT_REACHED. */
  reserve(tokens: number): Promise<Booking>;
}

/** Exactly one of the two ends it. */
export interface Booking {
  settle(reported: Reported): Promise<void>;
  /** It reported nothing: counted at its most until a person says otherwise. */
  unsettle(reason: string): Promise<void>;
}

/** What an agent says that it used. */
export interface Reported {
  readonly usage: Usage | null;
  readonly costMicroUsd: number | null;
}
