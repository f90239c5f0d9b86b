/**
 * Serves a project's conversation to editors that use ACP, over two streams, in the role of the agent. It requests no
 * permission and grants none.
 */
import { randomUUID } from 'node:crypto';
import { isAbsolute } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  type AgentContext,
  agent,
  type ContentBlock,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
} from '@agentclientprotocol/sdk';
import { findFailure, messageOf } from '../../shared/errors.ts';
import type { ProjectConversation, Said } from '../../shared/project/projectConversation.ts';

const INTERNAL_ERROR = -32_603;

export interface ServeAcpOptions {
  readonly version: string;
  readonly input: Readable;
  /** Receives only messages of the protocol. */
  readonly output: Writable;
  readonly talk: ProjectConversation;
  /** Logs bugs and faults of the connection, which the editor does not receive. */
  failed(thrown: unknown): void;
}

export interface AcpServing {
  /** Resolves when the editor has disconnected. */
  readonly ended: Promise<void>;
  close(): void;
}

interface Session {
  readonly project: string;
  /** Aborts the running prompt; null between prompts. */
  hearing: AbortController | null;
}

export function serveAcp(options: ServeAcpOptions): AcpServing {
  const sessions = new Map<string, Session>();
  const connection = app(options, sessions).connect(
    ndJsonStream(
      Writable.toWeb(options.output) as WritableStream<Uint8Array>,
      Readable.toWeb(options.input) as ReadableStream<Uint8Array>,
    ),
  );
  const ended = connection.closed.then(() => {
    for (const { hearing } of sessions.values()) hearing?.abort();
  });
  return { ended, close: () => connection.close() };
}

function app(options: ServeAcpOptions, sessions: Map<string, Session>) {
  const { talk, version } = options;
  const told = telling(options);
  return agent({ name: 'autonomous' })
    .onRequest('initialize', () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'autonomous', title: 'Autonomous', version },
      agentCapabilities: { loadSession: true },
      authMethods: [],
    }))
    .onRequest('session/new', ({ params }) =>
      told(async () => {
        const project = await talk.open(absolute(params.cwd));
        // A project's name has no colon. Sessions of one project are the same conversation, seen several times.
        const sessionId = `${project}:${randomUUID()}`;
        sessions.set(sessionId, { project, hearing: null });
        return { sessionId };
      }),
    )
    .onRequest('session/load', ({ params: { sessionId, cwd }, client }) =>
      told(async () => {
        const [project = ''] = sessionId.split(':');
        await talk.open(absolute(cwd));
        const said = await talk.recent(project);
        sessions.set(sessionId, { project, hearing: null });
        for (const message of said) await tell(client, sessionId, message);
        return {};
      }),
    )
    .onRequest('session/prompt', ({ params: { sessionId, prompt }, client }) =>
      told(() => answer(talk, known(sessions, sessionId), { sessionId, text: textOf(prompt), client })),
    )
    .onNotification('session/cancel', ({ params }) => sessions.get(params.sessionId)?.hearing?.abort());
}

/** The protocol requires an absolute path: a relative one would mean another folder here than for the editor. */
function absolute(cwd: string): string {
  if (isAbsolute(cwd)) return cwd;
  throw RequestError.invalidParams(undefined, `cwd must be an absolute path, not ${JSON.stringify(cwd)}`);
}

function known(sessions: ReadonlyMap<string, Session>, id: string): Session {
  const session = sessions.get(id);
  if (session === undefined) throw RequestError.sessionNotFound(id);
  return session;
}

interface Prompt {
  readonly sessionId: string;
  readonly text: string;
  readonly client: AgentContext;
}

async function answer(talk: ProjectConversation, session: Session, { sessionId, text, client }: Prompt) {
  if (session.hearing !== null)
    throw RequestError.invalidRequest(undefined, 'a prompt is already running in this session');
  const hearing = new AbortController();
  session.hearing = hearing;
  // In order, and each before the turn ends.
  let sent: Promise<void> = Promise.resolve();
  const ears = {
    said: (message: Said): void => {
      sent = sent.then(() => tell(client, sessionId, message));
    },
    doing: (line: string): void => {
      const content = { type: 'text', text: `${line}\n` } as const;
      sent = sent.then(() => update(client, sessionId, { sessionUpdate: 'agent_thought_chunk', content }));
    },
  };
  try {
    await talk.say(session.project, text, ears, hearing.signal);
    await sent;
    return { stopReason: hearing.signal.aborted ? ('cancelled' as const) : ('end_turn' as const) };
  } finally {
    session.hearing = null;
    // A message that could not be sent has no reader.
    await sent.catch(() => undefined);
  }
}

type Update = Parameters<typeof update>[2];

const update = (
  client: AgentContext,
  sessionId: string,
  what: {
    readonly sessionUpdate: 'agent_message_chunk' | 'user_message_chunk' | 'agent_thought_chunk';
    readonly content: { readonly type: 'text'; readonly text: string };
    readonly messageId?: string;
  },
): Promise<void> => client.notify('session/update', { sessionId, update: what });

function tell(client: AgentContext, sessionId: string, { direction, id, text }: Said): Promise<void> {
  const what: Update = {
    sessionUpdate: direction === 'in' ? 'user_message_chunk' : 'agent_message_chunk',
    ...(id === null ? {} : { messageId: String(id) }),
    // A client may join later messages to this one: each is a separate paragraph.
    content: { type: 'text', text: `${text}\n\n` },
  };
  return update(client, sessionId, what);
}

/** Links are named; content types that were not announced are refused. */
function textOf(prompt: readonly ContentBlock[]): string {
  const parts = prompt.map((block) => {
    if (block.type === 'text') return block.text;
    if (block.type === 'resource_link') return `[${block.name}](${block.uri})`;
    throw RequestError.invalidParams(undefined, `a prompt is text and links here, not ${block.type}`);
  });
  return parts.join('\n');
}

/** A refusal is answered with its reason and hint; a bug is also logged. */
function telling({ failed }: ServeAcpOptions) {
  return async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof RequestError) && findFailure(thrown) === undefined) failed(thrown);
      throw refusal(thrown);
    }
  };
}

function refusal(thrown: unknown): RequestError {
  if (thrown instanceof RequestError) return thrown;
  const refused = findFailure(thrown);
  const words = [messageOf(refused ?? thrown), refused?.hint ?? ''].filter((part) => part !== '');
  return new RequestError(INTERNAL_ERROR, words.join('. '), refused === undefined ? undefined : { code: refused.code });
}
