/** Commands of a job: the agent's, verify and setup alike go through the one runner, and are asked for each time when there is no sandbox. */
import path from 'node:path';
import { type About, approvalOn } from '../../../core/approval/about.ts';
import { jobApprovals, need } from '../../../core/state/rows.ts';
import type { ApprovalRow } from '../../../shared/approval.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import type { AgentRole } from '../../../shared/session.ts';
import { isUnused, useUp } from '../../approval/oneRun.ts';
import { question } from '../../approval/questions.ts';
import type { CommandRequest, CommandResult, CommandSession } from '../../session/commandPorts.ts';
import type { SessionCommands } from '../../session/ports.ts';
import type { SessionDirectory } from '../../session/sessionDirectory.ts';
import { type JobContext, oneId } from '../context.ts';
import type { SessionShell } from '../jobMemory.ts';
import { awaitAnswer, featureOfLane } from '../lanes/laneQuestions.ts';
import { treeOf } from '../tree/tree.ts';
import type { StartCommand } from './background.ts';

/** A folder where commands run instead of the clone. */
export interface FreshFolder {
  readonly tree: string;
  readonly home: string;
}

/** Default for a verify or setup command. */
export const VERIFY_TIMEOUT_MS = 10 * 60_000;

const MAX_OUTPUT_BYTES = 1024 * 1024;

/** Where a command runs, and what it may reach. */
export type Reach = Pick<CommandRequest, 'cwd' | 'writable' | 'readable' | 'home' | 'env'>;

interface RunOptions {
  readonly timeoutMs: number;
  readonly network: 'none' | 'registries';
  readonly place: SessionDirectory | null;
  readonly session?: CommandSession | undefined;
  readonly keepOver?: number | undefined;
  /** The folder to run in instead of the clone, with a separate home. */
  readonly fresh?: FreshFolder | undefined;
  /** Whether it may write the clone. */
  readonly writes: boolean;
  readonly signal: AbortSignal;
}

/** Runs a command. Without a sandbox, a command off the allow-list needs an approval each time, and this waits for the answer. */
export async function runCommand(context: JobContext, command: string, options: RunOptions): Promise<CommandResult> {
  const about: About = { of: 'command', command };
  for (;;) {
    const job = need(context.store.state, 'jobs', context.jobId);
    const reach = await reachOf(context, job, options);
    const result = await runOnce(context, command, reach, options);
    const asked = answerOn(context, about);
    if (result.ended !== 'refused' || asked?.status === 'rejected') return result;
    if (asked?.status === 'approved') {
      await useUp(context.store, asked);
      return runOnce(context, command, reach, options, true);
    }
    if (asked === undefined) await askFor(context, command, about);
    await decided(context, about, options.signal);
  }
}

/** Runs it without a question to the steward. */
export function runOnce(
  context: JobContext,
  command: string,
  reach: Reach,
  options: Pick<RunOptions, 'timeoutMs' | 'network' | 'session' | 'keepOver' | 'signal'>,
  approved = false,
): Promise<CommandResult> {
  return context.commands.run({
    ...reach,
    command,
    ...(options.session === undefined ? {} : { session: options.session }),
    keepOver: options.keepOver,
    network: options.network,
    timeoutMs: options.timeoutMs,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    allowed: need(context.store.state, 'jobs', context.jobId).options.allowedCommands,
    approved,
    signal: options.signal,
  });
}

/** Where a command runs, and what it may reach. It may change the clone after this. */
async function reachOf(
  context: JobContext,
  job: JobRow,
  options: Pick<RunOptions, 'place' | 'fresh' | 'writes'>,
): Promise<Reach> {
  const { workTree, gitDir } = treeOf(context, job);
  // A reviewer's command runs the work that is under review. That must not reach the tool by which the reviewer answers.
  const place = options.writes ? await options.place?.enter() : undefined;
  const { fresh } = options;
  const cwd = fresh?.tree ?? workTree;
  const home = fresh === undefined ? [] : [fresh.home];
  if (options.writes && fresh === undefined) context.memory.touched = null;
  return {
    cwd,
    writable: [...(options.writes ? [cwd] : []), ...home, ...(place?.writable ?? [])],
    // The clone's own git borrows our objects: without them it knows no history, where the sandbox hides our folder in the home.
    readable: [path.join(gitDir, 'objects'), ...(place?.readable ?? [])],
    home: options.place === null ? 'engine' : options.writes ? 'agent' : 'reader',
    env: { ...(fresh === undefined ? {} : { HOME: fresh.home }), ...place?.env },
  };
}

