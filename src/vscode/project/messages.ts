/** Shows new messages of projects, one notification per batch. Messages that were unread when the window opened show no notification. */
import * as vscode from 'vscode';
import type { Clock } from '../../shared/clock.ts';
import type { MessageRow } from '../../shared/project/projects.ts';
import { setting } from '../settings/read.ts';
import { withErrorMessage } from '../window/command.ts';
import type { HostContext } from '../window/context.ts';
import { throttle } from '../window/throttle.ts';
import { plainWords } from '../words/plainWords.ts';
import { unreadMessages } from './unreadMessages.ts';

/** Projects that work often say several things in a row. */
const BETWEEN_MS = 4_000;
/** Delay before a notification, in which an open conversation marks the message as read. */
const GRACE_MS = 1_500;

/** Identifies a message across all folders that a window shows. */
/** task/taskNotices.ts shows the messages of tasks by their level. */
const isTold = ({ sender }: MessageRow): boolean => sender !== 'task';

const keyOf = ({ project_id, id, at }: MessageRow): string => `${project_id} ${id} ${at}`;

export function showMessages(context: HostContext, clock: Clock): vscode.Disposable {
  const { engine } = context;
  const known = new Set(unreadMessages(engine.state).map(keyOf));
  /** 0 until a folder's state was read: existing messages are old. */
  let seen = engine.state.meta.last_seq;
  let waiting: readonly MessageRow[] = [];
  let grace: (() => void) | null = null;
  const flush = throttle(clock, BETWEEN_MS, () => {
    const batch = waiting.filter((row) => engine.state.messages.get(row.id)?.read_at === null);
    waiting = [];
    if (batch.length > 0 && setting.tellsMessages()) void withErrorMessage(context, () => notify(batch));
  });
  const look = (): void => {
    const fresh = unreadMessages(engine.state).filter((row) => isTold(row) && !known.has(keyOf(row)));
    for (const row of fresh) known.add(keyOf(row));
    const isNews = seen > 0;
    seen = engine.state.meta.last_seq;
    if (fresh.length === 0 || !isNews) return;
    waiting = [...waiting, ...fresh];
    grace ??= clock.timer(GRACE_MS, () => {
      grace = null;
      flush.ask();
    });
  };
  return vscode.Disposable.from(flush, engine.onDidChange(look), { dispose: () => grace?.() });
}

async function notify(batch: readonly MessageRow[]): Promise<void> {
  const projects = [...new Set(batch.map(({ project_id }) => project_id))];
  const [only] = projects;
  const open = vscode.l10n.t('Open Conversation');
  const text = projects.map((project) => newsOf(project, batch.filter((row) => row.project_id === project).length));
  const pressed = await vscode.window.showInformationMessage(plainWords(text.join(', ')), open);
  if (pressed !== open) return;
  // If there are several projects, the command asks which.
  const target = projects.length === 1 ? [{ project: only }] : [];
  await vscode.commands.executeCommand('autonomous.openConversation', ...target);
}

function newsOf(project: string, count: number): string {
  return count === 1
    ? vscode.l10n.t('{0}: 1 new message', project)
    : vscode.l10n.t('{0}: {1} new messages', project, count);
}
