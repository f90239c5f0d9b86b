/**
 * Decides the content of a notification of the operating system: what started to wait or ended since the last look. Counts only, no text of a job.
 */

import type { State } from '../../shared/workspace/state.ts';
import { openQuestions, untold } from '../approval/sameCause.ts';
import { questionKey } from '../approval/stewardship.ts';
import { isFinal, JOB } from '../state/machines.ts';

/** Open questions and jobs at the last look. */
export interface Looked {
  readonly questions: ReadonlySet<string>;
  /** Open jobs. A job that had ended when it was first seen is not reported. */
  readonly open: ReadonlySet<string>;
}

export interface News {
  /** Questions that wait, one per cause. */
  readonly approvals: number;
  readonly completed: number;
  /** Failed jobs. A job that the user cancelled is not reported. */
  readonly failed: number;
}

export interface WindowState {
  readonly enabled: boolean;
  readonly focused: boolean;
  /** Whether VS Code's window is on the machine that this process runs on. */
  readonly isHere: boolean;
}

export function lookedAt(state: State): Looked {
  const asked = openQuestions(state).flatMap(({ row, others }) => [row, ...others]);
  const open = [...state.jobs.values()].filter(({ status }) => !isFinal(JOB, status));
  return { questions: new Set(asked.map(questionKey)), open: new Set(open.map(({ id }) => id)) };
}

/** Null if no notification is needed. */
export function newsFor({ enabled, focused, isHere }: WindowState, before: Looked, state: State): News | null {
  if (!enabled || focused || !isHere) return null;
  const ended = [...state.jobs.values()].filter(({ id }) => before.open.has(id));
  const news = {
    approvals: untold(state, before.questions).length,
    completed: ended.filter(({ status }) => status === 'completed').length,
    failed: ended.filter(({ status }) => status === 'failed').length,
  };
  return news.approvals + news.completed + news.failed === 0 ? null : news;
}
