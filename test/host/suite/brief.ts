/** The way of a brief through the window, on the demo's sample repository with the simulated model. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { commands } from 'vscode';
import { answerInTerminal, type SeenJob, seenApprovals, seenJobs } from './cli.ts';
import { extension, projectDir } from './extension.ts';
import { test } from './registry.ts';

const ANSWER = 'A table aligned for people by default. Keep CSV behind --format csv, and add Markdown.';
const OVER = ['completed', 'failed', 'cancelled'];
const LOOK_MS = 500;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, LOOK_MS));

/** Answers by command whatever waits, as a notification does; what takes words, which a command only asks for, from a terminal. */
async function answerAll(answered: string[]): Promise<void> {
  for (const { id, kind, choices } of await seenApprovals()) {
    if (kind === 'stuck') await answerInTerminal(id, ANSWER);
    else await commands.executeCommand('autonomous.approve', id, { choice: choices[0] ?? null });
    answered.push(kind);
  }
}

async function untilOver(answered: string[]): Promise<SeenJob> {
  for (;;) {
    const [job] = await seenJobs();
    assert.ok(job, 'the brief became a job');
    if (OVER.includes(job.status)) return job;
    if (job.status === 'awaiting_steward') await answerAll(answered);
    await pause();
  }
}

/** Leaves the merged demo in the folder of the window. */
test('carries a brief from the command to the merge, with approvals by command', async () => {
  await extension().activate();
  await commands.executeCommand('autonomous.tryDemo');
  const answered: string[] = [];
  const { status, features } = await untilOver(answered);
  assert.equal(status, 'completed');
  assert.ok(features.total > 0);
  assert.equal(features.completed, features.total);
  for (const kind of ['plan', 'stuck', 'merge'])
    assert.ok(answered.includes(kind), `the steward was asked at: ${kind}`);
});

function passesItsTests(): void {
  const options = { cwd: projectDir(), encoding: 'utf8', env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } } as const;
  assert.equal(execFileSync('git', ['status', '--porcelain'], options), '');
  assert.match(execFileSync('git', ['ls-files'], options), /\.test\.js$/m);
  execFileSync(process.execPath, ['--test'], options);
}

test('the merged program passes its own tests, in a clean tree', passesItsTests);
