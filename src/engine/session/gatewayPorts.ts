/** The gateway's own ports: the door that sessions call, the providers behind it, and the ledger it books in. */
import type { SecretPrint } from '../../core/guard/secretPrints.ts';
import type { ListedModels } from '../../core/money/price/listedModels.ts';
import type { AutonomousError } from '../../shared/errors.ts';
import type { ConnectionName } from '../../shared/model/models.ts';
import type { Terms } from '../../shared/model/terms.ts';
import type { SessionRow } from '../../shared/session.ts';
import type { EventDraft } from '../../shared/workspace/events.ts';
import type { State } from '../../shared/workspace/state.ts';

/**
 * The header by which a request names its conversation within its session. Each request of a conversation begins with the one before
 * it. The header does not leave the owner.
 */
export const CONVERSATION_HEADER = 'autonomous-conversation';

/** One request of the Messages API. */
export interface ModelRequest {
  /** The path from the root, with its query: `/v1/messages?beta=true`. */
  readonly path: string;
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The session that asks; everything else about the caller is read from its row. */
  readonly sessionId: number;
  /**
   * The life of the session that asks. A session that was resumed after a death has a new one. If absent, each call has a
   * separate life.
   */
  readonly asker?: string;
}

/** A Messages API answer as it came: JSON, or server-sent events when the request has `stream: true`. */
export interface ModelReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ReadableStream<Uint8Array>;
  /**
   * Fingerprints of the credentials that the provider received, in case it quotes them: for code that stores or shows the answer.
   */
  readonly secrets?: readonly SecretPrint[];
}

/**
 * What answers for a connection. Does not retry, and does not handle money. An HTTP error is a reply with its status, not a throw. Throws
 * MODEL_UNAVAILABLE, with `details.sent` false if the request cannot have reached the other side (so nothing can be billed) and
 * true if it may have; or a local refusal before sending: KEY_MISSING, KEY_REFUSED, SCENARIO_INVALID, SCENARIO_EXHAUSTED. After
 * `signal` aborts, `send` rejects and the body errors.
 */
