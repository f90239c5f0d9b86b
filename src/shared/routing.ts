/** Routing: which model of a ladder a session starts with, and why. The decisions are in `core/routing`. */

/** `suggest`: the model that routing would choose is shown, and the role's own model is used. */
export const ROUTINGS = ['off', 'suggest', 'on'] as const;
export type Routing = (typeof ROUTINGS)[number];

/** Roles that can have a ladder. No check of a summary exists that could move a summarizer up. */
export const LADDER_ROLES = ['planner', 'worker', 'reviewer'] as const;
export type LadderRole = (typeof LADDER_ROLES)[number];

/** The most models of a ladder. */
export const MAX_RUNGS = 8;

/** Models by role, from cheap to strong. A role without an entry keeps its model. */
export type Ladders = Readonly<Partial<Record<LadderRole, readonly string[]>>>;

/** A choice, as it was made when the attempt started. It is stored, and never computed again. */
export interface Route {
  readonly mode: Exclude<Routing, 'off'>;
  /** The model that routing chose. With `suggest`, the attempt uses the model of its role instead. */
  readonly model: string;
  readonly reason: string;
}
