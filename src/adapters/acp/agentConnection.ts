/** A connection with an agent's process: requests that end when it does, and what its end means. */
import { type AcpConnection, type ClientApp, type ClientContext, RequestError } from '@agentclientprotocol/sdk';
import { type AgentNames, endFailure, floodFailure, silenceFailure } from '../../core/agent/agentFaults.ts';
import type { InteractiveProcess } from '../../engine/session/commandPorts.ts';
import type { Clock } from '../../shared/clock.ts';
import { failure, findFailure } from '../../shared/errors.ts';
import { answerFailure } from './handshake.ts';
import { openWire } from './wire.ts';

/** How long a process whose stdout is closed may take to be gone. */
const END_MS = 5_000;

export interface AgentConnectionOptions {
  readonly clock: Clock;
  readonly names: AgentNames;
  readonly command: InteractiveProcess;
  readonly app: ClientApp;
  /** Bytes came. */
  sign(): void;
  /** `params` of a `session/update`. */
  told(params: Readonly<Record<string, unknown>>): void;
}

export interface AgentConnection {
  readonly agent: ClientContext;
  /** It has answered something: an end after that is a death. */
  spoke(): void;
  /** The failure behind a failed request. */
  meaning(thrown: unknown, inTurn: boolean): Promise<unknown>;
  /** Runs a request before a turn: fails if the connection ends, with silence, or with the abort. */
  inTime<Value>(ms: number, signal: AbortSignal, work: () => Promise<Value>): Promise<Value>;
  /** Gives up with this: all that is asked fails with it, and the process is ended. */
  breakOff(why: unknown): void;
  /** Ends the process, and resolves when it and its children have ended. */
  close(): Promise<void>;
}

export function openAgentConnection({
  clock,
  names,
  command,
  app,
  sign,
  told,
}: AgentConnectionOptions): AgentConnection {
  const stream = openWire(command, {
    sign,
    told,
    tooMuch: () => floodFailure(names),
    strange: (line) =>
      failure('AGENT_UNUSABLE', `${names.title} does not speak the Agent Client Protocol; it says: ${line}`, {
        hint: `See ${names.url}.`,
      }),
  });
  const connection: AcpConnection & { readonly agent: ClientContext } = app.connect(stream);
  let hasSpoken = false;

  async function end(): Promise<unknown> {
    const known = findFailure(connection.signal.reason);
    if (known !== undefined) return known;
    let closed = false;
    const cancel = clock.timer(END_MS, () => {
      closed = true;
      void command.end();
    });
    const { exitCode, ended } = await command.ended;
    cancel();
    const how = closed ? 'it closed its output' : ended;
    return endFailure(names, { exitCode, ended: how, complaints: command.complaints() }, hasSpoken);
  }

  const breakOff = (why: unknown): void => {
    connection.close(why);
    void command.end();
  };
  const meaning = async (thrown: unknown, inTurn: boolean): Promise<unknown> =>
    connection.signal.aborted && !(thrown instanceof RequestError) ? end() : answerFailure(names, thrown, inTurn);

  return {
    agent: connection.agent,
    spoke: () => {
      hasSpoken = true;
    },
    meaning,
    async inTime(ms, signal, work) {
      const stop = (): void => breakOff(failure('ABORTED', `${names.title} was not waited for`));
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop, { once: true });
      const cancel = clock.timer(ms, () => breakOff(silenceFailure(names, ms)));
      try {
        return await work();
      } catch (thrown) {
        throw await meaning(thrown, false);
      } finally {
        cancel();
        signal.removeEventListener('abort', stop);
      }
    },
    breakOff,
    async close() {
      connection.close();
      await command.end();
    },
  };
}
