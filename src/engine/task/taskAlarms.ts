/** Manages the alarms of one task: of its steps by their ids, and others by name. */

import type { Clock } from '../../shared/clock.ts';
import type { Alarms } from '../state/alarms.ts';

type What = number | 'retry' | 'progress' | 'again';

/** Names of one alarm clock for all tasks. */
const alarmName = (taskId: string, what: What): string => `${taskId} ${what}`;
export const taskOfAlarm = (name: string): string => name.slice(0, name.indexOf(' '));
const whatOf = (name: string): string => name.slice(name.indexOf(' ') + 1);

export class TaskAlarms {
  readonly #taskId: string;
  readonly #alarms: Alarms;
  readonly #clock: Clock;
  /** Times of the wall clock that were set. */
  readonly #set = new Map<string, string>();
  readonly #rung = new Set<string>();

  constructor(taskId: string, alarms: Alarms, clock: Clock) {
    this.#taskId = taskId;
    this.#alarms = alarms;
    this.#clock = clock;
  }

  heard(name: string): void {
    this.#rung.add(whatOf(name));
  }

  /** Treats the alarm as rung. */
  ring(what: What): void {
    this.#rung.add(String(what));
  }

  clear(what: What): void {
    this.#alarms.clear(alarmName(this.#taskId, what));
    this.#set.delete(String(what));
    this.#rung.delete(String(what));
  }

  close(): void {
    for (const what of [...this.#set.keys()]) this.#alarms.clear(`${this.#taskId} ${what}`);
    this.#set.clear();
    this.#rung.clear();
  }

  in(what: What, inMs: number): void {
    this.#set.set(String(what), '');
    this.#alarms.set(alarmName(this.#taskId, what), { inMs });
  }

  /** Rings at that time, or when as much time has passed as was missing when the alarm was first set. */
  at(what: What, at: string, mostMs: number | null = Number.POSITIVE_INFINITY): void {
    if (this.#set.get(String(what)) === at && this.#alarms.has(alarmName(this.#taskId, what))) return;
    const left = Math.max(0, Date.parse(at) - this.#clock.now());
    this.#set.set(String(what), at);
    const inMs = mostMs === null ? {} : { inMs: Math.min(left, mostMs) };
    this.#alarms.set(alarmName(this.#taskId, what), { at: Date.parse(at), ...inMs });
  }

  /** Whether the time has come; if not, the alarm is set to it. If `mostMs` is null, only the wall clock counts. */
  isDue(what: What, at: string, mostMs: number | null): boolean {
    if (this.#rung.has(String(what)) || Date.parse(at) <= this.#clock.now()) {
      this.clear(what);
      return true;
    }
    this.at(what, at, mostMs);
    return false;
  }

  /** The time that the alarm was set for, if it rang. Null if it did not. */
  rungFor(what: What): string | null {
    if (!this.#rung.delete(String(what))) return null;
    return this.#set.get(String(what)) ?? null;
  }
}
