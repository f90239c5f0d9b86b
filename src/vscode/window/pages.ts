/** The pages that a command can open. `page/views.ts` implements it. */
export interface Pages {
  /** Opens the board itself: a plan that the tab shows gives way to it. */
  openBoard(): void;
  /** Opens the board at a feature. */
  focus(featureId: number): void;
  job(jobId: string): void;
  /** Opens the conversation of a project. */
  talk(project: string): void;
  task(taskId: string): void;
  /** Opens the newest plan of a job. */
  plan(jobId: string): void;
  /** Reloads the pages. */
  reload(): void;
}
