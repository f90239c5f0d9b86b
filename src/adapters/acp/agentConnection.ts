/** Connects to an agent's process: requests end with the process, and its exit is translated into a failure. */
import { type AcpConnection, type ClientApp, type ClientContext, RequestError } from '@agentclientprotocol/sdk';
import { type AgentNames, endFailure, floodFailure, silenceFailure } from '../../core/agent/agentFaults.ts';
import type { InteractiveProcess } from '../../engine/session/commandPorts.ts';
import type { Clock } from '../../shared/clock.ts';
import { failure, findFailure } from '../../shared/errors.ts';
import { answerFailure } from './handshake.ts';
import { openWire } from './wire.ts';

/** Time limit for the end of a process whose stdout is closed. */
const END_MS = 5_000;

export interface AgentConnectionOptions {
  readonly clock: Clock;
  readonly names: AgentNames;
  readonly command: InteractiveProcess;
  readonly app: ClientApp;
  /** Called when bytes arrive. */
  sign(): void;
  /** `params` of a `session/update`. */
  told(params: Readonly<Record<string, unknown>>): void;
}

export interface AgentConnection {
  readonly agent: ClientContext;
  /** Called after its first answer: an exit before that means that the agent could not start. */
  spoke(): void;
  /** The failure behind a failed request. */
  meaning(thrown: unknown, inTurn: boolean): Promise<unknown>;
  /** Runs a request before a turn: fails if the connection ends, with silence, or with the abort. */
  inTime<Value>(ms: number, signal: AbortSignal, work: () => Promise<Value>): Promise<Value>;
  /** Ends the connection: pending requests fail with this, and the process is ended. */
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
