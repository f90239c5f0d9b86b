/** Actions that a project may take on its own jobs. `amend` files a job again with an addition to its brief. */
export const JOB_STEERS = ['cancel', 'pause', 'resume', 'amend'] as const;
export type JobSteer = (typeof JOB_STEERS)[number];
export type JobAction = JobSteer | 'status';

/** Separates a brief from the addition of its project. */
export const BRIEF_ADDITION = '\n\n# Added by the project\n';

/** End of a result that files a job, for the project alone. */
export const TOLD_LATER = ' You receive its result as a message.';

/** A brief as an agent files it. */
export interface AskedBrief {
  readonly brief: string;
  /** The job's budget, if it is less than the default one. Defaults to that one. */
  readonly atMostUsd?: number | undefined;
  /** Model of all its sessions. Defaults to the project's. */
  readonly model?: string | undefined;
}
