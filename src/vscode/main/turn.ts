/** Sends one message to the main agent and streams its answers until it is idle or needs the steward. */
import * as vscode from 'vscode';
import { glance, pendingApprovals } from '../../core/approval/stewardship.ts';
import { unfinishedConversations } from '../../core/project/conversations.ts';
import type { ApprovalRow } from '../../shared/approval.ts';
import { MAIN_PROJECT, type MessageRow } from '../../shared/project/projects.ts';
import type { State } from '../../shared/workspace/state.ts';
import { nameOf } from '../approval/question.ts';
import { nameOfModel } from '../model/models.ts';
import { setting } from '../settings/read.ts';
import type { HostContext } from '../window/context.ts';
import { plainMarkdown } from '../words/plainMarkdown.ts';
import { plainWords } from '../words/plainWords.ts';

/** Cancelling stops the turn. */
export async function converse(
  context: HostContext,
  { prompt, model }: vscode.ChatRequest,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<void> {
  const { engine } = context;
  const answeredBy = setting.provider() === 'vscode-lm' ? { model: nameOfModel(model) } : {};
  const { messageId } = await engine.request('sendMessage', { project: MAIN_PROJECT, text: prompt, ...answeredBy });
  const asked = new Set(questionsOf(engine.state).map(({ id }) => id));
  const outcome = await listen(context, messageId, asked, stream, token);
  if (outcome === 'cancelled') {
    await engine.request('stopTurn', { project: MAIN_PROJECT });
    stream.markdown(vscode.l10n.t('Stopped. What was done until then is in the conversation.'));
  } else if (outcome.parked !== null) {
    stream.markdown(vscode.l10n.t('It cannot answer: {0}', plainMarkdown(outcome.parked)));
  } else if (outcome.asks !== null) {
    const { question, detail } = outcome.asks;
    stream.markdown(vscode.l10n.t('It needs your input: {0}', plainMarkdown(`${question} ${glance(detail)}`)));
  }
  offerWhatWaits(context, stream);
}

interface Rest {
  readonly parked: string | null;
  /** About the main agent itself: its limit, or its provider. */
  readonly asks: ApprovalRow | null;
}

function questionsOf(state: State): ApprovalRow[] {
  return pendingApprovals(state).filter((row) => row.project_id === MAIN_PROJECT && row.job_id === null);
}

/** Returns null while the agent is working. */
function restOf(state: State, sent: number, askedBefore: ReadonlySet<number>): Rest | null {
  const main = state.projects.get(MAIN_PROJECT);
  if (main !== undefined && main.parked !== null) return { parked: main.parked, asks: null };
  const asks = questionsOf(state).find(({ id }) => !askedBefore.has(id)) ?? null;
  if (asks !== null) return { parked: null, asks };
  const isHeard = state.messages.get(sent)?.read_at != null;
  return isHeard && !unfinishedConversations(state).has(MAIN_PROJECT) ? { parked: null, asks: null } : null;
}

function saidSince({ messages }: State, last: number): MessageRow[] {
  return [...messages.values()].filter(
    ({ id, project_id, direction }) => id > last && project_id === MAIN_PROJECT && direction === 'out',
  );
}

/** Resolves when no more answers are expected. Marks the shown messages as read. */
function listen(
  { engine }: HostContext,
  sent: number,
  askedBefore: ReadonlySet<number>,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<Rest | 'cancelled'> {
  return new Promise((resolve, reject) => {
    let shown = sent;
    const look = (): void => {
      const said = saidSince(engine.state, shown);
      for (const { id, text } of said) {
        stream.markdown(`${text}\n\n`);
        shown = id;
      }
      if (said.length > 0) engine.request('markRead', { project: MAIN_PROJECT, upTo: shown }).catch(fail);
      const rest = restOf(engine.state, sent, askedBefore);
      if (rest !== null) end(rest);
    };
    const parts = vscode.Disposable.from(
      engine.onDidChange(look),
      engine.onDidLive(({ sessionId, text }) => {
        const session = sessionId === null ? undefined : engine.state.sessions.get(sessionId);
        if (session?.project_id === MAIN_PROJECT) stream.progress(plainWords(text));
      }),
      token.onCancellationRequested(() => end('cancelled')),
    );
    const end = (outcome: Rest | 'cancelled'): void => {
      parts.dispose();
      resolve(outcome);
    };
    const fail = (thrown: unknown): void => {
      parts.dispose();
      reject(thrown instanceof Error ? thrown : new Error(String(thrown)));
    };
    if (token.isCancellationRequested) end('cancelled');
    else look();
  });
}

/** Questions to the steward are answered in their own views, never in the chat. */
export function offerWhatWaits({ engine }: HostContext, stream: vscode.ChatResponseStream): void {
  const waiting = pendingApprovals(engine.state);
  const reviewable = waiting.find(({ commit }) => commit !== null);
  stream.button({ command: 'autonomous.openBoard', title: vscode.l10n.t('Open Board') });
  if (reviewable !== undefined) {
    stream.button({
      command: 'autonomous.reviewChanges',
      title: vscode.l10n.t('Review Changes'),
      arguments: [nameOf(reviewable)],
    });
  }
}
