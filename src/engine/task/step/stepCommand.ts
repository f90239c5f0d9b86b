/** A step that runs a command, in the task's own clone and through the one command runner. */

import { type About, isAbout, subjectOf } from '../../../core/approval/about.ts';
import type { ApprovalRow } from '../../../shared/approval.ts';
import type { StepResult } from '../../../shared/task/taskWork.ts';
import { isUnused, useUp } from '../../approval/oneRun.ts';
import type { CommandResult, SandboxState } from '../../session/commandPorts.ts';
import { plainOutput } from '../../session/text.ts';
import { gitObjects, taskClone } from './stepClone.ts';
import type { OrderOf, StepPorts, StepWork } from './stepPorts.ts';

type Command = OrderOf<'command'>;

const MAX_OUTPUT_BYTES = 1024 * 1024;
const TAIL_CHARACTERS = 4_000;

export const commandStep: StepWork<'command'> = async (ports, order, signal) => {
  const { command, network, timeoutMs } = order;
  const sandbox = await ports.commands.sandbox();
  const yes = answerOn(ports, order, sandbox);
  if (sandbox.mode === 'sandboxed' && network === 'registries' && yes === undefined) return ask(order, sandbox);
  const cwd = await taskClone(ports, order, signal);
  // Another step with the same words may have used it while the clone was made.
  const approved = sandbox.mode === 'unconfined' && yes !== undefined && isUnused(yes);
  if (approved) await useUp(ports.store, yes);
  const result = await ports.commands.run({
    command,
    cwd,
    writable: [cwd],
    readable: [gitObjects(ports, order.taskId)],
    home: 'agent',
    env: {},
    network,
    timeoutMs,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    allowed: [],
    approved,
    signal,
  });
  if (result.ended === 'aborted') return { outcome: 'aborted' };
  if (result.ended === 'refused' && !approved) return ask(order, sandbox);
  return resultOf(order, result);
};

/** Network access and a run without a sandbox are two questions: an approval of one does not answer the other. */
const aboutRun = ({ command }: Command, { mode }: SandboxState): About => ({
  of: mode === 'unconfined' ? 'command' : 'registries',
  command,
});

/**
 * Without a sandbox an approval is for one run in its task, like a job's. Access to the registries is approved for this command
 * line in the project.
 */
function answerOn({ store }: StepPorts, order: Command, sandbox: SandboxState): ApprovalRow | undefined {
  const about = aboutRun(order, sandbox);
  return [...store.state.approvals.values()].find(
    (row) =>
      row.kind === 'command' &&
      row.status === 'approved' &&
      isAbout(row, about) &&
      row.project_id === order.projectId &&
      row.task_id !== null &&
      (sandbox.mode === 'sandboxed' || (row.task_id === order.taskId && isUnused(row))),
  );
}

function ask(order: Command, sandbox: SandboxState): StepResult {
  const question =
    sandbox.mode === 'unconfined'
      ? 'Run this command once, without a sandbox?'
      : 'Let this command reach the package registries?';
  const asked = {
    kind: 'command',
    subject: subjectOf(aboutRun(order, sandbox)),
    question,
    detail: order.command,
  } as const;
  return { outcome: 'ask', asked: { ...asked, choices: [] } };
}

/** Returns its output as text, so that a reference to it is its output. */
function resultOf({ timeoutMs }: Command, { exitCode, ended, output }: CommandResult): StepResult {
  const text = plainOutput(output).trimEnd();
  if (ended === null && exitCode === 0) return { outcome: 'completed', result: text, session: null };
  const how = ended === null ? `it ended with exit code ${exitCode}` : wordsOf(ended, timeoutMs);
  const tail = text.slice(-TAIL_CHARACTERS);
  const error = tail === '' ? how : `${how}. The end of its output:\n${tail}`;
  return { outcome: 'failed', error, result: text, session: null };
}

function wordsOf(ended: Exclude<CommandResult['ended'], null>, timeoutMs: number): string {
  switch (ended) {
    case 'timeout':
      return `it was ended after ${timeoutMs / 1000} seconds`;
    case 'output':
      return 'it was ended because it printed without end';
    case 'processes':
      return 'it was ended because it started too many processes';
    case 'failed_to_start':
      return 'it could not be started';
    case 'refused':
    case 'aborted':
      return `it was ${ended}`;
  }
}
