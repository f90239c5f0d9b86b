/** A connection to the owner that is restored when the owner ends; if the state has no owner then, this process becomes the owner. */
import type { EngineListener } from '../../../engine/state/api.ts';
import type { OpenedEngine, OwnerWork } from '../../../engine/workspace/workspace.ts';
import { type AutonomousError, asFailure, findFailure, fromPlain } from '../../../shared/errors.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { type Context, openEngine, warn } from '../context.ts';
import { eventJob } from './eventJob.ts';
import { runningHere, stoppedText } from './leaving.ts';
import type { Bell } from './stop.ts';

const TRIES = 20;
const BETWEEN_MS = 500;

export interface Connection {
  readonly engine: OpenedEngine;
  readonly state: State;
  /** The reason why there is no owner now. Null if there is one. */
  readonly lost: string | null;
  /** The reason why the job's loop ended before the job. Null if it did not end, or was resumed. */
  stranded(jobId: string): AutonomousError | null;
  /** Delivers all further events, and the earlier ones that had no listener. */
  listen(listener: EngineListener): void;
  /** OWNER_BUSY, OWNER_UNREACHABLE after some seconds of trying. */
  reopen(): Promise<void>;
  /** Warns about work that stops with this process, except for `told`: ids that the user was already informed about. */
  close(told?: readonly string[]): Promise<void>;
}

/** Rings at every event and when the owner is lost. `work`: the work that this process runs whenever it becomes the owner. */
export async function connect(context: Context, bell: Bell, work: OwnerWork = 'all'): Promise<Connection> {
  const { deps } = context;
  let listener: EngineListener | null = null;
  const early: ((to: EngineListener) => void)[] = [];
  const notify = (say: (to: EngineListener) => void): void => {
    if (listener === null) early.push(say);
    else say(listener);
    bell.ring();
  };
  let lost: string | null = null;
  const stranded = new Map<string, AutonomousError>();
  let unfollow: () => void = () => undefined;

  const open = async (): Promise<OpenedEngine> => {
    const opened = await openEngine(context, work);
    lost = null;
    stranded.clear();
    unfollow = opened.follow({
      event: (event) => {
        const jobId = eventJob(event, opened.state);
        if (jobId !== null) stranded.delete(jobId);
        notify((to) => to.event?.(event));
      },
      live: (line) => notify((to) => to.live?.(line)),
      failed: (jobId, failed) => {
        // The owner retries without a request when the disk is full.
        if (failed.code !== 'DISK') stranded.set(jobId, fromPlain(failed));
        notify((to) => to.failed?.(jobId, failed));
      },
      problem: (text) => notify((to) => to.problem?.(text)),
      lost: (reason) => {
        lost = reason;
        bell.ring();
      },
    });
    return opened;
  };
  let engine = await open();

  return {
    get engine() {
      return engine;
    },
    get state() {
      return engine.state;
    },
    get lost() {
      return lost;
    },
    stranded: (jobId) => stranded.get(jobId) ?? null,
    listen(to) {
      listener = to;
      for (const say of early.splice(0)) say(to);
    },
    async reopen() {
      unfollow();
      await closeLost(engine);
      for (let left = TRIES; ; left--) {
        try {
          engine = await open();
          return;
        } catch (thrown) {
          if (left <= 1 || !asFailure(thrown).traits.retry) throw thrown;
          await deps.clock.sleep(BETWEEN_MS);
        }
      }
    },
    async close(told = []) {
      unfollow();
      const stops = lost === null ? await runningHere(engine) : [];
      const text = stoppedText(
        context,
        stops.filter(({ id }) => !told.includes(id)),
      );
      if (text !== null) warn(context, text);
      await engine.close();
    },
  };
}

/** The owner is lost already, so a failure to close the connection to it has no effect. */
async function closeLost(engine: OpenedEngine): Promise<void> {
  try {
    await engine.close();
  } catch (thrown) {
    if (findFailure(thrown) === undefined) throw thrown;
  }
}
