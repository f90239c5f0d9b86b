/**
 * Serves the engine's tools to an external agent: those that concern the job. The agent has its own tools for files and commands.
 */
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import type { AgentRole } from '../../shared/session.ts';
import { answerTool } from '../session/answers.ts';
import type { SessionSpec, ToolResult } from '../session/ports.ts';
import { roleTools } from '../session/tools/roleTools.ts';
import { runnable, type Tool, type ToolContext } from '../session/tools/tool.ts';
import { firstMessage, instructions } from './observed/instructions.ts';
import type { OurTool } from './ports.ts';

const OF_THE_JOB = ['note', 'notes'];

interface OurToolsOptions {
  readonly role: AgentRole;
  readonly context: Omit<ToolContext, 'commands' | 'project' | 'callId' | 'earlier'>;
  /** Takes a call of the role's answer tool. */
  answered(input: unknown): Promise<ToolResult>;
  /** Receives errors of a port that a model must not see. */
  failed(thrown: unknown): void;
}

const NO_COMMANDS = { run: () => Promise.reject(new Error('no engine tool runs a command for another agent')) };

export function ourTools({ role, context, answered, failed }: OurToolsOptions): readonly OurTool[] {
  const answer = answerTool(role);
  const own = ours(role);
  const whole: ToolContext = { ...context, commands: NO_COMMANDS, project: null, callId: '', earlier: () => [] };
  return runnable(own, whole, failed).map((tool, index) => ({
    name: tool.name,
    description: own[index]?.definition.description ?? '',
    inputSchema: { ...own[index]?.definition.input_schema },
    call: async (input) => (tool.name === answer ? answered(input) : toToolResult(() => tool.run(input))),
  }));
}

function ours(role: AgentRole): readonly Tool[] {
  const answer = answerTool(role);
  return roleTools(role).filter(({ definition: { name } }) => OF_THE_JOB.includes(name) || name === answer);
}

/** The opening entry: the agent's instructions and its engine tools. The agent adds its own request. */
export function firstWords(spec: SessionSpec): unknown {
  const { role, model } = spec;
  const tools = ours(role).map(({ definition }) => definition);
  return { model, system: instructions(role), tools, messages: [{ role: 'user', content: firstMessage(spec) }] };
}

type Given = Awaited<ReturnType<ReturnType<typeof runnable>[number]['run']>>;

async function toToolResult(run: () => Given | Promise<Given>): Promise<ToolResult> {
  try {
    const given = await run();
    return { ok: true, text: typeof given === 'string' ? given : JSON.stringify(given) };
  } catch (thrown) {
    if (thrown instanceof ToolError) return { ok: false, text: thrown.message };
    // The session receives the error and ends; the agent receives only this text.
    return { ok: false, text: 'the engine could not do this now' };
  }
}
