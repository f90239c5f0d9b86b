/** The tools of each role, in the one order in which every request lists them. */
import type { BetaTool } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type { AgentRole } from '../../shared/sessions.ts';
import { TOOLS_BY_ROLE } from '../../shared/tools.ts';
import { bash } from './bash.ts';
import { bashOutput } from './bashOutput.ts';
import { edit } from './edit.ts';
import { explore } from './explore.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';
import { jobStatus } from './jobStatus.ts';
import { longRunningTask } from './longRunningTask.ts';
import { mainTools } from './mainTools.ts';
import { memory } from './memory.ts';
import { note } from './note.ts';
import { notes } from './notes.ts';
import { notify } from './notify.ts';
import { read } from './read.ts';
import { report } from './report.ts';
import { searchConversation } from './searchConversation.ts';
import { spawnSubagent } from './spawnSubagent.ts';
import { steerJob } from './steerJob.ts';
import { submitBrief } from './submitBrief.ts';
import { submitPlan } from './submitPlan.ts';
import { submitVerdict } from './submitVerdict.ts';
import { todo } from './todo.ts';
import type { Tool } from './tool.ts';
import { useSkill } from './useSkill.ts';
import { write } from './write.ts';

type ToolName = (typeof TOOLS_BY_ROLE)[AgentRole][number];

const TOOLS: Readonly<Record<ToolName, Tool>> = {
  read,
  glob,
  grep,
  explore,
  write,
  edit,
  bash,
  bash_output: bashOutput,
  todo,
  note,
  notes,
  report,
  submit_plan: submitPlan,
  submit_verdict: submitVerdict,
  memory,
  notify,
  use_skill: useSkill,
  spawn_subagent: spawnSubagent,
  submit_brief: submitBrief,
  job_status: jobStatus,
  steer_job: steerJob,
  search_conversation: searchConversation,
  long_running_task: longRunningTask,
};

export function roleTools(role: AgentRole): readonly Tool[] {
  const own = TOOLS_BY_ROLE[role].map((name: ToolName) => TOOLS[name]);
  return role === 'main' ? [...own, ...mainTools] : own;
}

/** What a request of this role lists under `tools`. */
export function toolDefinitions(role: AgentRole): readonly BetaTool[] {
  return roleTools(role).map((tool) => tool.definition);
}
