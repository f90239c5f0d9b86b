/** Rules that approve a gate for a kind of work, which a person created from the record. The decisions are in `core/rule`. */

import type { ConnectionName } from '../model/models.ts';

/** Gates that a rule can approve. A plan has no change yet, so that no rule could tell what it would do. */
export const RULE_GATES = ['phase', 'merge'] as const;
export type RuleGate = (typeof RULE_GATES)[number];

/** Kinds of work of which no file executes. `core/rule/plainWork.ts` decides which files belong to them. */
export const WORK_KINDS = ['docs', 'data'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

/** A file of a change, without detection of renames. */
export interface ChangedFile {
  readonly path: string;
  /** Its modes before and after, as git names them. `000000` if it did not exist. */
  readonly modes: readonly [string, string];
  /** Added and removed lines. Null for a binary file. */
  readonly lines: number | null;
}

/** Facts about the work at a gate, as the engine measured them when it asked. */
export interface GateFacts {
  readonly provider: ConnectionName;
  /** Null if a file is of no such kind, or might execute. */
  readonly work: WorkKind | null;
  readonly files: number;
  /** Added and removed. */
  readonly lines: number;
  /** Categories of the features, sorted. */
  readonly categories: readonly string[];
  /** Upper bound of the cost of the work. Null if a call has no price. */
  readonly microUsd: number | null;
  /** Whether every verify command passed on this commit, and there is one. */
  readonly verified: boolean;
}

/** What a rule covers. */
export interface RuleScope {
  readonly project_id: string;
  readonly gate: RuleGate;
  readonly work: WorkKind;
  readonly provider: ConnectionName;
  /** A gate with a feature of another category is asked about. */
  readonly categories: readonly string[];
  readonly max_lines: number;
  readonly max_micro_usd: number;
}

export interface RuleRow extends RuleScope {
  readonly id: number;
  /** Approvals by a person that the rule was offered for. */
  readonly approved: number;
  /** The rule in words, as the person saw it. */
  readonly text: string;
  readonly created_at: string;
  /** Null while the rule is in force. */
  readonly revoked_at: string | null;
}

/** A rule that the record supports, until a person creates it. */
export interface RuleOffer extends RuleScope {
  /** e.g. `default:phase:docs:anthropic` */
  readonly id: string;
  readonly approved: number;
  readonly text: string;
}
