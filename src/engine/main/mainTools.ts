/**
 * The door for an agent that speaks for a person: the main agent, an MCP client, the editor's language model tools. It may
 * only what `shared/workspace/mainTools.ts` lists; what the steward alone may is refused with the reason.
 */
import { z } from 'zod';
import { type AutonomousError, failure } from '../../shared/errors.ts';
import {
  MAIN_TOOL_NAMES,
  MAIN_TOOLS,
  type MainToolInput,
  type MainToolName,
} from '../../shared/workspace/mainTools.ts';
import { visibleText } from '../session/text.ts';
import { jobCalls } from './jobCalls.ts';
import type { MainAgentTools } from './mainAgentTools.ts';
import { memoryCalls } from './memoryCalls.ts';
import { projectCalls } from './projectCalls.ts';
import { talkCalls } from './talkCalls.ts';
import { taskCalls } from './taskCalls.ts';

type Calls = { readonly [N in MainToolName]: (tools: MainAgentTools, input: MainToolInput<N>) => Promise<string> };

const CALLS: Calls = { ...projectCalls, ...talkCalls, ...jobCalls, ...taskCalls, ...memoryCalls };

/** Actions that agents often request, and why they are refused. */
const STEWARDS_OWN: readonly (readonly [RegExp, string])[] = [
  [/merge|roll_?back/i, 'a result is merged, or taken back, by the steward alone'],
  [/limit|budget|spend|cost/i, 'what may be spent is set by the steward alone'],
  [/approv|reject|decide|answer|escalat|gate|trust|unpark|confirm/i, 'a question is answered by the steward alone'],
  [/defin|adopt|edit|update_project|configure/i, 'a project is defined by the steward alone, in its PROJECT.md'],
];

/**
 * Text for a model, in which the words of others are quoted. Throws NOT_PERMITTED with the reason, INVALID_INPUT naming
 * what is wrong with the input, or what the request behind it throws.
 */
export async function callMainTool(tools: MainAgentTools, name: string, input: unknown): Promise<string> {
  if (!isMainTool(name)) throw unknownTool(name);
  const tool = MAIN_TOOLS[name];
  if ('mainOnly' in tool && tools.readMemory === null) {
    throw failure(
      'NOT_PERMITTED',
      `only the main agent has ${name}: memory and conversations stay with their projects`,
      {
        hint: 'Ask the project, by message_project.',
      },
    );
  }
  const parsed = tool.input.safeParse(input ?? {});
  if (!parsed.success) throw wrongInput(name, parsed.error);
  const call = CALLS[name] as (tools: MainAgentTools, input: unknown) => Promise<string>;
  return visibleText(await call(tools, parsed.data));
}

function isMainTool(name: string): name is MainToolName {
  return Object.hasOwn(MAIN_TOOLS, name);
}

function reasonFor(words: string): string | null {
  return STEWARDS_OWN.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}

function unknownTool(name: string): AutonomousError {
  const reason = reasonFor(name);
  if (reason !== null) {
    return failure('NOT_PERMITTED', `no tool does that: ${reason}`, {
      hint: 'list_questions says what waits for the steward.',
    });
  }
  return failure('INVALID_INPUT', `there is no such tool; there are: ${MAIN_TOOL_NAMES.join(', ')}`);
}

/** An argument that would take a right is refused with the reason, the rest with what would be right. */
function wrongInput(name: MainToolName, error: z.ZodError): AutonomousError {
  const unknown = error.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  const reason = unknown.map(reasonFor).find((text) => text !== null);
  if (reason !== undefined) {
    return failure('NOT_PERMITTED', `${name} takes no ${unknown.join(', ')}: ${reason}`);
  }
  return failure('INVALID_INPUT', `${name}: ${z.prettifyError(error).slice(0, 2_000)}`);
}