const NOT_ALLOWED = 'The steward does not allow this command. Find another way or report blocked.';

/** The question about it, unless it went away unanswered or its answer was used. */
function answerOn(context: JobContext, about: About): ApprovalRow | undefined {
  const asked = approvalOn(context.store.state, context.jobId, about);
  return asked !== undefined && isUnused(asked) ? asked : undefined;
}

/** An agent without a sandbox is more than a command: it can do anything that the user can. */
const startQuestion = (agent: string): string =>
  `Start ${agent} without a sandbox? As long as this job lasts it could then read and change whatever you can, and reach the network.`;

async function askFor(context: JobContext, command: string, about: About, agent?: string): Promise<void> {
  const job = need(context.store.state, 'jobs', context.jobId);
  const approval = question(job, await oneId(context, 'approvals'), {
    kind: 'command',
    about,
    question: agent === undefined ? 'Run this command once, without a sandbox?' : startQuestion(agent),
    detail: command,
    feature_id: featureOfLane(context),
  });
  await context.store.commit({ type: 'approval_requested', approval });
  await awaitAnswer(context, approval.question);
}

async function decided(context: JobContext, about: About, signal: AbortSignal): Promise<void> {
  const { clock, memory } = context;
  if (memory.waiting++ === 0) memory.waitingSince = clock.monotonic();
  try {
    while (approvalOn(context.store.state, context.jobId, about)?.status === 'pending')
      await context.store.changed(signal);
  } finally {
    if (--memory.waiting === 0) memory.waitedMs += clock.monotonic() - memory.waitingSince;
  }
}

/** The clock of an attempt, paused while commands wait for the steward. */
export function attemptClock({ clock, memory }: JobContext): Clock {
  const waited = (): number => memory.waitedMs + (memory.waiting > 0 ? clock.monotonic() - memory.waitingSince : 0);
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic() - waited(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    timer: (ms, run) => clock.timer(ms, run),
  };
}

/** The agent's door to the runner. `role`: only a worker's commands write the clone. `shell`: absent for another agent. */
export function approvedCommands(
  context: JobContext,
  place: SessionDirectory,
  role: AgentRole,
  shell?: SessionShell,
): SessionCommands {
  const writes = role === 'worker';
  const start: StartCommand = async (command, session) => {
    const job = need(context.store.state, 'jobs', context.jobId);
    const reach = await reachOf(context, job, { place, writes });
    return context.commands.start({ ...reach, command, session, signal: context.signal });
  };
  return {
    ...(shell === undefined ? {} : { background: shell.background(start) }),
    run: async (command, { timeoutMs, keepOver, signal }) => {
      const session = shell?.enter();
      const options = { timeoutMs, network: 'none', place, session, keepOver, writes, signal } as const;
      const result = await runCommand(context, command, options);
      const { exitCode, ended } = result;
      return ended === 'refused' ? { exitCode, ended, output: NOT_ALLOWED } : shownResult(result, shell);
    },
  };
}

/** The result of a command for the agent, with notices about earlier commands. */
export function shownResult({ exitCode, ended, output, kept, notes = [] }: CommandResult, shell?: SessionShell) {
  return { exitCode, ended, output, kept, notes: [...(shell?.news() ?? []), ...notes] };
}

/**
 * The job waited because its agent was refused. After a resume the question is asked once more, so that the user can change their
 * mind.
 */
function triedAgain({ store, jobId }: JobContext, { id }: ApprovalRow): boolean {
  return jobApprovals(store.state, jobId).some(
    (later) => later.id > id && later.kind === 'provider' && later.status === 'approved',
  );
}

/** Whether the steward lets this text run without a sandbox: a command once, an agent for as long as the job lasts. */
export async function mayRun(context: JobContext, command: string, agent?: string): Promise<boolean> {
  const about: About = { of: agent === undefined ? 'command' : 'agent', command };
  for (;;) {
    const asked = answerOn(context, about);
    if (asked?.status === 'approved') {
      if (agent === undefined) await useUp(context.store, asked);
      return true;
    }
    const again = asked?.status === 'rejected' && agent !== undefined && triedAgain(context, asked);
    if (asked?.status === 'rejected' && !again) return false;
    if (asked === undefined || again) await askFor(context, command, about, agent);
    await decided(context, about, context.signal);
  }
}
