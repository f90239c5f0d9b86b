/**
 * An owner process as a run with `--yes` is one, whose steward also answers questions of workers. Files the brief, or goes on
 * with the job that is there; exits with 0 when the job is final, 3 when its loop could not go on; when the disk
 * is full it says DISK, makes room and goes on. May kill itself, see crashPoint.ts. With STEWARD=false it
 * answers nothing.
 */
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/adapters/clock.ts';
import { becomeOwner, type Owner } from '../../src/compose/owner.ts';
import type { Places } from '../../src/compose/places.ts';
import type { ApprovalRow } from '../../src/shared/approvals.ts';
import { findFailure } from '../../src/shared/errors.ts';
import { countdown, crashPoint, die, watchAppends } from './crashPoint.ts';
import { CRASH_BRIEF, CRASH_COMMANDS, STUCK_ANSWER } from './crashScenario.ts';

const FINAL = ['completed', 'failed', 'cancelled'];

const point = crashPoint();
const due = countdown(point === null || point.at === 'full' ? 0 : point.nth);
/** While true, nothing can be appended to the log. */
let full = false;

/** Room again, as a person makes it who reads the message: also in a real file system that the test filled. */
async function makeRoom(): Promise<void> {
  full = false;
  const ballast = process.env['BALLAST'];
  if (ballast !== undefined) await rm(ballast, { force: true });
}

function arm(): void {
  if (point?.at === 'full') {
    const types = [...point.types];
    watchAppends('events', {
      before: async (text) => {
        if (!full && types[0] !== undefined && text.includes(`"type":"${types[0]}"`)) {
          types.shift();
          full = true;
        }
        if (full) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        return null;
      },
    });
  }
  if (point?.at !== 'torn' && point?.at !== 'durable') return;
  const marker = point.type === 'any' ? '"type":"' : `"type":"${point.type}"`;
  const occurrences = (text: string): number => text.split('\n').filter((line) => line.includes(marker)).length;
  watchAppends('events', {
    before: async (text) => {
      if (point.at !== 'torn' || !due(occurrences(text))) return null;
      const from = text.lastIndexOf('\n', text.lastIndexOf(marker)) + 1;
      return Buffer.byteLength(text.slice(0, from)) + Math.floor((text.length - from) / 2);
    },
    after: async (text) => {
      if (point.at === 'durable' && due(occurrences(text))) await die();
    },
  });
}

async function answer(owner: Owner, { id, kind }: ApprovalRow): Promise<void> {
  const by = kind === 'stuck' ? 'steward' : 'yes_flag';
  const feedback = kind === 'stuck' ? STUCK_ANSWER : null;
  await owner.wish('decide', { approvalId: id, decision: 'approved', by, feedback });
}

async function main(): Promise<number> {
  arm();
  const owner = await becomeOwner({
    places: JSON.parse(process.env['PLACES'] ?? '') as Places,
    clock: systemClock(),
    version: 'test',
    credentials: {
      key: () => process.env['ANTHROPIC_API_KEY'] ?? null,
      baseUrl: process.env['ANTHROPIC_BASE_URL'] ?? null,
    },
    workerScript: new URL('./crashWorker.js', import.meta.url),
    wasmFile: fileURLToPath(new URL('./sql-wasm.wasm', import.meta.url)),
    work: true,
    delayMs: 0,
    env: process.env,
  });
  const over = Promise.withResolvers<number>();
  const asked = new Set<number>();
  const noRoom = async (): Promise<void> => {
    process.stderr.write('DISK\n');
    await makeRoom();
  };
  const goOn = async (): Promise<void> => {
    await noRoom();
    for (const job of owner.state.jobs.values()) await owner.wish('resumeJob', { jobId: job.id });
    answerAll();
  };
  const answerAll = (): void => {
    if (process.env['STEWARD'] === 'false') return;
    for (const approval of owner.state.approvals.values()) {
      if (approval.status !== 'pending' || asked.has(approval.id)) continue;
      asked.add(approval.id);
      answer(owner, approval).catch(async (thrown: unknown) => {
        if (findFailure(thrown)?.code !== 'DISK') return over.reject(thrown);
        await noRoom();
        asked.delete(approval.id);
        return answerAll();
      });
    }
  };
  owner.follow({
    event: (event) => {
      if (point?.at === 'told' && ['any', event.type].includes(point.type) && due(1)) void die();
      answerAll();
      if ([...owner.state.jobs.values()].some((job) => FINAL.includes(job.status))) over.resolve(0);
    },
    failed: (_, { code, message }) => {
      if (code === 'DISK') return void goOn().catch(over.reject);
      process.stderr.write(`${code}: ${message}\n`);
      return over.resolve(3);
    },
  });
  const [job] = owner.state.jobs.values();
  if (job === undefined) {
    await owner.wish('submitBrief', {
      brief: CRASH_BRIEF,
      setup: [],
      allowedCommands: CRASH_COMMANDS.map((argv) => [...argv]),
    });
  } else if (FINAL.includes(job.status)) {
    over.resolve(0);
  } else {
    await owner.wish('resumeJob', { jobId: job.id });
    answerAll();
  }
  const code = await over.promise;
  await owner.close();
  return code;
}

process.exitCode = await main();
