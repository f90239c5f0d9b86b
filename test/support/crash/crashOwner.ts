/**
 * An owner process as a run with `--yes` is one, whose steward also answers questions of workers. Files the brief, or goes on
 * with the job that is there; exits with 0 when the job is final, 3 when its loop could not go on, 4 when a conversation changed what it
 * had sent. May kill itself, see
 * crashPoint.ts, or hang, see freezePoint.ts. With STEWARD=false it answers nothing; with TAKE_OVER=true it takes the place of one
 * that hangs. BRIEF_OPTIONS has more of the request that files the brief.
 */
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../src/adapters/clock.ts';
import { CHANGED } from '../../../src/adapters/gateway/door/prefixCheck.ts';
import type { Owner } from '../../../src/app/owner/assemble.ts';
import { becomeOwner } from '../../../src/app/owner/owner.ts';
import type { WorkspacePaths } from '../../../src/engine/state/workspacePaths.ts';
import type { ApprovalRow } from '../../../src/shared/approval.ts';
import { countdown, crashPoint, die, watchAppends } from './crashPoint.ts';
import { CRASH_BRIEF, CRASH_COMMANDS, STUCK_ANSWER } from './crashScenario.ts';
import { freezeMain } from './freezePoint.ts';

const FINAL = ['completed', 'failed', 'cancelled'];

const point = crashPoint();
const due = countdown(point === null ? 0 : point.nth);

function arm(): void {
  if (point?.at !== 'durable') return;
  const marker = `"type":"${point.type}"`;
  watchAppends('events', {
    after: async (text) => {
      if (due(text.split('\n').filter((line) => line.includes(marker)).length)) await die();
    },
  });
}

async function answer(owner: Owner, { id, kind, choices }: ApprovalRow): Promise<void> {
  const by = kind === 'stuck' ? 'steward' : 'yes_flag';
  const feedback = kind === 'stuck' ? STUCK_ANSWER : null;
  await owner.request('decide', { approvalId: id, decision: 'approved', choice: choices[0] ?? null, by, feedback });
}

async function main(): Promise<number> {
  arm();
  freezeMain();
  const owner = await becomeOwner({
    places: JSON.parse(process.env['PLACES'] ?? '') as WorkspacePaths,
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
    takeOver: process.env['TAKE_OVER'] === 'true',
  });
  const over = Promise.withResolvers<number>();
  const asked = new Set<number>();
  const answerAll = (): void => {
    if (process.env['STEWARD'] === 'false') return;
    for (const approval of owner.state.approvals.values()) {
      if (approval.status !== 'pending' || asked.has(approval.id)) continue;
      asked.add(approval.id);
      answer(owner, approval).catch(over.reject);
    }
  };
  owner.follow({
    event: () => {
      answerAll();
      if ([...owner.state.jobs.values()].some((job) => FINAL.includes(job.status))) over.resolve(0);
    },
    failed: (_, { code, message }) => {
      process.stderr.write(`${code}: ${message}\n`);
      over.resolve(3);
    },
  });
  const [job] = owner.state.jobs.values();
  if (job === undefined) {
    await owner.request('submitBrief', {
      brief: CRASH_BRIEF,
      setup: [],
      lanes: 1,
      ...(JSON.parse(process.env['BRIEF_OPTIONS'] ?? '{}') as object),
      allowedCommands: CRASH_COMMANDS.map((argv) => [...argv]),
    });
  } else if (FINAL.includes(job.status)) {
    over.resolve(0);
  } else {
    await owner.request('resumeJob', { jobId: job.id });
    answerAll();
  }
  const code = await over.promise;
  const { problems } = owner;
  await owner.close();
  const changed = problems.filter((text) => text.includes(CHANGED));
  for (const text of changed) process.stderr.write(`${text}\n`);
  return changed.length > 0 ? 4 : code;
}

process.exitCode = await main();
