/** Answers messages to `@autonomous`. Loaded with the first message. Slash commands are answered from the state, without a model. */
import * as vscode from 'vscode';
import { asFailure } from '../../shared/errors.ts';
import type { HostContext } from '../window/context.ts';
import { currentProject } from '../window/currentProject.ts';
import { blockerText } from '../window/folder.ts';
import { failureText, logThrown } from '../window/report.ts';
import { plainMarkdown } from '../words/plainMarkdown.ts';
import { plainWords } from '../words/plainWords.ts';
import { projectsText, statusText } from './chatTexts.ts';
import { converse, offerWhatWaits } from './turn.ts';

/** Shows a failure in the chat, with its hint. */
export async function answer(
  context: HostContext,
  request: vscode.ChatRequest,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  const { engine, log } = context;
  try {
    if (engine.blocker !== null && engine.blocker !== 'not_chosen') {
      return { errorDetails: { message: blockerText(engine.blocker) } };
    }
    await carryOut(context, request, stream, token);
    return {};
  } catch (thrown) {
    if (asFailure(thrown).code === 'ABORTED') return {};
    logThrown(log, thrown);
    return { errorDetails: { message: plainWords(failureText(thrown)) } };
  }
}

async function carryOut(
  context: HostContext,
  request: vscode.ChatRequest,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<void> {
  const { engine } = context;
  const prompt = request.prompt.trim();
  if (request.command !== undefined && engine.current === null) await engine.look();
  switch (request.command) {
    case 'status':
      stream.markdown(statusText(context));
      offerWhatWaits(context, stream);
      return;
    case 'projects':
      stream.markdown(projectsText(context));
      stream.button({ command: 'autonomous.newProject', title: vscode.l10n.t('New Project…') });
      return;
    case 'brief':
      return fileBrief(context, prompt, stream);
    case 'message':
      return writeTo(context, prompt, stream);
    default:
      if (prompt === '') stream.markdown(vscode.l10n.t('Ask about your projects and jobs, or describe the work.'));
      else await converse(context, request, stream, token);
  }
}

async function fileBrief(
  { engine, extension }: HostContext,
  brief: string,
  stream: vscode.ChatResponseStream,
): Promise<void> {
  if (brief === '') {
    stream.markdown(vscode.l10n.t('Say what should be done: `/brief Add a dark theme.`'));
    return;
  }
  const project = currentProject(extension.workspaceState, engine.state);
  const { jobId } = await engine.request('submitBrief', { brief, project });
  stream.markdown(vscode.l10n.t('Filed in {0} as job {1}.', plainMarkdown(project), plainMarkdown(jobId)));
  const title = vscode.l10n.t('Open Board');
  stream.button({ command: 'autonomous.openBoard', title, arguments: [{ jobId }] });
}

/** `/message <project> <text>` */
async function writeTo({ engine }: HostContext, prompt: string, stream: vscode.ChatResponseStream): Promise<void> {
  const [, project = '', text = ''] = /^(\S+)\s+(.+)$/s.exec(prompt) ?? [];
  if (text === '' || !engine.state.projects.has(project)) {
    const names = [...engine.state.projects.keys()].map((name) => `\`${name}\``).join(', ');
    stream.markdown(
      vscode.l10n.t('Name a project and add a message: `/message <project> <text>`. There are: {0}', names),
    );
    return;
  }
  await engine.request('sendMessage', { project, text });
  stream.markdown(vscode.l10n.t('Sent to {0}. It answers in its conversation.', plainMarkdown(project)));
  stream.button({
    command: 'autonomous.openConversation',
    title: vscode.l10n.t('Open Conversation'),
    arguments: [{ project }],
  });
}
