/**
 * Runs an agent without a protocol: one process for each turn, from the command template of its entry. The agent has no
 * memory, so each prompt after the first starts with the last answer.
 */

import {
  endFailure,
  floodFailure,
  lastWords,
  loginFailure,
  saysLogin,
  silenceFailure,
} from '../../core/agent/agentFaults.ts';
import { filled, type TemplateValues } from '../../core/agent/agentTemplate.ts';
import { AGENT_SILENCE_MS, watchSilence } from '../../core/agent/silence.ts';
import type { AgentOrder, RunningAgent, TurnEnd } from '../../engine/agent/ports.ts';
import type { InteractiveProcess } from '../../engine/session/commandPorts.ts';
import type { AgentEntry } from '../../shared/agent/executorSchemas.ts';
import type { Clock } from '../../shared/clock.ts';
import { failure } from '../../shared/errors.ts';
import { type AnswerReader, readAnswer } from './answer.ts';

/** Length of an argument that every system accepts, with space for the other arguments. */
const MAX_ARGUMENT_BYTES = 100_000;

export interface AgentCommandOptions {
  readonly clock: Clock;
  readonly name: string;
  readonly entry: AgentEntry;
  readonly order: Pick<AgentOrder, 'system' | 'heard'>;
  readonly values: TemplateValues;
  /** Whether a model call for this agent is running. */
  calling(): boolean;
  /** Writes a long prompt to a file that the agent can read; returns the path. */
  promptFile(text: string): Promise<string>;
  start(argv: readonly string[]): Promise<InteractiveProcess>;
  readonly silenceMs?: number;
}

export function openAgentCommand(options: AgentCommandOptions): RunningAgent {
  const { name, entry, order, start } = options;
  let running: InteractiveProcess | null = null;
  let before = '';
  let isClosed = false;
  return {
    facts: { name, title: entry.title, version: null, protocol: null, resumed: false },
    conversation: null,
    async prompt(text, signal) {
      if (running !== null || isClosed) throw new Error('a turn is running, or the agent is closed');
      if (signal.aborted) return cancelled();
      const whole = [before === '' ? order.system : spokenBefore(order.system, before), text].join('\n\n');
      const { argv, stdin } = await worded(options, whole);
      const command = await start(argv);
      running = command;
      try {
        const end = await turn(options, command, stdin, signal);
        before = end.text;
        return end;
      } finally {
        running = null;
        await command.end();
      }
    },
    async close() {
      isClosed = true;
      await running?.end();
    },
  };
}

const cancelled = (): TurnEnd => ({ reason: 'cancelled', text: '', usage: null, costMicroUsd: null });

const spokenBefore = (system: string, words: string): string =>
  `${system}\n\nYou worked on this before. Your last words were:\n${words}\n\nYour instructions now are:`;

/**
 * Passes the prompt as an argument, in a file that an argument names, or on stdin if the template has no placeholder
 * for it.
 */
async function worded(
  { entry, values, promptFile }: AgentCommandOptions,
  prompt: string,
): Promise<{ readonly argv: readonly string[]; readonly stdin: string }> {
  const takesPrompt = entry.argv.some((word) => word.includes('{prompt}'));
  if (!takesPrompt) return { argv: entry.argv.map((word) => filled(word, values)), stdin: prompt };
  const isLong = Buffer.byteLength(prompt) > MAX_ARGUMENT_BYTES;
  const given = isLong ? `Read the whole file ${await promptFile(prompt)} and follow it.` : prompt;
  return { argv: entry.argv.map((word) => filled(word, { ...values, prompt: given })), stdin: '' };
}

async function turn(
  options: AgentCommandOptions,
  command: InteractiveProcess,
  stdin: string,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const { clock, entry, order, calling, silenceMs = AGENT_SILENCE_MS } = options;
  const reader = readAnswer(entry, (update) => order.heard(update));
  let broken: unknown = null;
  const breakOff = (why: unknown): void => {
    broken ??= why;
    void command.end();
  };
  const watch = watchSilence(clock, {
    ms: silenceMs,
    busy: calling,
    fallen: () => breakOff(silenceFailure(entry, silenceMs)),
  });
  const cancel = (): void => breakOff(null);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    await Promise.all([
      send(command, stdin),
      read(command, (piece) => {
        watch.sign();
        if (!reader.take(piece)) breakOff(floodFailure(entry));
      }),
    ]);
    const end = await command.ended;
    if (signal.aborted) return cancelled();
    if (broken !== null) throw broken;
    return concluded(entry, reader, { ...end, complaints: command.complaints() });
  } finally {
    watch.stop();
    signal.removeEventListener('abort', cancel);
  }
}

/** Its stdin is closed after the prompt, so that the agent does not wait for more input. */
async function send({ input }: InteractiveProcess, text: string): Promise<void> {
  const writer = input.getWriter();
  try {
    if (text !== '') await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    // The process may have exited or may not read its input: only its output and its exit count.
  }
}

async function read({ output }: InteractiveProcess, take: (piece: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  for await (const bytes of output) take(decoder.decode(bytes, { stream: true }));
}

function concluded(
  entry: AgentEntry,
  reader: AnswerReader,
  end: { readonly exitCode: number | null; readonly ended: string | null; readonly complaints: string },
): TurnEnd {
  const { exitCode, complaints } = end;
  const meaning =
    end.ended !== null ? 'broken' : (entry.exits[String(exitCode)] ?? (exitCode === 0 ? 'done' : 'broken'));
  const answer = reader.answer();
  const said = lastWords(complaints);
  if (meaning === 'login' || (meaning !== 'done' && saysLogin(entry, `${complaints}\n${answer?.text ?? ''}`))) {
    throw loginFailure(entry, said);
  }
  if (meaning === 'broken') throw endFailure(entry, end, reader.known());
  if (answer !== null) return { reason: 'end', ...answer };
  // The agent reports its failure itself and need not add a text.
  if (meaning === 'failed') return { reason: 'end', text: said, usage: null, costMicroUsd: null };
  throw failure('AGENT_UNUSABLE', `${entry.title} answered in an unknown format${said === '' ? '' : `: ${said}`}`, {
    hint: `Look at "output" and "field" of its line; see ${entry.url}.`,
  });
}
