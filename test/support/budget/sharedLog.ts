/** One log in memory, of one owner after the other: what a dead one writes is refused, as of any owner that was superseded. */
import type { EventLog } from '../../../src/engine/state/storePorts.ts';
import { failure } from '../../../src/shared/errors.ts';
import type { Event } from '../../../src/shared/workspace/events.ts';

export const LOST = 'another owner came';

export class SharedLog {
  readonly #events: Event[] = [];
  readonly #told: (event: Event) => void;
  #epoch = 0;

  constructor(told: (event: Event) => void) {
    this.#told = told;
  }

  /** Of the next owner, until its life is over. */
  of(life: AbortSignal): EventLog {
    const epoch = ++this.#epoch;
    return {
      size: async () => 0,
      read: async (after) => ({
        origin: this.#events.length === 0 ? 'empty' : 'own',
        events: this.#events.filter(({ seq }) => seq > (after?.seq ?? 0)),
        end: this.#end(),
        continues: true,
        problems: [],
      }),
      lastClaimed: async () => 0,
      claim: async () => epoch,
      append: async (events) => {
        await Promise.resolve();
        if (life.aborted) throw failure('OWNER_LOST', LOST);
        for (const event of events) {
          this.#events.push(event);
          this.#told(event);
        }
        return this.#end() ?? { epoch: 0, seq: 0, mac: '' };
      },
      close: async () => undefined,
    };
  }

  #end() {
    const last = this.#events.at(-1);
    return last === undefined ? null : { epoch: last.epoch, seq: last.seq, mac: String(last.seq) };
  }
}
