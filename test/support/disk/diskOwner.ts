/**
 * An owner process on a disk that fails or loses power, as a run with `--yes` whose steward also answers questions of workers.
 * It writes `told <seq> <type>` for each event, `failed <code>` when a job or a request could not go on, and ends with 0 when the
 * job is final, 75 when it could not become the owner. Nobody resumes a job: the engine does, after half a minute, which is short
 * here. Mends a disk that goes on failing, as a person does, a second after it said so.
 */
import { rmSync, writeFileSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../src/adapters/clock.ts';
import type { Owner } from '../../../src/app/owner/assemble.ts';
import { becomeOwner } from '../../../src/app/owner/owner.ts';
import type { WorkspacePaths } from '../../../src/engine/state/workspacePaths.ts';
import { findFailure } from '../../../src/shared/errors.ts';
import { CRASH_BRIEF, CRASH_COMMANDS, STUCK_ANSWER } from '../crash/crashScenario.ts';
import { diskPlan, layDisk } from './plan.ts';

const FINAL = ['completed', 'failed', 'cancelled'];
const HALF_A_MINUTE = 30_000;
const SHORT_MS = 200;
/** From the first failure on, until a person has made room. */
const MENDED_AFTER_MS = 1_000;
const CANNOT = 75;

const say = (text: string): number => writeSync(1, `${text.replaceAll('\n', ' ')}\n`);
const real = systemClock();
const clock = {
  ...real,
  sleep: (ms: number, signal?: AbortSignal) => real.sleep(ms === HALF_A_MINUTE ? SHORT_MS : ms, signal),
};
let broken = false;

function failed(thrown: { readonly code?: string; readonly message: string }): void {
  say(`failed ${thrown.code ?? 'bug'} ${thrown.message}`);
  if (broken) return;
  broken = true;
  real.timer(MENDED_AFTER_MS, () => {
    writeFileSync(diskPlan().mended, '');
    const ballast = process.env['BALLAST'];
    if (ballast !== undefined) rmSync(ballast, { force: true });
  });
}

/** Again and again, as a person does who reads why it failed. */
async function request(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (thrown) {
      const failure = findFailure(thrown);
      failed(failure ?? { message: String(thrown) });
      if (failure?.code !== 'DISK') throw thrown;
      await real.sleep(SHORT_MS);
    }
  }
}

function isOver({ state }: Owner): boolean {
  return [...state.jobs.values()].some((job) => FINAL.includes(job.status));
}

function attend(owner: Owner, over: PromiseWithResolvers<number>): void {
  const asked = new Set<number>();
  const answerAll = (): void => {
    for (const { id, status, kind, choices } of owner.state.approvals.values()) {
      if (status !== 'pending' || asked.has(id)) continue;
      asked.add(id);
      const answer = kind === 'stuck' ? { feedback: STUCK_ANSWER } : { by: 'yes_flag' as const };
      const approved = { approvalId: id, decision: 'approved', choice: choices[0] ?? null } as const;
      request(() => owner.request('decide', { ...approved, ...answer })).catch(over.reject);
    }
  };
  owner.follow({
    event: ({ seq, type }) => {
      say(`told ${seq} ${type}`);
      answerAll();
      if (isOver(owner)) over.resolve(0);
    },
    problem: (text) => say(`problem ${text}`),
    failed: (_, failure) => failed(failure),
    lost: (why) => over.reject(new Error(why)),
  });
  answerAll();
  if (isOver(owner)) over.resolve(0);
}

async function main(): Promise<number> {
  layDisk('owner');
  let owner: Owner;
  try {
    owner = await becomeOwner({
      places: JSON.parse(process.env['PLACES'] ?? '') as WorkspacePaths,
      clock,
      version: 'test',
      credentials: {
        key: () => process.env['ANTHROPIC_API_KEY'] ?? null,
        baseUrl: process.env['ANTHROPIC_BASE_URL'] ?? null,
      },
      workerScript: new URL('./diskWorker.js', import.meta.url),
      wasmFile: fileURLToPath(new URL('./sql-wasm.wasm', import.meta.url)),
      work: true,
      delayMs: 0,
      env: process.env,
    });
  } catch (thrown) {
    failed(findFailure(thrown) ?? { message: String(thrown) });
    return CANNOT;
  }
  const over = Promise.withResolvers<number>();
  attend(owner, over);
  const allowedCommands = CRASH_COMMANDS.map((argv) => [...argv]);
  const [job] = owner.state.jobs.values();
  if (job === undefined) {
    await request(() => owner.request('submitBrief', { brief: CRASH_BRIEF, setup: [], lanes: 1, allowedCommands }));
  } else if (!FINAL.includes(job.status)) {
    await request(() => owner.request('resumeJob', { jobId: job.id }));
  }
  const code = await over.promise;
  await owner.close();
  return code;
}

process.exitCode = await main();
