/** What a project may do to a job of its own. */
export const JOB_STEERS = ['cancel', 'pause', 'resume'] as const;
export type JobSteer = (typeof JOB_STEERS)[number];
export type JobAction = JobSteer | 'status';
