/** Tools of a project's conversation that the project carries out. */

import { z } from 'zod';
import { JOB_STEERS } from '../../../../shared/job/jobTool.ts';
import { TASK_TOOL, TASK_TOOL_DESCRIPTION, TASK_TOOL_INPUT } from '../../../../shared/task/taskTool.ts';
import { endsTurn } from '../endsTurn.ts';
import { projectOf } from '../projectOf.ts';
import { defineTool } from '../tool.ts';
import { acceptedText } from '../toolResult.ts';

export const jobStatus = defineTool({
  name: 'job_status',
  description:
    'A job of this project in full: plan, features with reports, rejections, limits, cost; without an id a list of all jobs.',
  input: z.object({ job_id: z.string().max(64).optional() }),
  run: async ({ job_id }, context) => acceptedText(await projectOf(context).jobStatus(job_id ?? null)),
});

export const longRunningTask = defineTool({
  name: TASK_TOOL,
  description: TASK_TOOL_DESCRIPTION,
  input: TASK_TOOL_INPUT,
  live: ({ action }) => `${TASK_TOOL} ${action}`,
  run: async (input, context) => acceptedText(await projectOf(context).taskTool(input)),
});

export const searchConversation = defineTool({
  name: 'search_conversation',
  description:
    'Search messages to you and from you, also those that your context no longer holds: messages that hold all words of the query, newest first.',
  input: z.object({ query: z.string().trim().min(1).max(400) }),
  run: async ({ query }, context) => acceptedText(await projectOf(context).recall(query)),
});

export const spawnSubagent = defineTool({
  name: 'spawn_subagent',
  description:
    'Hand a one-off question to a fresh agent that reads files and answers in text, to keep your own context free. It knows nothing but the task.',
  input: z.object({ task: z.string().trim().min(1).max(32_000) }),
  live: ({ task }) => `subagent: ${task.split('\n', 1)[0]?.slice(0, 80) ?? ''}`,
  run: async ({ task }, context) => acceptedText(await projectOf(context).spawnSubagent(task, context.callId)),
});

export const steerJob = defineTool({
  name: 'steer_job',
  description:
    'Cancel, pause, resume or amend a job of this project. You can resume only your own pause. amend adds `reason` to the brief and files the job again, as long as its plan was not accepted; its planner is given the earlier plan.',
  input: z.object({
    job_id: z.string().min(1).max(64),
    action: z.enum(JOB_STEERS),
    reason: z.string().trim().min(1).max(2_000),
    ends_turn: endsTurn,
  }),
  live: ({ action, job_id }) => `${action} job ${job_id}`,
  run: async ({ job_id, action, reason }, context) =>
    acceptedText(await projectOf(context).steerJob(job_id, action, reason)),
});

export const useSkill = defineTool({
  name: 'use_skill',
  description:
    'Load a skill that is listed above before you do what it is for; with file, one of the files that it names.',
  input: z.object({
    name: z.string().max(64),
    file: z.string().max(500).optional().describe('Path inside the folder of the skill'),
  }),
  live: ({ name, file }) => `use_skill ${name}${file === undefined ? '' : ` ${file}`}`,
  run: async ({ name, file }, context) => acceptedText(await projectOf(context).useSkill(name, file ?? null)),
});

export const notify = defineTool({
  name: 'notify',
  description:
    'Send a notice to the steward and the main agent: what came out, what you need, what others must know. The result states who gets it.',
  input: z.object({
    text: z.string().trim().min(1).max(16_000),
    concerns: z.string().max(64).optional().describe('Name of another project that must know of it'),
    information: z
      .boolean()
      .optional()
      .describe('True if that project need not act on it: it reads it with its next turn'),
    ends_turn: endsTurn,
  }),
  live: ({ concerns }) => (concerns === undefined ? 'notify' : `notify, concerns ${concerns}`),
  run: async ({ text, concerns = null, information = false }, context) =>
    acceptedText(await projectOf(context).notify(text, { concerns, information })),
});

export const submitBrief = defineTool({
  name: 'submit_brief',
  description:
    'File a brief: planned, carried out in an isolated clone, verified, reviewed, and merged when the steward agrees. Say what must be true in the end; you are notified of the result.',
  input: z.object({
    brief: z.string().trim().min(1),
    at_most_usd: z.number().positive().optional().describe('Budget of the job, if less than the usual one is enough'),
    model: z.string().min(1).max(200).optional().describe('Model of its sessions; left out: as the project has it'),
    ends_turn: endsTurn,
  }),
  run: async ({ brief, at_most_usd: atMostUsd, model }, context) =>
    acceptedText(await projectOf(context).submitBrief({ brief, atMostUsd, model })),
});
