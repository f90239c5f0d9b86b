/** What an agent session needs from outside, and what it gives back. It knows no job, no git and no store. */
import type { AttemptLimits, Role } from '../shared/domain.ts';
import type { ErrorCode } from '../shared/errors.ts';
import type { Plan, Report, Verdict } from '../shared/plan.ts';

/** Everything that determines the first request of a session, byte for byte. */
export interface SessionSpec {
  readonly role: Role;
  readonly model: string;
  readonly system: string;
  /** The first user message. */
  readonly opening: string;
  /** `max_tokens` of each call. */
  readonly maxTokens: number;
}

export interface SessionPorts {
  readonly sessionId: number;
  /** The gateway's door: a fetch that adds the key and the money rules in the owner. Throws or wraps `AutonomousError`. */
  readonly fetch: typeof fetch;
  /** Directory that the file tools see; the reviewer and planner read it only. */
  readonly workdir: string;
  readonly transcript: Transcript;
  readonly commands: SessionCommands;
  readonly desk: SessionDesk;
  readonly limits: AttemptLimits;
  readonly clock: import('../shared/clock.ts').Clock;
  /** Called when a turn is complete (reply and its tool results are in the transcript). Gives the tree's checkpoint. */
  checkpoint(): Promise<string | null>;
  /** Puts the tree back to a checkpoint, before the tools of an interrupted turn run again. */
  restore(checkpoint: string | null): Promise<void>;
  /** What it does right now, for people. */
  live(text: string): void;
  readonly signal: AbortSignal;
}

/** Runs one shell command for the agent under the command policy; a refusal is text for the model, not a throw. */
export interface SessionCommands {
  run(
    command: string,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<{
    readonly exitCode: number | null;
    readonly ended: string | null;
    readonly output: string;
  }>;
}

/** The notes and status tools, scoped to the session by the owner. Every answer is text for the model. */
export interface SessionDesk {
  /** `pending` or `in_progress` of the own feature; anything else is refused with the reason. */
  featureStatus(featureId: number, status: string): Promise<{ readonly ok: boolean; readonly text: string }>;
  addNote(note: {
    readonly scope: 'feature' | 'category' | 'global';
    readonly content: string;
    readonly file?: string | undefined;
    readonly line?: number | undefined;
    /** The noted line's text, to find it again when the code moves; null: not known. */
    readonly anchor?: string | null;
  }): Promise<{ readonly ok: boolean; readonly text: string }>;
  notes(): Promise<string>;
}

/** One line of a session's journal, durable before it is acted on. */
export type TranscriptEntry =
  | { readonly kind: 'opening'; readonly spec: SessionSpec; readonly checkpoint: string | null }
  /** Another user message in the same conversation: the next feature of a batch, or a re-ask. */
  | { readonly kind: 'user'; readonly text: string }
  /** A whole reply of the model: an Anthropic message object. */
  | { readonly kind: 'reply'; readonly message: unknown }
  /** The user message with the results of the reply's tool calls, and the tree after them. */
  | { readonly kind: 'results'; readonly message: unknown; readonly checkpoint: string | null }
  /** The history up to here was shed or summarized; these messages replace it. */
  | { readonly kind: 'compacted'; readonly messages: readonly unknown[] };

export interface Transcript {
  /** What was journaled before, damaged lines skipped. Empty for a new session. */
  readonly entries: readonly TranscriptEntry[];
  /** Durable when it resolves. */
  append(entry: TranscriptEntry): Promise<void>;
}

/** Why a session ended without an answer that counts. Each is a word that people see. */
export type EndReason =
  | 'no_report'
  | 'invalid_answer'
  | 'loop'
  | 'turns'
  | 'tokens'
  | 'time'
  | 'money'
  | 'truncated'
  | 'refusal'
  | 'context_full'
  | 'unknown_stop';

export type SessionAnswer =
  | { readonly kind: 'report'; readonly report: Report }
  | { readonly kind: 'plan'; readonly plan: Plan }
  | { readonly kind: 'verdict'; readonly verdict: Verdict }
  | { readonly kind: 'text'; readonly text: string };

export type SessionResult =
  | ({ readonly outcome: 'answered'; readonly turns: number; readonly contextTokens: number } & {
      readonly answer: SessionAnswer;
    })
  | { readonly outcome: 'ended'; readonly turns: number; readonly reason: EndReason; readonly detail: string }
  /** The provider or the budget said no: the session can be resumed later. `code` is the gateway's failure. */
  | {
      readonly outcome: 'unavailable';
      readonly turns: number;
      readonly code: ErrorCode;
      readonly detail: string;
      readonly hint: string;
      /** ISO time to try again; null: not by itself. */
      readonly wakeAt: string | null;
      readonly limit: string | null;
      /** What that limit would have to be to go on for a while, in its own unit. */
      readonly raiseTo: number | null;
    }
  | { readonly outcome: 'aborted'; readonly turns: number };
