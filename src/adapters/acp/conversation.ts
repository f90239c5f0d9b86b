/**
 * Opens the one conversation with an agent: resumed if possible, otherwise new, in the requested mode and with the
 * requested model.
 */
import {
  type ClientContext,
  type InitializeResponse,
  type McpServer,
  methods,
  type NewSessionRequest,
  type NewSessionResponse,
  RequestError,
  type SessionConfigOption,
} from '@agentclientprotocol/sdk';
import type { AgentOrder } from '../../engine/agent/ports.ts';
import { AUTH_REQUIRED } from './handshake.ts';

export interface Conversation {
  readonly id: string;
  readonly resumed: boolean;
  readonly canResume: boolean;
}

interface Wanted {
  readonly order: Pick<AgentOrder, 'workdir' | 'resume' | 'model'>;
  readonly mode: string | null;
  readonly tools: { readonly command: string; readonly env: Readonly<Record<string, string>> };
}

type Opened = Pick<NewSessionResponse, 'modes' | 'configOptions'>;

export async function beginConversation(
  agent: ClientContext,
  hello: InitializeResponse,
  { order, mode, tools }: Wanted,
): Promise<Conversation> {
  const { loadSession = false, sessionCapabilities } = hello.agentCapabilities ?? {};
  const resumes = sessionCapabilities?.resume !== undefined && sessionCapabilities.resume !== null;
  const env = Object.entries(tools.env).map(([name, value]) => ({ name, value }));
  const server: McpServer = { name: 'autonomous', command: tools.command, args: ['mcp'], env };
  const place: NewSessionRequest = { cwd: order.workdir, mcpServers: [server] };
  const canResume = resumes || loadSession;

  let resumed: NewSessionResponse | null = null;
  if (order.resume !== null && canResume) {
    const request = { ...place, sessionId: order.resume };
    const opened = await unlessForgotten(agent.request(resumes ? 'session/resume' : 'session/load', request));
    if (opened !== null) resumed = { ...opened, sessionId: order.resume };
  }
  const conversation: NewSessionResponse = resumed ?? (await agent.request(methods.agent.session.new, place));
  const { sessionId } = conversation;
  await setMode(agent, sessionId, conversation, mode);
  await setModel(agent, sessionId, conversation, order.model);
  return { id: sessionId, resumed: resumed !== null, canResume };
}

/** Returns null if the agent cannot resume the conversation. Agents report this in different ways. */
async function unlessForgotten(opening: Promise<Opened>): Promise<Opened | null> {
  try {
    return await opening;
  } catch (thrown) {
    if (thrown instanceof RequestError && thrown.code !== AUTH_REQUIRED) return null;
    throw thrown;
  }
}

async function setMode(agent: ClientContext, sessionId: string, { modes }: Opened, mode: string | null): Promise<void> {
  if (mode === null || modes?.currentModeId === mode) return;
  const has = modes?.availableModes.some(({ id }) => id === mode) === true;
  if (has) await agent.request('session/set_mode', { sessionId, modeId: mode });
}

/**
 * Only if the model is one of the agent's options. A model that it knows from its environment is the entry's
 * responsibility.
 */
async function setModel(agent: ClientContext, sessionId: string, opened: Opened, model: string): Promise<void> {
  const option = opened.configOptions?.find(({ id, category }) => category === 'model' || id === 'model');
  if (option === undefined || option.type !== 'select' || option.currentValue === model) return;
  if (valuesOf(option).includes(model)) {
    await agent.request('session/set_config_option', { sessionId, configId: option.id, value: model });
  }
}

function valuesOf(option: Extract<SessionConfigOption, { readonly type: 'select' }>): string[] {
  return option.options.flatMap((one) => ('group' in one ? one.options.map(({ value }) => value) : [one.value]));
}
