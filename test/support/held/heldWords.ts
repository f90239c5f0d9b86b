/** What a program and the tests over it agree on, without anything of the program's. */
import { existsSync, readFileSync } from 'node:fs';

/** In the message of each error. */
export const HELD_WORDS = 'another program has it open';

export const HELD_CODES = ['EPERM', 'EBUSY', 'EACCES'] as const;

export interface HeldPlan {
  /** Files below it. */
  readonly root: string;
  /** A line for each operation that does not repeat another one: whether its file is `held` or `free`, its name, and its paths. */
  readonly log: string;
  readonly code: (typeof HELD_CODES)[number];
  /** Operations whose file is held, each once in all lives. Null: all of them, each time that it is another file. */
  readonly names: readonly string[] | null;
  /** How many attempts fail: at least, and below. */
  readonly attempts: readonly [number, number];
  readonly seed: number;
}

/** An operation of the log without what differs from run to run. `text`: its name and its paths. */
export const nameOf = (text: string, root: string): string =>
  text
    .replaceAll(root, '')
    .replaceAll(/-[A-Za-z0-9]{6}(?=\/|$)/g, '-…')
    .replaceAll(/\b[0-9a-f]{2}\/(?=tmp_obj|[0-9a-f]{38})/g, '')
    .replaceAll(/[0-9a-f]{8}[0-9a-f-]*/g, '…')
    .replaceAll(/\d+/g, 'N');

/** Operations of the log whose files were held, or were not. */
export function operationsIn(log: string, root: string, how: 'held' | 'free'): string[] {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
  return lines.filter((line) => line.startsWith(`${how} `)).map((line) => nameOf(line.slice(how.length + 1), root));
}
