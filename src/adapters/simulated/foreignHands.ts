/**
 * Translates a scripted call of a built-in tool into calls that an external agent offers. Scenarios are written for the
 * built-in agent; this lets another one do the same work with its own tools.
 */

import { z } from 'zod';
import { shellQuote } from '../../core/text/shellQuote.ts';
import type { Assignment } from '../../shared/workspace/assignment.ts';
import type { MessagesRequest } from './request.ts';
import type { Call, Turn } from './scenario.ts';

type Tool = MessagesRequest['tools'][number];
type Input = Call['input'];
/** The replacement of a call; null if these tools have no equivalent. */
type Hand = (call: Call, offered: readonly Tool[], assignment: Assignment) => readonly Call[] | null;

/**
 * Tools by which a session of the built-in agent submits its answer: a request without these tools comes from an
 * external agent.
 */
const ANSWERS = ['report', 'submit_plan', 'submit_verdict'];

export function isForeign({ tools }: MessagesRequest): boolean {
  return tools.length > 0 && !tools.some(({ name }) => name !== undefined && ANSWERS.includes(name));
}

/**
 * The turn with calls of offered tools; a call without an equivalent is left out, and a turn without any calls gets a
 * text that reports this.
 */
export function withForeignHands(turn: Turn, assignment: Assignment, offered: readonly Tool[]): Turn {
  const calls = turn.calls.flatMap((call) => firstThatCan(call, offered, assignment));
  const text = turn.text === '' && calls.length === 0 ? 'There is no tool for this (simulated).' : turn.text;
  return { text, calls };
}

function firstThatCan(...asked: Parameters<Hand>): readonly Call[] {
  for (const hand of [offeredAsItIs, overMcp, claudeCode, cline, byShell]) {
    const calls = hand(...asked);
    if (calls !== null) return calls;
  }
  return [];
}

/** A tool with the same name that accepts every field: another agent's `write` may require a `filePath`. */
const offeredAsItIs: Hand = (call, offered) => {
  const places = workspacePathsOf(offered.find(({ name }) => name === call.tool));
  return places !== null && Object.keys(call.input).every((key) => key in places) ? [call] : null;
};

/** Agents prefix a tool with the server's name: `mcp__autonomous__report`, `autonomous_report`, `autonomous.report`. */
const overMcp: Hand = ({ tool, input }, offered) => {
  const found = offered.find(({ name = '' }) => /^(?:mcp[^a-z]+)?autonomous[^a-z]+(.+)$/.exec(name)?.[1] === tool);
  return found?.name === undefined ? null : [{ tool: found.name, input }];
};

/** It writes and edits only files that it has read: reading a file that does not exist yet does no harm. */
const claudeCode: Hand = ({ tool, input }, offered) => {
  if (!['Bash', 'Read', 'Write', 'Edit'].every((name) => has(offered, name))) return null;
  const { file_path = '' } = input;
  const read: Call = { tool: 'Read', input: { file_path } };
  if (tool === 'read') return [read];
  if (tool === 'write') return [read, { tool: 'Write', input }];
  if (tool === 'edit') return [read, ...editsOf(input).map((one) => ({ tool: 'Edit', input: { file_path, ...one } }))];
  return null;
};

/** Its editor creates files and replaces text, but never a whole file: the shell does that. */
const cline: Hand = ({ tool, input }, offered) => {
  if (!['editor', 'read_files', 'run_commands'].every((name) => has(offered, name))) return null;
  const { file_path: path = '' } = input;
  if (tool === 'read') return [{ tool: 'read_files', input: { files: [{ path }] } }];
  if (tool !== 'edit') return null;
  return editsOf(input).map(({ old_string, new_string }) => ({
    tool: 'editor',
    input: { path, old_text: old_string, new_text: new_string },
  }));
};

const Edits = z.array(z.object({ old_string: z.string(), new_string: z.string() }));

/** Edits of one call. A scenario may give a single edit without a list. */
function editsOf(input: Input): z.output<typeof Edits> {
  return Edits.parse(input['edits'] ?? [input]);
}

/** An agent with a shell can do the rest. */
const byShell: Hand = (call, offered, assignment) => {
  const command = commandOf(call, assignment);
  if (command === null) return null;
  for (const tool of offered) {
    const { name } = tool;
    const properties = workspacePathsOf(tool) ?? {};
    if (name !== undefined && 'command' in properties) return [{ tool: name, input: { command } }];
    if (name !== undefined && 'commands' in properties) return [{ tool: name, input: { commands: [command] } }];
  }
  return null;
};

function commandOf({ tool, input }: Call, assignment: Assignment): string | null {
  const word = (name: string): string => shellQuote(String(input[name] ?? ''));
  switch (tool) {
    case 'bash':
      return String(input['command'] ?? '');
    case 'read':
      return `cat ${word('file_path')}`;
    case 'write':
      return writing(String(input['file_path'] ?? ''), String(input['content'] ?? ''));
    case 'glob':
      return 'ls -R';
    case 'grep':
      return `grep -rn -e ${word('pattern')} ${shellQuote(String(input['path'] ?? '.'))}`;
    case 'note':
      // The verbs accept only the category of the feature, whose name is not part of an assignment.
      return `autonomous note ${input['scope'] === 'global' || !('featureId' in assignment) ? '--global' : assignment.featureId} ${word('content')}`;
    case 'notes':
      return 'autonomous notes';
    case 'report': {
      const detail = ['question', 'no_change_reason'].find((name) => input[name]);
      return `autonomous report ${word('outcome')} ${word('summary')}${detail === undefined ? '' : ` ${word(detail)}`}`;
    }
    case 'submit_plan':
    case 'submit_verdict':
      return `autonomous ${tool} ${shellQuote(JSON.stringify(input))}`;
    default:
      return null;
  }
}

function writing(path: string, content: string): string {
  const folder = path.includes('/') ? `mkdir -p ${shellQuote(path.slice(0, path.lastIndexOf('/')))} && ` : '';
  return `${folder}printf '%s' ${shellQuote(content)} > ${shellQuote(path)}`;
}

/** The fields of its input; null if there is no such tool. */
function workspacePathsOf(tool: Tool | undefined): Input | null {
  if (tool === undefined) return null;
  return (tool['input_schema'] as { readonly properties?: Input } | undefined)?.properties ?? {};
}

function has(offered: readonly Tool[], name: string): boolean {
  return offered.some((one) => one.name === name);
}