export interface Provider {
  readonly name: ConnectionName;
  /** Whether it answers `/v1/messages/count_tokens`. Defaults to false. */
  readonly countsTokens?: boolean;
  /** The part of the listed prices that its calls cost. Defaults to 1. */
  readonly priceFactor?: number;
  /** Whether it writes each prompt that is to be cached for an hour, whatever the request asks for. Defaults to false. */
  readonly cachesForHour?: boolean;
  /** Longest time from a request to the end of its answer, milliseconds. Defaults to limits by the kind and length of the answer. */
  readonly answersWithinMs?: number;
  /**
   * `models` are named as the server knows them. Reports why requests for these models would be refused now, without a billed request: KEY_MISSING, KEY_REFUSED,
   * MODEL_NOT_CHOSEN, or MODEL_UNAVAILABLE as `send` throws it. If absent, the provider is always ready. Never rejects.
   */
  check?(models: readonly string[]): Promise<readonly AutonomousError[]>;
  send(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
  /** For servers of which it is not known what their models can do. Absent: none of its models is checked. */
  readonly checks?: ModelChecks;
}

/** What a server reads of a prompt. */
export interface LoadedContext {
  /** Null if the server does not state it. */
  readonly tokens: number | null;
  /** What raises it, for people. */
  readonly fix: string;
}

export interface ModelChecks {
  /** Identifies the server and the model: what is known of one holds for no other. */
  key(model: string): string;
  /** Whether the server runs on this machine: such servers cut prompts without an error. */
  readonly isLocal: boolean;
  context(model: string, signal: AbortSignal): Promise<LoadedContext>;
  /** The models that the server lists; null if it has no list. Throws KEY_REFUSED, MODEL_UNAVAILABLE, and what `send` throws. */
  models(signal: AbortSignal): Promise<ListedModels | null>;
  /** Whether it lists them only with the key; null if it does not show that. Throws as `send`. */
  needsKey(signal: AbortSignal): Promise<boolean | null>;
}

/** What a check found. */
export interface PassedCheck {
  /** Tokens that the server reads of a prompt; null if it does not state it. */
  readonly context: number | null;
}

/** Keeps which models passed their check. */
export interface KeptChecks {
  /** The check that the model passed within the last day; null if there is none. */
  find(key: string): Promise<PassedCheck | null>;
  /** Best effort: never rejects. */
  keep(key: string, passed: PassedCheck): Promise<void>;
}

/** The one door to a language model: retries, concurrency and money are decided here and nowhere else. */
export interface Gateway {
  /**
   * Answers with status 200 or throws a failure. The body of a streamed answer errors with MODEL_STREAM_BROKEN when it
   * breaks off; its last event comes only after the money of the call is booked.
   *
   * NOT_PERMITTED, INVALID_INPUT: not a request that passes. MODEL_UNPRICED. LIMIT_REACHED with details `limit`,
   * `limitMicroUsd`, `spentMicroUsd`, `reservedMicroUsd`, `wantedMicroUsd`, `raiseTo` (would be enough), `resetsAt` (ISO or null); of what is
   * counted (`calls` and `tokens` of a job without prices, `project_tokens`, `project_tool_calls`) with `most`, `used`, `open`, `wanted`. KEY_MISSING, KEY_REFUSED, NO_CREDIT,
   * MODEL_REQUEST_REFUSED with `status`. MODEL_UNAVAILABLE with `retryAtMs` (epoch ms), `reason`. ABORTED, also when
   * the job or the project of the session was stopped.
   */
  call(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
  /** Ends the back-off of one connection: its waiting calls are sent at once. Other connections keep theirs. */
  tryNow(connection: ConnectionName): void;
  /** Aborts calls in flight and resolves when each is booked. Later calls are refused. */
  close(): Promise<void>;
}

/** The gateway's view of the store. */
export interface Ledger {
  readonly state: State;
  /**
   * Durable, and seen in `state`, when it resolves. A function is called at once in the order of commits, sees the
   * newest state (what is on its way to the disk included), and refuses by throwing.
   */
  commit(draft: EventDraft | ((state: State) => EventDraft)): Promise<unknown>;
  /** Ids that no row has or will have. */
  nextIds(table: 'spends', count: number): readonly number[];
}

/** What answers a session's requests for a model, named as the request names it: with its connection. */
export type ProviderOf = (session: SessionRow, model: string) => Provider;

/** Prices and windows of a model of the user's connections, for a session without a job. */
export type TermsNow = (model: string) => Promise<Terms | undefined>;

/** An answer's text as it came, and its content type. */
export interface KeptAnswer {
  readonly type: string;
  readonly text: string;
}

export type KeptRequest = Pick<ModelRequest, 'sessionId' | 'body' | 'asker'>;

/**
 * Keeps paid answers until the session has them in its journal: after a kill in between, the repeated request receives the kept
 * answer instead of paying twice.
 */
export interface KeptAnswers {
  /** Before the call is booked; replaces the session's older one. Durable when it resolves. Best effort: never rejects. */
  keep(request: KeptRequest, answer: KeptAnswer): Promise<void>;
  /**
   * The answer to exactly this request, unless the same life received it already: then it wants another answer. Returned once,
   * because a third request could not use it. Null if there is none. Never rejects.
   */
  take(request: KeptRequest): Promise<KeptAnswer | null>;
}

/** A call of a session by its prompt. Its answer may be limited to another length when it is repeated. */
export interface BatchedCall {
  readonly sessionId: number;
  readonly prompt: string;
}

/** The batches of calls whose answer may not have arrived. */
export interface PendingBatches {
  /** Id of the batch of exactly this call. Null if there is none. */
  find(call: BatchedCall): string | null;
  /** Durable when it resolves. Replaces the earlier batch of the same call. */
  add(call: BatchedCall, id: string): Promise<void>;
}
