/** Connects a client to a living owner: requests go over the socket, events come back and are folded here too. */
import { type Connection, connect } from '../../adapters/ipc/client.ts';
import { AT_WORK, COMMITTED, type Engine, type EngineListener, type RequestAnswer } from '../../engine/state/api.ts';
import { Problems } from '../../engine/state/problems.ts';
import { replicatedState } from '../../engine/state/replicatedState.ts';
import type { WorkspacePaths } from '../../engine/state/workspacePaths.ts';
import type { Clock } from '../../shared/clock.ts';
import { asFailure, failure, findFailure, type PlainFailure } from '../../shared/errors.ts';
import type { LiveLine } from '../../shared/live.ts';
import type { AtWork } from '../../shared/workspace/atWork.ts';
import type { Event } from '../../shared/workspace/events.ts';
import { answeredAtWork } from '../workspace/atWork.ts';
import { lookAtState, readEvents } from './store.ts';

export interface Client extends Engine {
  readonly owner: false;
  readonly ownerPid: number;
  atWork(): Promise<AtWork>;
}

interface ClientOptions {
  readonly places: WorkspacePaths;
  readonly clock: Clock;
  readonly wasmFile: string;
}

/**
 * The last committed event. Everything that the owner publishes after its answer is a later event; so no event counts
 * that it may roll back, and none is missed. Throws OWNER_BUSY if the owner's version has no such call.
 */
async function committedOf(connection: Connection): Promise<number> {
  try {
    return Number(await connection.call(COMMITTED, {}));
  } catch (thrown) {
    if (findFailure(thrown)?.code !== 'NOT_FOUND') throw thrown;
    throw failure(
      'OWNER_BUSY',
      `process ${connection.ownerPid}, of an older version of Autonomous, works on this workspace`,
      { hint: 'End it, and try again.', details: { pid: connection.ownerPid } },
    );
  }
}

/** Throws OWNER_UNREACHABLE if no owner answers, or OWNER_BUSY if the owner is of an older version. */
export async function becomeClient(options: ClientOptions): Promise<Client> {
  const listeners = new Set<EngineListener>();
  const notify = (say: (listener: EngineListener) => void): void => {
    for (const listener of listeners) say(listener);
  };
  const problems = new Problems((text) => notify((to) => to.problem?.(text)));
  let why = 'the owner ended';
  let close = (): void => undefined;
  /** Without the owner's state there is nothing to show: the follower reconnects. */
  const giveUp = (thrown: unknown): void => {
    why = `its state could not be followed: ${asFailure(thrown).message}`;
    close();
  };
  const committed = async () => ({ ...options, committed: await committedOf(connection) });
  const followed = replicatedState(
    {
      state: async () => {
        const read = await lookAtState(await committed());
        await read.close();
        for (const problem of read.problems) problems.add(problem);
        return read.state;
      },
      events: async () => readEvents(await committed()),
    },
    (event) => notify((to) => to.event?.(event)),
    () => void followed.catchUp().catch(giveUp),
  );
  const connection = await connect({
    runtimeDir: options.places.runtimeDir,
    stateDir: options.places.stateDir,
    clock: options.clock,
    onPublished: (topic, payload) => {
      try {
        if (topic === 'event') followed.heard(payload as Event);
      } catch (thrown) {
        giveUp(thrown);
      }
      if (topic === 'live') notify((to) => to.live?.(payload as LiveLine));
      if (topic === 'problem') problems.add(String(payload));
      if (topic === 'failed') {
        const { jobId, failed } = payload as { readonly jobId: string; readonly failed: PlainFailure };
        notify((to) => to.failed?.(jobId, failed));
      }
      if (topic === 'resync') void followed.catchUp().catch(giveUp);
    },
  });
  close = connection.close;
  try {
    await followed.catchUp();
  } catch (thrown) {
    connection.close();
    throw thrown;
  }
  void connection.closed.then(() => notify((to) => to.lost?.(why)));
  return {
    owner: false,
    ownerPid: connection.ownerPid,
    atWork: async () => answeredAtWork(await connection.call(AT_WORK, {}), followed.state),
    get state() {
      return followed.state;
    },
    request: async (name, input) => (await connection.call(name, input)) as RequestAnswer<typeof name>,
    follow: (listener) => {
      listeners.add(listener);
      problems.sayTo(listener);
      return () => listeners.delete(listener);
    },
    close: async () => connection.close(),
  };
}
