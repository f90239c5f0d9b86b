/** Declares the dependencies of an external agent's session, beside those of every session. */
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
  /** Usage of the current attempt so far, according to the ledger. */
  used(): Used;
  /** Null if the agent's calls use `fetch`, which books their cost. */
  readonly account: OwnAccount | null;
}

export interface Used {
  /** Calls of a model, or turns of an agent with a separate account. */
  readonly turns: number;
  /** Turns of the whole session. */
  readonly sessionTurns: number;
  readonly tokens: number;
  /** Context of the newest call: the current length of the conversation. */
  readonly contextTokens: number;
}

/** The ledger of an agent that pays with a separate account. */
export interface OwnAccount {
  /** Before each turn, which may use up to `tokens`. Throws LIMIT_REACHED. */
  reserve(tokens: number): Promise<Booking>;
}

/** Exactly one of the two ends it. */
export interface Booking {
  settle(reported: Reported): Promise<void>;
  /** Used if the agent reported nothing: books the maximum until a person corrects it. */
  unsettle(reason: string): Promise<void>;
}

/** The agent's report of its usage. */
export interface Reported {
  readonly usage: Usage | null;
  readonly costMicroUsd: number | null;
}
