/** Provides an engine for verbs that serve others: the live owner, or this process as the owner. If the owner ends, it is replaced. */
import type { Engine } from '../../engine/state/api.ts';
import type { OpenedEngine } from '../../engine/workspace/workspace.ts';
import { visibleLine } from '../text/visible.ts';
import { type Context, openEngine } from './context.ts';
import { runningHere, sayResumed, stoppedText } from './run/leaving.ts';

export interface Reached {
  /** Returns the current engine. */
  reach(): Promise<OpenedEngine>;
  warn(text: string): void;
  close(): Promise<void>;
}

/** Runs jobs and tasks if this process becomes the owner, and logs what it resumed. */
export function reaching(context: Context): Reached {
  const warn = (text: string): void => context.deps.io.err(`autonomous: ${visibleLine(text)}\n`);
  const held: { engine: Promise<OpenedEngine> | null } = { engine: null };
  let runSummary = false;
  const open = async (): Promise<OpenedEngine> => {
    const engine = await openEngine(context, 'all');
    engine.follow({ problem: warn, lost: (reason) => lost(engine, reason) });
    await sayResumed(engine, warn);
    return engine;
  };
  const lost = (engine: Engine, reason: string): void => {
    if (runSummary) return;
    // The next call finds another owner, or becomes it.
    held.engine = null;
    warn(`the owner went away: ${reason}`);
    engine.close().catch((thrown: unknown) => warn(String(thrown)));
  };
  return {
    reach: () => {
      const asked = held.engine ?? open();
      held.engine = asked;
      asked.catch(() => {
        if (held.engine === asked) held.engine = null;
      });
      return asked;
    },
    warn,
    close: async () => {
      runSummary = true;
      const engine = await held.engine;
      if (engine === null) return;
      const text = stoppedText(context, await runningHere(engine));
      if (text !== null) warn(text);
      await engine.close();
    },
  };
}
