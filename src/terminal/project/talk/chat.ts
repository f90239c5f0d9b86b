/** `chat`: a person talks to the main agent, line by line; or one message, its reply, and the end. */

import { resolve } from 'node:path';
import type { OwnerWork } from '../../../engine/workspace/workspace.ts';
import { canAsk } from '../../approval/approvalPrompts.ts';
import type { Context } from '../../screen/context.ts';
import { connect } from '../../screen/run/connection.ts';
import { watchStop } from '../../screen/run/stop.ts';
import { parseProvider, usage } from '../../text/parse.ts';
import { type Chat, type ChatStart, chatLoop } from './chatLoop.ts';
import { chatOnce } from './chatOnce.ts';

export interface ChatOptions {
  readonly message?: string;
  readonly provider?: string;
  readonly scenario?: string;
  readonly model?: string;
}

/** The provider of further answers, if the options set one. */
function startOf(context: Context, { provider, scenario, model }: ChatOptions): ChatStart {
  if (scenario !== undefined && provider === 'anthropic') throw usage('--scenario is only for --provider simulated');
  const isFile = scenario !== undefined && /[/\\]|\.(ya?ml|json)$/.test(scenario);
  const named = provider === undefined ? undefined : parseProvider(provider);
  return {
    ...(named === undefined && scenario === undefined ? {} : { provider: named ?? 'simulated' }),
    ...(scenario === undefined
      ? named === undefined
        ? {}
        : { scenario: null }
      : { scenario: isFile ? resolve(context.deps.cwd, scenario) : scenario }),
    ...(model === undefined ? {} : { model }),
  };
}

export async function chatVerb(context: Context, options: ChatOptions): Promise<number> {
  const start = startOf(context, options);
  const once = options.message ?? (canAsk(context) ? null : await typedMessage(context));
  if (once !== null && once.trim() === '')
    throw usage('there is nothing to say', 'Give it by --message, or on the input.');
  if (once === null) return talking(context, start, 'all', chatLoop);
  return talking(context, start, 'asked', (chat) => chatOnce(chat, once));
}

/** Reads the whole input. A person at a terminal that shows no chat, for example with TERM=dumb, gets a hint how to end it. */
async function typedMessage({ deps: { io } }: Context): Promise<string> {
  if (io.stdinIsTTY) io.err('Reading one message from the terminal. To send it, press Enter and then Ctrl-D.\n');
  return io.readStdin();
}

/** Reaches the owner, or is the owner for as long as `talk` takes, and then carries out `work`. */
export async function talking(
  context: Context,
  start: ChatStart,
  work: OwnerWork,
  talk: (chat: Chat) => Promise<number>,
): Promise<number> {
  const stop = watchStop(context.deps.signals);
  try {
    const connection = await stop.orKilled(connect(context, stop.bell, work));
    const told: string[] = [];
    try {
      return await talk({ context, connection, stop, start, told });
    } finally {
      await Promise.race([connection.close(told), stop.killed]);
    }
  } finally {
    stop.forget();
  }
}
