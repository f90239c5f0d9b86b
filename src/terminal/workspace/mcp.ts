/** `mcp`: the main agent's tools for other agents, over stdio. The output carries the protocol alone; words go to the error stream. */
import { failure, messageOf } from '../../shared/errors.ts';
import type { Context } from '../screen/context.ts';
import { reaching } from '../screen/reach.ts';

/** Uses the live owner, or becomes the owner while the client is connected, and runs its jobs. */
export async function mcpVerb(context: Context): Promise<number> {
  const { deps } = context;
  const { reach, warn, close } = reaching(context);
  const stop = new AbortController();
  const forget = deps.signals.onStop(() => stop.abort(failure('ABORTED', 'stopped')));
  try {
    await reach();
    await deps.serveMcp({ reach, failed: (thrown) => warn(messageOf(thrown)) }, stop.signal);
    return 0;
  } finally {
    forget();
    await close();
  }
}
