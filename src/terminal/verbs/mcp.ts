/** `mcp`: the main agent's tools for other agents, over stdio. The output carries the protocol alone; words go to the error stream. */
import { failure, messageOf } from '../../shared/errors.ts';
import type { Context } from '../context.ts';
import type { OpenedEngine } from '../deps.ts';
import { visibleLine } from '../text/visible.ts';

/** Asks the living owner, or is it for as long as the client stays, and carries out its jobs. */
export async function mcpVerb(context: Context): Promise<number> {
  const { deps, projectDir, jobsDir } = context;
  const warn = (text: string): void => deps.io.err(`autonomous: ${visibleLine(text)}\n`);
  const held: { engine: Promise<OpenedEngine> | null } = { engine: null };
  const open = async (): Promise<OpenedEngine> => {
    const engine = await deps.openEngine(projectDir, { jobsDir, work: true });
    engine.follow({
      problem: warn,
      lost: (reason) => {
        // The next call finds another owner, or becomes it.
        held.engine = null;
        warn(`the owner went away: ${reason}`);
      },
    });
    return engine;
  };
  const reach = (): Promise<OpenedEngine> => {
    const asked = held.engine ?? open();
    held.engine = asked;
    asked.catch(() => {
      if (held.engine === asked) held.engine = null;
    });
    return asked;
  };
  const stop = new AbortController();
  const forget = deps.signals.onStop(() => stop.abort(failure('ABORTED', 'stopped')));
  try {
    await reach();
    await deps.serveMcp({ reach, failed: (thrown) => warn(messageOf(thrown)) }, stop.signal);
    return 0;
  } finally {
    forget();
    await (await held.engine)?.close();
  }
}
