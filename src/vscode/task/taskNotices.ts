/**
 * Shows the messages of tasks by their level, one notification per batch. Messages from before the window opened show none, and a silent task sends
 * none.
 */
import * as vscode from 'vscode';
import type { Clock } from '../../shared/clock.ts';
import type { NoticeLevel } from '../../shared/notice.ts';
import type { MessageRow } from '../../shared/project/projects.ts';
import { setting } from '../settings/read.ts';
import { withErrorMessage } from '../window/command.ts';
import type { HostContext } from '../window/context.ts';
import { throttle } from '../window/throttle.ts';
import { plainWords } from '../words/plainWords.ts';

const BETWEEN_MS = 4_000;
/** Characters and messages that fit into a notification. */
const MOST_SAID = 300;
const MOST_AT_ONCE = 3;

const isNotice = ({ sender, direction, task_id, read_at }: MessageRow): boolean =>
  sender === 'task' && direction === 'out' && task_id !== null && read_at === null;

const keyOf = ({ task_id, id, at }: MessageRow): string => `${task_id} ${id} ${at}`;

export function showNotices(context: HostContext, clock: Clock): vscode.Disposable {
  const { engine } = context;
  const notices = (): MessageRow[] => [...engine.state.messages.values()].filter(isNotice);
  const known = new Set(notices().map(keyOf));
  /** 0 until a folder's state was read: existing messages are old. */
  let seen = engine.state.meta.last_seq;
  let waiting: readonly MessageRow[] = [];
  const flush = throttle(clock, BETWEEN_MS, () => {
    const batch = waiting.filter((row) => engine.state.messages.get(row.id)?.read_at === null);
    waiting = [];
    if (batch.length > 0 && setting.notifies('results')) void withErrorMessage(context, () => notify(context, batch));
  });
  const look = (): void => {
    const fresh = notices().filter((row) => !known.has(keyOf(row)));
    for (const row of fresh) known.add(keyOf(row));
    const isNews = seen > 0;
    seen = engine.state.meta.last_seq;
    if (fresh.length === 0 || !isNews) return;
    waiting = [...waiting, ...fresh];
    flush.ask();
  };
  return vscode.Disposable.from(flush, engine.onDidChange(look));
}

const GRAVITY: readonly NoticeLevel[] = ['info', 'success', 'warning', 'error'];

async function notify(context: HostContext, batch: readonly MessageRow[]): Promise<void> {
  const tasks = [...new Set(batch.map(({ task_id }) => task_id))];
  const level = GRAVITY[Math.max(...batch.map((row) => GRAVITY.indexOf(row.level ?? 'info')))] ?? 'info';
  const text =
    tasks.length === 1 ? wordsOf(batch) : vscode.l10n.t('{0} notices of {1} tasks', batch.length, tasks.length);
  const show = vscode.l10n.t('Show');
  const report = vscode.l10n.t('Report');
  const [only] = tasks;
  const target = tasks.length === 1 ? [{ taskId: only }] : [];
  const pressed = await shown(level, text, tasks.length === 1 ? [show, report] : [show]);
  if (pressed === undefined) return;
  await markRead(context, batch);
  if (pressed === report) await vscode.commands.executeCommand('autonomous.taskReport', ...target);
  // If there are several tasks, the command asks which.
  else await vscode.commands.executeCommand('autonomous.showTask', ...target);
}

async function shown(level: NoticeLevel, text: string, buttons: readonly string[]): Promise<string | undefined> {
  if (level === 'error') return vscode.window.showErrorMessage(plainWords(text), ...buttons);
  if (level === 'warning') return vscode.window.showWarningMessage(plainWords(text), ...buttons);
  return vscode.window.showInformationMessage(plainWords(text), ...buttons);
}

/** Marks the messages of an opened notification as read. Other messages of the project stay unread. */
async function markRead({ engine }: HostContext, batch: readonly MessageRow[]): Promise<void> {
  for (const project of new Set(batch.map(({ project_id }) => project_id))) {
    const unread = [...engine.state.messages.values()].filter(
      (row) => row.project_id === project && row.direction === 'out' && row.read_at === null,
    );
    const upTo = Math.max(...batch.filter((row) => row.project_id === project).map(({ id }) => id));
    if (unread.every((row) => row.id > upTo || row.sender === 'task'))
      await engine.request('markRead', { project, upTo });
  }
}

/** The newest messages of one task, in their order. */
function wordsOf(batch: readonly MessageRow[]): string {
  const newest = batch.slice(-MOST_AT_ONCE);
  const words = newest.map(({ text }) => shortened(text, MOST_SAID / newest.length)).join(' · ');
  return newest.length === batch.length ? words : vscode.l10n.t('{0} ({1} notices)', words, batch.length);
}

function shortened(text: string, most: number): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length <= most ? line : `${line.slice(0, most)}…`;
}
