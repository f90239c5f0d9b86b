/** Many fault cases in one process. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, type FaultCase, runCase } from './faultCase.ts';
import { broken } from './faultOracle.ts';
import { missed, type PlannedCase } from './faultPlan.ts';
import { startFaultServer } from './faultServer.ts';
import type { openSubject } from './subject.ts';

export interface Finding {
  readonly name: string;
  readonly seed: number;
  readonly what: readonly string[];
}

export interface Tally {
  readonly findings: readonly Finding[];
  readonly cases: number;
  readonly hangs: number;
  readonly requests: number;
  /** Calls that ended as perhaps billed. */
  readonly unsettled: number;
}

const AT_ONCE = 8;

/** Runs them all against a subject; what breaks a promise is found, nothing is thrown. */
export async function runCases(open: typeof openSubject, cases: readonly (FaultCase | PlannedCase)[]): Promise<Tally> {
  const workdir = mkdtempSync(join(tmpdir(), 'autonomous-faults-'));
  writeFileSync(join(workdir, 'README.md'), 'A program.\n');
  await using server = await startFaultServer();
  const bench: Bench = { server, open, workdir };
  const findings: Finding[] = [];
  const tally = { hangs: 0, requests: 0, unsettled: 0 };
  const left = [...cases];
  const one = async (given: FaultCase | PlannedCase): Promise<void> => {
    const { name, seed } = given;
    try {
      const account = await runCase(bench, given);
      const miss = 'required' in given ? missed(given, account) : null;
      const what = [...broken(account), ...(miss === null ? [] : [miss])];
      if (what.length > 0) findings.push({ name, seed, what });
      tally.hangs += account.hung === null ? 0 : 1;
      tally.requests += account.exchanges.length;
      tally.unsettled += account.listed.length;
    } catch (thrown) {
      findings.push({ name, seed, what: [`threw ${String(thrown)}`] });
    }
  };
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await one(next);
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  } finally {
    rmSync(workdir, { recursive: true });
  }
  return { findings, cases: cases.length, ...tally };
}
