/**
 * Runs commands for an agent's terminals, under the command policy. Their output is available when they have ended,
 * because only then it is complete.
 */

import type {
  CreateTerminalRequest,
  TerminalOutputResponse,
  WaitForTerminalExitResponse,
} from '@agentclientprotocol/sdk';
import { RequestError } from '@agentclientprotocol/sdk';
import { shellQuote } from '../../core/text/shellQuote.ts';
import type { SessionCommands } from '../../engine/session/ports.ts';

/** Limits of one command: its time, and its total output. */
const MAX_MS = 30 * 60_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;
/** Limit of terminals, including those that have ended but are not released. */
const MAX_TERMINALS = 32;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

export interface Terminals {
  create(request: CreateTerminalRequest): string;
  output(id: string): TerminalOutputResponse;
  wait(id: string): Promise<WaitForTerminalExitResponse>;
  kill(id: string): void;
  /** Forgets the terminal; ends its command. */
  release(id: string): void;
  /** Whether a command runs. */
  busy(): boolean;
  /** Ends all terminals. */
  close(): Promise<void>;
}

interface Terminal {
  readonly stop: AbortController;
  readonly maxBytes: number;
  readonly done: Promise<WaitForTerminalExitResponse>;
  end: { readonly text: string; readonly exit: WaitForTerminalExitResponse } | null;
}

/** `clone`: the folder of commands that name none. */
export function openTerminals(clone: string, commands: SessionCommands): Terminals {
  const all = new Map<string, Terminal>();
  const running = new Set<Promise<unknown>>();
  let made = 0;
  const find = (id: string): Terminal => {
    const found = all.get(id);
    if (found === undefined) throw RequestError.resourceNotFound(id);
    return found;
  };
  return {
    create(request) {
      if (all.size >= MAX_TERMINALS) throw RequestError.invalidParams(undefined, 'too many terminals');
      const stop = new AbortController();
      const text = commandText(request, clone);
      const terminal: Terminal = {
        stop,
        maxBytes: Math.min(request.outputByteLimit ?? MAX_OUTPUT_BYTES, MAX_OUTPUT_BYTES),
        end: null,
        done: commands.run(text, { timeoutMs: MAX_MS, signal: stop.signal }).then(({ exitCode, ended, output }) => {
          const exit = { exitCode, signal: ended };
          terminal.end = { text: output, exit };
          return exit;
        }),
      };
      const id = `terminal-${++made}`;
      all.set(id, terminal);
      // The caller that awaits it receives a failure; here only its end matters.
      const over = terminal.done.catch(() => undefined).finally(() => running.delete(over));
      running.add(over);
      return id;
    },
    output(id) {
      const { end, maxBytes } = find(id);
      if (end === null) return { output: '', truncated: false };
      const kept = lastBytes(end.text, maxBytes);
      return { output: kept, truncated: kept !== end.text, exitStatus: end.exit };
    },
    wait: (id) => find(id).done,
    kill: (id) => find(id).stop.abort(),
    release(id) {
      find(id).stop.abort();
      all.delete(id);
    },
    busy: () => running.size > 0,
    async close() {
      for (const { stop } of all.values()) stop.abort();
      all.clear();
      await Promise.all(running);
    },
  };
}

/** In the form in which a person would write it, as in the list of commands that may run without a sandbox. */
function commandText({ command, args = [], env = [], cwd }: CreateTerminalRequest, clone: string): string {
  const words = args.length === 0 ? command : [command, ...args].map(quoted).join(' ');
  const odd = env.find(({ name }) => !NAME.test(name));
  if (odd !== undefined) throw RequestError.invalidParams(undefined, 'a variable has no name that a shell can export');
  const before = [
    ...(cwd === undefined || cwd === null || cwd === clone ? [] : [`cd ${quoted(cwd)}`]),
    ...env.map(({ name, value }) => `export ${name}=${quoted(value)}`),
  ];
  return [...before, words].join(' && ');
}

const quoted = (word: string): string => (/^[A-Za-z0-9_./:@%+,=-]+$/.test(word) ? word : shellQuote(word));

/** The end of a text, cut between characters. */
function lastBytes(text: string, max: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= max) return text;
  let start = bytes.length - max;
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.subarray(start).toString('utf8');
}
