/** Runs an agent over the Agent Client Protocol, over the streams of its process: one conversation, turn by turn. */
import * as acp from '@agentclientprotocol/sdk';
import { type AgentNames, silenceFailure } from '../../core/agent/agentFaults.ts';
import { AGENT_SILENCE_MS, type SilenceWatch, watchSilence } from '../../core/agent/silence.ts';
import { isFields } from '../../core/text/json.ts';
import type { AgentFacts, AgentOrder, RunningAgent } from '../../engine/agent/ports.ts';
import type { InteractiveProcess } from '../../engine/session/commandPorts.ts';
import type { SessionCommands, TreeFiles } from '../../engine/session/ports.ts';
import type { Clock } from '../../shared/clock.ts';
import { type AgentConnection, openAgentConnection } from './agentConnection.ts';
import { type CloneFiles, cloneFiles } from './cloneFiles.ts';
import { beginConversation, type Conversation } from './conversation.ts';
import { shakeHands } from './handshake.ts';
import { type Grounds, openDoorkeeper } from './permission.ts';
import { openTerminals } from './terminals.ts';
import { openTurns } from './turns.ts';

/** Times in ms. */
export interface AcpTimes {
  /** Limit without a byte while a turn runs and the agent is not waiting for the engine. */
  readonly silence: number;
  /** Limit of the handshake, and of opening the conversation. */
  readonly answer: number;
  /** Time between a cancel and the end of its process: less than a stopping thread has. */
  readonly grace: number;
}

const TIMES: AcpTimes = { silence: AGENT_SILENCE_MS, answer: 120_000, grace: 2_000 };

export interface AcpAgentOptions {
  readonly clock: Clock;
  /** Version of Autonomous. */
  readonly version: string;
  readonly name: string;
  readonly names: AgentNames;
  /** The mode to request, if the agent has it. */
  readonly mode: string | null;
  readonly command: InteractiveProcess;
  readonly order: AgentOrder;
  /** Files of its clone. */
  readonly files: TreeFiles;
  readonly world: Pick<Grounds, 'allowed' | 'mayRun'> & { readonly commands: SessionCommands };
  /** The MCP server of its session. */
  readonly tools: { readonly command: string; readonly env: Readonly<Record<string, string>> };
  /** Whether a model call for this agent is running. */
  calling(): boolean;
  readonly times?: Partial<AcpTimes>;
}

/** Throws the failures of `OpenAgent`, except those of its process and its entry; the process is ended then. */
export async function openAcpAgent(options: AcpAgentOptions): Promise<RunningAgent> {
  const { clock, order, names, command, world } = options;
  const times = { ...TIMES, ...options.times };
  const doorkeeper = openDoorkeeper({
    allowed: world.allowed,
    mayRun: (text) => world.mayRun(text),
    sandboxed: command.sandboxed,
    writes: order.writes,
    wayInto: (path) => options.files.wayInto(path, [order.workdir, command.home]),
  });
  const terminals = openTerminals(order.workdir, world.commands);
  const turns = openTurns(order);
  let watch: SilenceWatch | null = null;
  const talk = openAgentConnection({
    clock,
    names,
    command,
    app: clientApp({ files: cloneFiles(options.files, order.writes), doorkeeper, terminals, turnSignal: turns.signal }),
    sign: () => watch?.sign(),
    told: ({ update }) => {
      if (!isFields(update)) return;
      if ('toolCallId' in update) doorkeeper.told(update);
      turns.told(update);
    },
  });
  const busy = (): boolean => options.calling() || terminals.busy() || doorkeeper.asking();
  const close = async (): Promise<void> => {
    watch?.stop();
    await talk.close();
    await terminals.close();
  };

  const { facts, conversation } = await introduced(talk, options, times.answer).catch(async (thrown: unknown) => {
    await close();
    throw thrown;
  });
  return {
    facts,
    conversation: conversation.canResume ? conversation.id : null,
    async prompt(text, signal) {
      watch = watchSilence(clock, {
        ms: times.silence,
        busy,
        fallen: () => talk.breakOff(silenceFailure(names, times.silence)),
      });
      try {
        const opening = conversation.resumed || turns.count() > 0 ? '' : `${order.system}\n\n`;
        return await turns.run(talk, {
          clock,
          grace: times.grace,
          id: conversation.id,
          text: `${opening}${text}`,
          signal,
        });
      } finally {
        watch.stop();
      }
    },
    close,
  };
}

/** Performs the handshake and opens the one conversation. */
async function introduced(
  talk: AgentConnection,
  options: AcpAgentOptions,
  answerMs: number,
): Promise<{ readonly facts: AgentFacts; readonly conversation: Conversation }> {
  const { name, names, order, version } = options;
  const hello = await talk.inTime(answerMs, order.signal, () =>
    shakeHands(talk.agent, names, { version, works: true }),
  );
  talk.spoke();
  const conversation = await talk.inTime(answerMs, order.signal, () => beginConversation(talk.agent, hello, options));
  const theirs = hello.agentInfo?.version ?? null;
  const { resumed } = conversation;
  return {
    facts: { name, title: names.title, version: theirs, protocol: hello.protocolVersion, resumed },
    conversation,
  };
}

/** Methods that the agent may call. Any other call is answered with "method not found". */
function clientApp({
  files,
  doorkeeper,
  terminals,
  turnSignal,
}: {
  readonly files: CloneFiles;
  readonly doorkeeper: ReturnType<typeof openDoorkeeper>;
  readonly terminals: ReturnType<typeof openTerminals>;
  turnSignal(): AbortSignal;
}): acp.ClientApp {
  const { fs, terminal, session } = acp.methods.client;
  return acp
    .client({ name: 'autonomous' })
    .onRequest(session.requestPermission, ({ params }) => doorkeeper.answer(params, turnSignal()))
    .onRequest(fs.readTextFile, async ({ params: { path, line = null, limit = null } }) => ({
      content: await files.read(path, line, limit),
    }))
    .onRequest(fs.writeTextFile, async ({ params }) => {
      await files.write(params.path, params.content);
      return {};
    })
    .onRequest(terminal.create, ({ params }) => ({ terminalId: terminals.create(params) }))
    .onRequest(terminal.output, ({ params }) => terminals.output(params.terminalId))
    .onRequest(terminal.waitForExit, ({ params }) => terminals.wait(params.terminalId))
    .onRequest(terminal.kill, ({ params }) => {
      terminals.kill(params.terminalId);
      return {};
    })
    .onRequest(terminal.release, ({ params }) => {
      terminals.release(params.terminalId);
      return {};
    });
}
