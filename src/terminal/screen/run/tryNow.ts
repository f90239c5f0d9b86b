/** Asks the owner to retry a waiting call now, and stays until the retry has a result. */
import type { OpenedEngine } from '../../../engine/workspace/workspace.ts';
import type { Waiting } from '../../../shared/waiting.ts';
import type { State } from '../../../shared/workspace/state.ts';
import type { Context } from '../context.ts';
import { type Subject, waitingText } from '../waiting.ts';

/** A retry without an answer for this long is in progress. */
const PATIENCE_MS = 5_000;

/** `ask` sends the request. Returns the line with the result. If a limit still applies, the result names it. */
export async function triedNow(
  context: Context,
  engine: OpenedEngine,
  subject: Subject,
  waitingIn: (state: State) => Waiting | null,
  ask: () => Promise<unknown>,
): Promise<string> {
  const before = JSON.stringify(waitingIn(engine.state));
  const changed = Promise.withResolvers<void>();
  const look = (): void => {
    if (JSON.stringify(waitingIn(engine.state)) !== before) changed.resolve();
  };
  const unfollow = engine.follow({ event: look });
  const cancel = context.deps.clock.timer(PATIENCE_MS, changed.resolve);
  try {
    await ask();
    look();
    // A process that only sends the request runs no work.
    if (before !== 'null' && !engine.owner) await changed.promise;
  } finally {
    cancel();
    unfollow();
  }
  const waiting = waitingIn(engine.state);
  return waiting === null ? 'Nothing keeps it waiting now.' : waitingText(context, waiting, subject);
}
