/** What the git proof judges, as one value: ours, or ours with a bug. */
import { createGit } from '../../../src/adapters/git/gitPort.ts';
import { restoreKeptWork } from '../../../src/adapters/git/job/restoreKeptWork.ts';
import { createRunGit } from '../../../src/adapters/git/runGit.ts';
import { diagnose } from '../../../src/adapters/shell/doctor.ts';

export const judged = { createGit, restoreKeptWork, createRunGit, diagnose };
export type Judged = typeof judged;
