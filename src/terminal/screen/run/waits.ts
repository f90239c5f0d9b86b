/** Reports a wait once when it starts, once when its cause changes, and once when it ends, however many retries are in between. */
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

/** For one message and its answer. Lines for a person are written to the output, or to the error stream with JSON. */
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

/** `now` is null if there is no wait, or if the surface reports the wait by other means. */
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
      else if (told !== null) tell(null, `Continuing after ${duration(clock.now() - told.at)}`);
      told = waiting === null ? null : { code: waiting.code, at: told?.at ?? clock.now() };
    },
  };
}

/** The wait of a project's conversation alone: waits of its jobs do not delay an answer. */
export function conversationWaiting(state: State, projectId: string): Waiting | null {
  const project = state.projects.get(projectId);
  return project === undefined || project.wait === null ? null : besideQuestions(projectWaiting(state, project));
}

/** Every follower shows questions and pauses on separate lines. */
export const besideQuestions = (waiting: Waiting | null): Waiting | null =>
  waiting === null || waiting.code === 'question' || waiting.code === 'paused' ? null : waiting;
