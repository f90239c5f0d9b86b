/** How much a model thinks and writes before it answers, by role of a job. */
export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

/** Roles whose sessions take an effort. */
export const EFFORT_ROLES = ['planner', 'worker', 'reviewer', 'summarizer'] as const;

/** A role that is absent has the default of its model. */
export type Efforts = Readonly<Partial<Record<(typeof EFFORT_ROLES)[number], Effort>>>;
