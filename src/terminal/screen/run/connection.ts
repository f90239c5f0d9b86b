/** A connection to the owner that is made again when the owner goes away; if nobody owns the state then, we do. */
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
  /** Why there is no owner behind it now; null: there is. */
  readonly lost: string | null;
  /** Why the job's loop ended without the job being over; null: it did not, or the job goes on again. */
  stranded(jobId: string): AutonomousError | null;
  /** Everything heard from now on, and what was heard before anybody listened. */
  listen(listener: EngineListener): void;
  /** OWNER_BUSY, OWNER_UNREACHABLE after some seconds of trying. */
  reopen(): Promise<void>;
  /** Warns of work that stops with this process, except for `told`: ids that the user has read of. */
  close(told?: readonly string[]): Promise<void>;
}

/** Rings at every event and when the owner is lost. `work`: what this process carries out whenever it becomes the owner. */
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
        // The owner itself tries again when there is no room on the disk.
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

/** What stood behind it is gone already, and with it what closing could complain about. */
async function closeLost(engine: OpenedEngine): Promise<void> {
  try {
    await engine.close();
  } catch (thrown) {
    if (findFailure(thrown) === undefined) throw thrown;
  }
}
