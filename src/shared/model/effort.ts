/** Effort of the models, by role of a job: the amount of thinking and text before an answer. */
export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

/** Roles that have an effort setting. */
export const EFFORT_ROLES = ['planner', 'worker', 'reviewer', 'summarizer'] as const;

/** If a role is absent, its model uses its default. */
export type Efforts = Readonly<Partial<Record<(typeof EFFORT_ROLES)[number], Effort>>>;

/** A model's name, and the effort that may follow it: `claude-sonnet-5-5 high`. */
export function modelWithEffort(text: string): { readonly model: string; readonly effort: Effort | null } {
  const [, model, level] = /^(\S+)\s+(\S+)$/.exec(text.trim()) ?? [];
  const effort = EFFORTS.find((one) => one === level);
  return model === undefined || effort === undefined ? { model: text.trim(), effort: null } : { model, effort };
}
