/** Identifies a process among those of all machines, and decides what another process can know of it. */

/** Identifies a machine and the present run of its system. Empty where the system states nothing. */
export interface MachineMark {
  /** The id of the installed system, or the name of a container. */
  readonly machine: string;
  /** The name in the network, where it is stable: copies of a machine may have the same identity. Older versions did not store it. */
  readonly host?: string;
  /** Unique for each start of a kernel. */
  readonly boot: string;
  /** The namespace of process numbers. */
  readonly space: string;
}

export interface ProcessMark extends MachineMark {
  readonly pid: number;
  /** When it started, as its system states it. */
  readonly start: string;
}

/**
 * Where a process ran, as seen from another one. `here`: its number identifies it. `past`: before this machine was started
 * again. `hidden`: in another container of this machine. `elsewhere`: on another machine, or nothing shows that it is this one.
 */
export type Place = 'here' | 'past' | 'hidden' | 'elsewhere';

export function placeOf(one: MachineMark, own: MachineMark): Place {
  const isSameBoot = one.boot !== '' && one.boot === own.boot;
  const isSameMachine = one.machine !== '' && one.machine === own.machine && (one.host ?? own.host) === own.host;
  if (!isSameBoot && !isSameMachine) return 'elsewhere';
  if (!isSameBoot && one.boot !== '' && own.boot !== '') return 'past';
  return one.space === own.space ? 'here' : 'hidden';
}
