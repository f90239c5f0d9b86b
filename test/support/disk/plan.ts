/** How the disk of one process behaves, given in its environment: for its owner and for its worker threads each. */
import { appendFileSync, existsSync, writeSync } from 'node:fs';
import { randomOf } from '../suite/proof.ts';
import { applies, DiskLayer, type Fault } from './layer.ts';

export interface ThreadPlan {
  readonly fault: Fault;
  /** Single ones: the first at this operation, the others so far apart as the seed has it, on average `apart`. */
  readonly single: { readonly first: number; readonly apart: number; readonly seed: number } | null;
  /** Every operation from this one on, until the file `mended` is there. */
  readonly from: number | null;
  /** The process is gone at this one. */
  readonly dieAt: number | null;
}

export interface DiskPlan {
  readonly roots: readonly string[];
  readonly owner: ThreadPlan | null;
  readonly worker: ThreadPlan | null;
  readonly mended: string;
  /** For a loss of power: a file of what was done, and a folder for what was removed. */
  readonly notes: { readonly file: string; readonly removed: string } | null;
}

const VARIABLE = 'DISK_PLAN';

export const planEnv = (plan: DiskPlan): Record<string, string> => ({ [VARIABLE]: JSON.stringify(plan) });

export const diskPlan = (): DiskPlan => JSON.parse(process.env[VARIABLE] ?? '') as DiskPlan;

/** Says `fault <operation> <path>` at each. */
export function layDisk(who: 'owner' | 'worker'): void {
  const { roots, mended, notes, [who]: plan } = diskPlan();
  let count = 0;
  const random = randomOf(plan?.single?.seed ?? 0);
  let next = plan?.single?.first ?? 0;
  const isDue = (): boolean => {
    if (plan?.single && count >= next && next > 0) {
      next = count + 1 + random(2 * plan.single.apart);
      return true;
    }
    return plan?.from != null && count >= plan.from && !existsSync(mended);
  };
  new DiskLayer({
    roots,
    syncs: false,
    decide: (operation, path) => {
      count++;
      if (count === plan?.dieAt) return 'die';
      if (plan === null || !applies(plan.fault, operation) || !isDue()) return null;
      writeSync(1, `fault ${operation} ${path}\n`);
      return plan.fault;
    },
    die: () => {
      process.kill(process.pid, 'SIGKILL');
      return new Promise(() => undefined);
    },
    ...(notes === null
      ? {}
      : { notes: { add: (note) => appendFileSync(notes.file, `${JSON.stringify(note)}\n`), removed: notes.removed } }),
  });
}
