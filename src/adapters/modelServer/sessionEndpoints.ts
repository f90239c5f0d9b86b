/** Identifies the session of a call: each session has its own token, valid until it ends. */
import { randomBytes } from 'node:crypto';
import { asFailure } from '../../shared/errors.ts';
import { bearerOf, isSameToken } from '../loopback/caller.ts';
import { isOfRequest } from './errors.ts';
import { LIMITS } from './limits.ts';

/** The permissions and limits of a session's agent. */
export interface Admitted {
  readonly sessionId: number;
  /** This session's access to the gateway. */
  readonly fetch: typeof fetch;
  /** The model that replaces requested models without a price. */
  readonly model: string;
  /** Limit of the length of one answer. */
  readonly maxTokens: number;
  /** Called with the first failure for money, key or provider. */
  refused(thrown: unknown): void;
  /** Logs a request of the agent that is not fulfilled; each text once. */
  reported(text: string): void;
}

/** The memory that the requests of a session share. */
export interface RequestBudget {
  /** Returns false if the budget is exhausted. */
  take(bytes: number): boolean;
  leave(): void;
}

/** A session's endpoint; it holds a call from its head to the end of its answer. */
export class SessionEndpoint {
  readonly admitted: Admitted;
  readonly token = randomBytes(32).toString('base64url');
  readonly #closing = new AbortController();
  readonly #reported = new Set<string>();
  readonly #calls = new Set<Promise<void>>();
  #refused = false;
  #bytes = 0;

  constructor(admitted: Admitted) {
    this.admitted = admitted;
  }

  /** Aborts when the endpoint closes. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  get calls(): number {
    return this.#calls.size;
  }

  opensTo(given: string): boolean {
    return isSameToken(given, this.token);
  }

  report(texts: readonly string[]): void {
    for (const text of texts) {
      if (this.#reported.has(text)) continue;
      this.#reported.add(text);
      this.admitted.reported(text);
    }
  }

  /** A call failed for another reason than its caller's disconnection. */
  failed(thrown: unknown): void {
    if (this.#refused || this.signal.aborted || isOfRequest(asFailure(thrown))) return;
    this.#refused = true;
    this.admitted.refused(thrown);
  }

  /** The budget of one call. Release it when the call ends. */
  room(): RequestBudget {
    let mine = 0;
    return {
      take: (bytes) => {
        if (this.#bytes + bytes > LIMITS.bytesAtOnce) return false;
        this.#bytes += bytes;
        mine += bytes;
        return true;
      },
      leave: () => {
        this.#bytes -= mine;
        mine = 0;
      },
    };
  }

  /** `call` never rejects. */
  async hold(call: Promise<void>): Promise<void> {
    this.#calls.add(call);
    await call;
    this.#calls.delete(call);
  }

  /** Resolves when all calls in flight have ended and their cost is booked. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#calls);
  }
}

export class SessionEndpoints {
  readonly #open = new Set<SessionEndpoint>();

  open(admitted: Admitted): SessionEndpoint {
    const door = new SessionEndpoint(admitted);
    this.#open.add(door);
    return door;
  }

  /** Looks up the token of `x-api-key`, else of `Authorization: Bearer`. */
  find(headers: {
    readonly 'x-api-key'?: unknown;
    readonly authorization?: string | undefined;
  }): SessionEndpoint | null {
    const bearer = bearerOf(headers.authorization);
    const key = headers['x-api-key'];
    const given = [key, bearer].filter((token) => typeof token === 'string');
    return [...this.#open].find((door) => given.some((token) => door.opensTo(token))) ?? null;
  }

  async close(door: SessionEndpoint): Promise<void> {
    this.#open.delete(door);
    await door.close();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open].map((door) => this.close(door)));
  }
}
