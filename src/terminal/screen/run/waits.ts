/** Reports a wait once when it begins, once when it becomes another one, and once when it ends, however many tries are in between. */
import { projectWaiting } from '../../../core/job/view/waiting.ts';
import type { Waiting } from '../../../shared/waiting.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { duration } from '../../text/format.ts';
import type { Context } from '../context.ts';
import { type Subject, waitingText } from '../waiting.ts';

export interface WaitReporter {
  /** Call after everything that may have changed the wait. */
  look(): void;
}

/** For one message and its answer: lines of a person go to the output, or to the error stream beside JSON. */
export function conversationWaits(context: Context, project: string, state: () => State): WaitReporter {
  const { io } = context.deps;
  const subject = { of: 'project', id: project, projectId: project } as const;
  return waitReporter(
    context,
    subject,
    () => conversationWaiting(state(), project),
    (_, text) => (context.json ? io.err : io.out)(`${text}\n`),
  );
}

/** `now` is null if nothing waits, or if the surface reports the wait by other means. */
export function waitReporter(
  context: Context,
  subject: Subject,
  now: () => Waiting | null,
  tell: (waiting: Waiting | null, text: string) => void,
): WaitReporter {
  const { clock } = context.deps;
  let told: { readonly code: Waiting['code']; readonly at: number } | null = null;
  return {
    look() {
      const waiting = now();
      if (waiting?.code === told?.code) return;
      if (waiting !== null) tell(waiting, waitingText(context, waiting, subject));
      else if (told !== null) tell(null, `Going on after ${duration(clock.now() - told.at)}`);
      told = waiting === null ? null : { code: waiting.code, at: told?.at ?? clock.now() };
    },
  };
}

/** The wait of a project's conversation alone: what its jobs wait for keeps no answer back. */
export function conversationWaiting(state: State, projectId: string): Waiting | null {
  const project = state.projects.get(projectId);
  return project === undefined || project.wait === null ? null : besideQuestions(projectWaiting(state, project));
}

/** Questions and pauses have lines of their own wherever something is followed. */
export const besideQuestions = (waiting: Waiting | null): Waiting | null =>
  waiting === null || waiting.code === 'question' || waiting.code === 'paused' ? null : waiting;
