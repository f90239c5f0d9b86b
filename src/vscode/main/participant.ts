/** `@autonomous` in the editor's chat: the main agent. */
import * as vscode from 'vscode';
import type { HostContext } from '../window/context.ts';

const PARTICIPANT = 'autonomous.main';

/** Registered at once, so that the editor finds it. Its handler is loaded with the first message. */
export function registerChat(context: HostContext): vscode.Disposable {
  if (typeof vscode.chat?.createChatParticipant !== 'function') return vscode.Disposable.from();
  const participant = vscode.chat.createChatParticipant(PARTICIPANT, async (request, _, stream, token) => {
    const { answer } = await import('./answer.ts');
    return answer(context, request, stream, token);
  });
  participant.iconPath = vscode.Uri.joinPath(context.extension.extensionUri, 'media', 'icon.png');
  return participant;
}
