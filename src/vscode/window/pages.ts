/** The pages that a command can open. `page/views.ts` implements it. */
export interface Pages {
  /** Opens the board, also if the tab shows a plan. */
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
