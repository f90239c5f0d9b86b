/** Names of the tools that a model may call, and which role has which. One list for the agent, the docs and the simulated model. */
import type { AgentRole } from '../session.ts';
import { TASK_TOOL } from '../task/taskTool.ts';

const FILE_READ_TOOLS = ['read', 'glob', 'grep'] as const;
const FILE_WRITE_TOOLS = ['write', 'edit'] as const;
const COMMAND_TOOLS = ['bash', 'bash_output'] as const;

/** Tools by role. `submit_plan`, `submit_verdict` and `report` end a session with its answer. */
export const TOOLS_BY_ROLE = {
  planner: [...FILE_READ_TOOLS, 'explore', ...COMMAND_TOOLS, 'submit_plan'],
  worker: [...FILE_READ_TOOLS, 'explore', ...FILE_WRITE_TOOLS, ...COMMAND_TOOLS, 'todo', 'note', 'notes', 'report'],
  reviewer: [...FILE_READ_TOOLS, ...COMMAND_TOOLS, 'submit_verdict'],
  summarizer: [],
  /** Within the session that asks it. */
  explorer: FILE_READ_TOOLS,
  project: [
    ...FILE_READ_TOOLS,
    'memory',
    'notify',
    'use_skill',
    'spawn_subagent',
    'submit_brief',
    'job_status',
    'steer_job',
    'search_conversation',
    TASK_TOOL,
    'note',
    'notes',
  ],
  subagent: [...FILE_READ_TOOLS, 'notes', 'spawn_subagent'],
  /** And those of `mainTools.ts`. */
  main: ['memory'],
  task: [],
} as const satisfies Record<AgentRole, readonly string[]>;
