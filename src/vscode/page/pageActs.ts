/** Handles the page's requests. Uses commands if they exist, so that a card and the palette do the same. */
import * as vscode from 'vscode';
import { failure } from '../../shared/errors.ts';
import type { FromPage, ProjectAct, TaskAct } from '../../shared/workspace/pageProtocol.ts';
import type { State } from '../../shared/workspace/state.ts';
import { setBudget } from '../job/setBudget.ts';
import { setLanes } from '../job/setLanes.ts';
import type { HostContext } from '../window/context.ts';
import type { WorkspaceEngine } from '../window/handle.ts';
import { applyQuickFix, offerQuickFix } from '../window/quickFixes.ts';
import type { CommandId } from '../words/commandList.ts';
import type { Documents } from '../words/documents.ts';
import { confirmAgents, confirmRetry } from './pageConfirm.ts';

export interface ActPorts {
  readonly context: HostContext;
  readonly handle: WorkspaceEngine;
  readonly documents: Documents;
}

async function run(command: CommandId, ...args: readonly unknown[]): Promise<void> {
  await vscode.commands.executeCommand(command, ...args);
}

const PROJECT_COMMANDS: Readonly<Record<ProjectAct, CommandId>> = {
  suspend: 'autonomous.suspendProject',
  resume: 'autonomous.resumeProject',
  complete: 'autonomous.completeProject',
  archive: 'autonomous.archiveProject',
  unpark: 'autonomous.unparkProject',
  message: 'autonomous.messageProject',
  definition: 'autonomous.openProjectDefinition',
  memory: 'autonomous.openProjectMemory',
  skills: 'autonomous.openProjectSkills',
};

const TASK_COMMANDS: Readonly<Record<TaskAct, CommandId>> = {
  start: 'autonomous.startTask',
  pause: 'autonomous.pauseTask',
  resume: 'autonomous.resumeTask',
  cancel: 'autonomous.cancelTask',
  retry: 'autonomous.retryTask',
  remove: 'autonomous.removeTask',
  definition: 'autonomous.editTask',
  report: 'autonomous.taskReport',
};

