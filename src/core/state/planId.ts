/** The id of a plan's row: each version of a job's plan is one. */
export function planId(jobId: string, version: number): string {
  return `${jobId}#${version}`;
}
