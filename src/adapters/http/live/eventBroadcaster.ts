/**
 * Sends events to all listeners. The engine is followed only while there are listeners; frames are built once for all
 * listeners at the same position.
 */
import type { WebSocket } from 'ws';
import { logLines } from '../../../core/task/taskLog.ts';
import { taskEvent } from '../../../core/task/view/tasks.ts';
import type { TaskService } from '../../../engine/task/ask/apiPorts.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { State } from '../../../shared/workspace/state.ts';
import type { ApiLimits } from '../limits.ts';
import { type Feed, type Frame, GOING_AWAY, Listener } from './listeners.ts';

interface AudiencePorts {
  readonly service: TaskService;
  readonly clock: Clock;
  readonly limits: ApiLimits;
}

interface Subscription {
  readonly since: number | null;
  readonly taskId: string | null;
}

export class EventBroadcaster implements Feed {
  readonly #ports: AudiencePorts;
  readonly #listeners = new Map<Listener, Promise<void>>();
  #state: State | null = null;
  #newest: { readonly state: State; readonly seq: number; readonly frames: readonly Frame[] } | null = null;
  #unfollow: (() => void) | null = null;

  constructor(ports: AudiencePorts) {
    this.#ports = ports;
  }

  get size(): number {
    return this.#listeners.size;
  }

  /** Reads the newest state, and sends it. Rejects if no owner is reached. */
  async refresh(): Promise<void> {
    this.#state = await this.#ports.service.state();
    for (const listener of this.#listeners.keys()) listener.pump();
  }

  add(connection: WebSocket, subscription: Subscription): void {
    const { clock, limits } = this.#ports;
    const listener = new Listener(connection, { feed: this, clock, limits, ...subscription });
    const gone = new Promise<void>((resolve) => connection.once('close', () => resolve()));
    this.#listeners.set(
      listener,
      gone.then(() => this.#leave(listener)),
    );
    this.#unfollow ??= this.#ports.service.follow(() => {
      // If the owner has exited, the service finds the next one and calls again.
      this.refresh().catch(() => undefined);
    });
    listener.pump();
  }

  async close(): Promise<void> {
    const gone = [...this.#listeners.values()];
    for (const listener of this.#listeners.keys()) listener.close(GOING_AWAY);
    await Promise.all(gone);
  }

  lastSeq(): number | null {
    return this.#state?.meta.last_seq ?? null;
  }

  framesOf(seq: number): readonly Frame[] {
    const state = this.#state;
    if (state === null) return [];
    if (this.#newest?.state === state && this.#newest.seq === seq) return this.#newest.frames;
    const frames = [...logLines(state, seq)].flatMap((row): Frame[] => {
      const event = taskEvent(state, row);
      return event === null ? [] : [{ taskId: event.taskId, text: JSON.stringify(event) }];
    });
    this.#newest = { state, seq, frames };
    return frames;
  }

  #leave(listener: Listener): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    this.#unfollow?.();
    this.#unfollow = null;
  }
}