/** The pages themselves handle `ready`, `led`, `look`, `openConversation`, `openTask` and `openPlan`. */
export function pageActs({ context, handle, documents }: ActPorts): (message: FromPage) => Promise<void> {
  const { engine } = context;
  return async (message) => {
    switch (message.kind) {
      case 'newBrief':
        // If there are several folders, the command asks which one.
        return engine.blocker === null || engine.blocker === 'not_chosen'
          ? run('autonomous.newBrief', ...(message.project === undefined ? [] : [{ project: message.project }]))
          : offerQuickFix(engine.blocker);
      case 'runBacklog':
        return engine.blocker === null ? run('autonomous.runBacklog') : offerQuickFix(engine.blocker);
      case 'openBoard':
        return run('autonomous.openBoard');
      case 'runDemo':
        return run('autonomous.tryDemo');
      case 'quickFix':
        return applyQuickFix(message.quickFix);
      case 'review':
        return run('autonomous.reviewChanges', message);
      case 'approve':
        return run('autonomous.approve', message, answerOf(engine.state, message));
      case 'reject':
        return run('autonomous.reject', message);
      case 'retryFeature':
        if (await confirmRetry(engine.state, message.featureId)) await run('autonomous.retryFeature', message);
        return;
      case 'setDailyLimit':
        return run('autonomous.setDailyLimit');
      case 'rules':
        return run('autonomous.rules');
      case 'setBudget':
        return setBudget(context, message.jobId);
      case 'setLanes':
        return setLanes(context, message.jobId);
      case 'addSetup':
        return run('autonomous.addSetupCommand', message);
      case 'plan':
        return run(message.act === 'edit' ? 'autonomous.editPlan' : 'autonomous.comparePlans', message.jobId);
      case 'addNote':
        return run('autonomous.addNote', message);
      case 'reorderFeature': {
        const { featureId, position } = message;
        await engine.request('reorderFeature', { featureId, position });
        return;
      }
      case 'chooseExecutors': {
        const { featureId, executors } = message;
        if (await confirmAgents(context, featureId, executors))
          await engine.request('chooseExecutors', { featureId, executors });
        return;
      }
      case 'chooseAgent':
        return run('autonomous.chooseAgent', message);
      case 'openTranscript':
        return documents.show(`session-${message.sessionId}.md`, await engine.files.transcript(message.sessionId));
      case 'openArtifact':
        return showArtifact(context, documents, message.name, 'output.log');
      case 'showDiff': {
        const attempts = [...engine.state.attempts.values()].filter((row) => row.feature_id === message.featureId);
        const name = attempts.findLast((row) => row.diff !== null)?.diff;
        if (!name) throw failure('NOT_FOUND', vscode.l10n.t('This feature has no changes yet.'));
        return showArtifact(context, documents, name, 'changes.diff');
      }
      case 'job':
        return actOnJob(message.jobId, message.act);
      case 'tryNow': {
        const { of, id } = message;
        await engine.request('tryNow', { of, id });
        return;
      }
      case 'newProject':
        return run('autonomous.newProject');
      case 'project':
        return run(PROJECT_COMMANDS[message.act], { project: message.project });
      case 'sendMessage': {
        const { project, text } = message;
        await engine.request('sendMessage', { project, text });
        return;
      }
      case 'stopTurn': {
        const { project } = message;
        await engine.request('stopTurn', { project });
        return;
      }
      case 'markRead': {
        const { project, upTo } = message;
        await engine.request('markRead', { project, upTo });
        return;
      }
      case 'newTask':
        return run('autonomous.newTask');
      case 'task':
        return run(TASK_COMMANDS[message.act], { taskId: message.taskId });
      case 'openStep':
        return showStep(context, documents, message);
      case 'ready':
      case 'led':
      case 'look':
      case 'openConversation':
      case 'openTask':
      case 'openPlan':
        return;
    }
  };

  async function actOnJob(jobId: string, act: Extract<FromPage, { kind: 'job' }>['act']): Promise<void> {
    if (act === 'select') await engine.request('selectJob', { jobId });
    else if (act === 'diff') await documents.show('job.diff', await handle.jobDiff(jobId));
    else if (act === 'built') await (await import('../job/openBuilt.ts')).openBuilt(context);
    else if (act === 'pause') await run('autonomous.pauseJob', { jobId });
    else if (act === 'resume') await run('autonomous.resumeJob', { jobId });
    else await run('autonomous.cancelJob', { jobId });
  }
}

/**
 * An answer from a page is always confirmed by the editor. Kinds with a choice about the result, and unknown kinds, show a list with the page's
 * choice first.
 */
function answerOf(state: State, { approvalId, choice }: Extract<FromPage, { kind: 'approve' }>): object {
  const kind = state.approvals.get(approvalId)?.kind;
  const picks = kind === undefined || kind === 'merge' || kind === 'conflict' || kind === 'pick';
  return { [picks ? 'first' : 'choice']: choice, confirm: true };
}

/** The full input or output of a step: a string verbatim, other values as JSON. */
async function showStep(
  { engine }: HostContext,
  documents: Documents,
  { taskId, stepId, part }: Extract<FromPage, { kind: 'openStep' }>,
): Promise<void> {
  const step = engine.state.task_steps.get(stepId);
  if (step === undefined || step.task_id !== taskId) {
    throw failure('NOT_FOUND', vscode.l10n.t('This step no longer exists.'));
  }
  const kept =
    part === 'result' && step.result_artifact !== null ? await engine.files.artifact(step.result_artifact) : null;
  if (kept === null && part === 'result' && step.result_artifact !== null) {
    throw failure('NOT_FOUND', vscode.l10n.t('The file {0} is missing or was altered.', step.result_artifact));
  }
  const value: unknown = kept === null ? step[part] : JSON.parse(kept);
  const isText = typeof value === 'string';
  await documents.show(
    `step-${step.number}-${part}.${isText ? 'txt' : 'json'}`,
    isText ? value : JSON.stringify(value, null, 2),
  );
}

async function showArtifact({ engine }: HostContext, documents: Documents, name: string, as: string): Promise<void> {
  const text = await engine.files.artifact(name);
  if (text === null) throw failure('NOT_FOUND', vscode.l10n.t('The file {0} is missing or was altered.', name));
  await documents.show(as, text);
}
