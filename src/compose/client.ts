/** A client of a living owner: wishes go over the socket, facts come back and are folded here too. */
import { connect } from '../adapters/ipc/client.ts';
import { reduce } from '../core/reduce.ts';
import type { Engine, EngineListener, WishAnswer } from '../engine/api.ts';
import type { Clock } from '../shared/clock.ts';
import type { PlainFailure } from '../shared/errors.ts';
import type { Event } from '../shared/events.ts';
import type { LiveLine } from '../shared/live.ts';
import { applyChanges, type State } from '../shared/state.ts';
import type { Places } from './places.ts';
import { lookAtState } from './storage.ts';

interface ClientOptions {
  readonly places: Places;
  readonly clock: Clock;
  readonly wasmFile: string;
}

/** OWNER_UNREACHABLE when nobody answers. */
export async function becomeClient(options: ClientOptions): Promise<Engine & { readonly owner: false }> {
  const listeners = new Set<EngineListener>();
  let state: State | null = null;
  const early: Event[] = [];

  const fold = (event: Event): void => {
    if (state === null) {
      early.push(event);
      return;
    }
    if (event.seq <= state.meta.last_seq) return;
    applyChanges(state, reduce(state, event));
    for (const listener of listeners) listener.event?.(event);
  };
  /** What was missed is on the disk: the owner tells of nothing before it is there. */
  const catchUp = async (): Promise<void> => {
    const read = await lookAtState(options);
    await read.close();
    if (state === null) state = read.state;
    else Object.assign(state, read.state);
    for (const event of early.splice(0)) fold(event);
  };
  const connection = await connect({
    runtimeDir: options.places.runtimeDir,
    stateDir: options.places.stateDir,
    clock: options.clock,
    onPublished: (topic, payload) => {
      if (topic === 'event') fold(payload as Event);
      if (topic === 'live') for (const listener of listeners) listener.live?.(payload as LiveLine);
      if (topic === 'failed') {
        const { jobId, failed } = payload as { readonly jobId: string; readonly failed: PlainFailure };
        for (const listener of listeners) listener.failed?.(jobId, failed);
      }
      if (topic === 'resync') void catchUp();
    },
  });
  await catchUp();
  void connection.closed.then(() => {
    for (const listener of listeners) listener.lost?.('the owner ended');
  });
  return {
    owner: false,
    get state() {
      if (state === null) throw new Error('no state yet');
      return state;
    },
    wish: async (name, input) => (await connection.call(name, input)) as WishAnswer<typeof name>,
    follow: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => connection.close(),
  };
}
