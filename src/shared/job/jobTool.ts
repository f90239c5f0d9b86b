/** What a project may do to a job of its own. `amend` files a job again with an addition to its brief. */
export const JOB_STEERS = ['cancel', 'pause', 'resume', 'amend'] as const;
export type JobSteer = (typeof JOB_STEERS)[number];
export type JobAction = JobSteer | 'status';

/** Between a brief and what its project added to it. */
export const BRIEF_ADDITION = '\n\n# Added by the project\n';

/** End of a result that files a job, for the project alone. */
export const TOLD_LATER = ' You are told what comes of it.';

/** A brief as an agent files it. */
export interface AskedBrief {
  readonly brief: string;
  /** The job's budget, if it is less than the default one; absent: the default one. */
  readonly atMostUsd?: number | undefined;
  /** Model of all its sessions; absent: as the project has it. */
  readonly model?: string | undefined;
}
