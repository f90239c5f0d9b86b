/** What VS Code runs in its extension host for the benchmark: waits for the extension, follows the demo to its merge, then idles. */
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { commands } from 'vscode';
import { seenApprovals, seenJobs } from '../../test/host/suite/cli.ts';
import { extension } from '../../test/host/suite/extension.ts';
import type { Bench, Measured } from './shared.ts';

const QUIET_MS = 5_000;
const IDLE_MS = 15_000;
const LOOK_MS = 1_000;
const PATIENCE_MS = 150_000;
const OVER = ['completed', 'failed', 'cancelled'];
const ANSWER = 'A table aligned for people by default. Keep CSV behind --format csv, and add Markdown.';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function longestWhile<T>(work: () => Promise<T>): Promise<{ longestMs: number; value: T }> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const value = await work();
  delay.disable();
  return { longestMs: delay.max / 1e6, value };
}

async function answerAll(): Promise<void> {
  for (const { id, kind, choices } of await seenApprovals()) {
    const answer = { choice: choices[0] ?? null, feedback: kind === 'stuck' ? ANSWER : null };
    await commands.executeCommand('autonomous.approve', id, answer);
  }
}

async function demo(): Promise<string> {
  await commands.executeCommand('autonomous.tryDemo');
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await pause(LOOK_MS)) {
    const [job] = await seenJobs();
    if (job !== undefined && OVER.includes(job.status)) return job.status;
    if (job?.status === 'awaiting_steward') await answerAll();
  }
  return 'not over in time';
}

async function measure(bench: Bench): Promise<Measured> {
  const quiet = await longestWhile(() => pause(QUIET_MS));
  const began = performance.now();
  const stop = await bench.profile();
  const run = await longestWhile(demo);
  const seconds = (performance.now() - began) / 1000;
  const profile = await stop();
  // The database is written for the last time some seconds after the work.
  await pause(QUIET_MS);
  const before = bench.wakeUps();
  await pause(IDLE_MS);
  return {
    activation: bench.activation,
    quiet: { longestMs: quiet.longestMs },
    demo: { seconds, status: run.value, longestMs: run.longestMs, profile },
    idle: { wakeUpsPerSecond: (bench.wakeUps() - before) / (IDLE_MS / 1000) },
  };
}

export async function run(): Promise<void> {
  const report = process.env['HOST_BENCH_REPORT'];
  if (report === undefined) throw new Error('HOST_BENCH_REPORT must name the file of the figures');
  await extension().activate();
  const bench = globalThis.autonomousBench;
  if (bench === undefined) throw new Error('the extension is not the measured one');
  writeFileSync(report, JSON.stringify(await measure(bench)));
}
