/** A project's conversation for an editor: the workspace is reached, or owned, as long as the editor is connected. */

import { resolve } from 'node:path';
import { jobAsked, pendingApprovals } from '../../../core/approval/stewardship.ts';
import { oneByOne } from '../../../core/session/oneByOne.ts';
import { projectMessages } from '../../../core/state/rows.ts';
import { failure } from '../../../shared/errors.ts';
import { type LiveLine, WAITING } from '../../../shared/live.ts';
import type { ConversationListener, ProjectConversation, Said } from '../../../shared/project/projectConversation.ts';
import { DEFAULT_PROJECT } from '../../../shared/project/projects.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { approvalText, howToAnswer } from '../../approval/approvalText.ts';
import { type Context, command, inPlace } from '../../screen/context.ts';
import { type Connection, connect } from '../../screen/run/connection.ts';
import { sayResumed } from '../../screen/run/leaving.ts';
import type { Stop } from '../../screen/run/stop.ts';
import { conversationWaiting, waitReporter } from '../../screen/run/waits.ts';
import { visibleLine } from '../../text/visible.ts';
import type { Chat } from './chatLoop.ts';
import { type End, saidSince, waitForReply } from './waitForReply.ts';

/** Messages of a resumed conversation that are shown. */
const RECENT = 50;

export interface EditorConversation extends ProjectConversation {
  close(): Promise<void>;
}

/** Without `--project-dir`, the first folder of an editor is the workspace. */
export function editorTalk(context: Context, project: string, stop: Stop): EditorConversation {
  const { place } = context.workspace;
  const isGiven = place.folder !== context.deps.cwd;
  let opened: { readonly folder: string; readonly talk: Promise<OneConversation> } | null = null;
  const reached = async (): Promise<OneConversation> => {
    if (opened === null) throw failure('NOT_FOUND', 'there is no session yet');
    return opened.talk;
  };
  return {
    open: async (folder) => {
      const workspace = isGiven ? place.folder : resolve(folder);
      if (opened !== null && opened.folder !== workspace) {
        throw failure('NOT_PERMITTED', `this process speaks for ${opened.folder}, not for ${workspace}`, {
          hint: 'Start another one there.',
        });
      }
      const talk = opened?.talk ?? openTalk(inPlace(context, { ...place, folder: workspace }), project, stop);
      opened = { folder: workspace, talk };
      try {
        await talk;
      } catch (thrown) {
        // Tried again with the next session.
        opened = null;
        throw thrown;
      }
      return project;
    },
    recent: async (of) => (await reached()).recent(of),
    say: async (of, text, ears, signal) => (await reached()).say(of, text, ears, signal),
    close: async () => (await opened?.talk)?.close(),
  };
}

type OneConversation = Omit<EditorConversation, 'open'>;

async function openTalk(context: Context, project: string, stop: Stop): Promise<OneConversation> {
  const connection = await stop.orKilled(connect(context, stop.bell));
  if (project !== DEFAULT_PROJECT && !connection.state.projects.has(project)) {
    // Without this the connection stays open: this process may own the workspace, and would keep it long after its editor ended.
    await connection.close();
    throw failure('NOT_FOUND', `there is no project ${visibleLine(project)}`, {
      hint: `See: ${command(context, 'project list')}`,
    });
  }
  const resumed = (): Promise<void> =>
    sayResumed(connection.engine, (text) => context.deps.io.err(`autonomous: ${text}\n`));
  await resumed();
  const chat: Chat = { context, connection, stop, start: {}, told: [] };
  const lines = new ConversationLines(chat, project, resumed);
  connection.listen({ live: (line) => lines.live(line) });
  // There is one conversation: a message that arrives during an answer waits for the answer's end.
  const inTurn = oneByOne();
  return {
    recent: async (of) => {
      if (of !== project) throw failure('NOT_FOUND', `${project} is spoken with here, not ${of}`);
      const messages = projectMessages(connection.state, project);
      return messages.slice(-RECENT).map(({ direction, id, text }) => ({ direction, id, text }));
    },
    say: (_project, text, ears, signal) => inTurn(() => lines.say(text, ears, signal)),
    close: () => connection.close(),
  };
}

/** Collects the updates of the conversation so far. */
class ConversationLines {
  readonly #chat: Chat;
  readonly #project: string;
  readonly #asked = new Set<number>();
  /** Logs what this process resumed when it became the owner. */
  readonly #resumed: () => Promise<void>;
  #ears: ConversationListener | null = null;
  #heard: number;

  constructor(chat: Chat, project: string, resumed: () => Promise<void>) {
    this.#resumed = resumed;
    this.#chat = chat;
    this.#project = project;
    this.#heard = projectMessages(chat.connection.state, project).at(-1)?.id ?? 0;
  }

  get #connection(): Connection {
    return this.#chat.connection;
  }

  async say(text: string, ears: ConversationListener, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    if (this.#connection.lost !== null) {
      await this.#chat.stop.orKilled(this.#connection.reopen());
      await this.#resumed();
    }
    this.#ears = ears;
    try {
      const { messageId } = await this.#connection.engine.request('sendMessage', { project: this.#project, text });
      const { context } = this.#chat;
      const waits = waitReporter(
        context,
        { of: 'project', id: this.#project, projectId: this.#project },
        () => conversationWaiting(this.#connection.state, this.#project),
        (_, told) => ears.doing(told),
      );
      const looked = (): void => {
        this.#tell(ears);
        waits.look();
      };
      const end = await waitForReply(this.#chat, { project: this.#project, sent: messageId, looked, signal });
      if (end !== null) await this.#ended(ears, end);
      else if (this.#connection.lost === null)
        await this.#connection.engine.request('stopTurn', { project: this.#project });
    } finally {
      this.#ears = null;
    }
  }

  live({ sessionId, jobId, text }: LiveLine): void {
    if (text === WAITING) return;
    const { sessions, jobs } = this.#connection.state;
    const session = sessionId === null ? undefined : sessions.get(sessionId);
    if ((session?.project_id ?? jobs.get(jobId)?.project_id) === this.#project) this.#ears?.doing(text);
  }

  #tell(ears: ConversationListener): void {
    for (const { id, text } of saidSince(this.#connection.state, this.#project, this.#heard)) {
      this.#heard = id;
      ears.said({ direction: 'out', id, text });
    }
  }

  async #ended(ears: ConversationListener, end: End): Promise<void> {
    this.#tell(ears);
    const { state, engine } = this.#connection;
    if (end.kind === 'parked') ears.said({ direction: 'out', id: null, text: `It cannot continue: ${end.reason}` });
    for (const question of this.#questions(state)) ears.said(question);
    const unread = projectMessages(state, this.#project).some((row) => row.direction === 'out' && row.read_at === null);
    if (unread) await engine.request('markRead', { project: this.#project, upTo: this.#heard });
  }

  /** Each question is shown once, with the commands that answer it. The conversation cannot approve. */
  #questions(state: State): Said[] {
    const { context } = this.#chat;
    const open = pendingApprovals(state).filter(
      ({ id, project_id }) => project_id === this.#project && !this.#asked.has(id),
    );
    return open.map((row) => {
      this.#asked.add(row.id);
      const text = `${approvalText(context, row, jobAsked(state, row), state)}\n${howToAnswer(context, row, state)}`;
      return { direction: 'out', id: null, text };
    });
  }
}
