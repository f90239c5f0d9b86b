/** The tools of each role, in the one order in which every request lists them. */
import type { AgentRole } from '../../../shared/session.ts';
import { TOOLS_BY_ROLE } from '../../../shared/workspace/tools.ts';
import type { SessionSpec } from '../ports.ts';
import { bash } from './bash.ts';
import { bashOutput } from './bashOutput.ts';
import { edit } from './files/edit.ts';
import { glob } from './files/glob.ts';
import { grep } from './files/grep.ts';
import { read } from './files/read.ts';
import { write } from './files/write.ts';
import { memory } from './memory.ts';
import { explore } from './requests/explore.ts';
import { mainTools } from './requests/mainTools.ts';
import {
  jobStatus,
  longRunningTask,
  notify,
  searchConversation,
  spawnSubagent,
  steerJob,
  submitBrief,
  useSkill,
} from './requests/projectTools.ts';
import { note } from './results/note.ts';
import { notes } from './results/notes.ts';
import { report } from './results/report.ts';
import { submitPlan, submitVerdict } from './results/submit.ts';
import { todo } from './results/todo.ts';
import type { Tool } from './tool.ts';

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

/** Work can be done without these: a small window is better used for the work, and a small model has less to choose from. */
const SPARED: readonly string[] = ['explore', 'todo', 'notes'] satisfies readonly ToolName[];

/** The `tools` of the requests of a session. */
export function toolDefinitions({
  role,
  isSmall,
}: Pick<SessionSpec, 'role' | 'isSmall'>): readonly Tool['definition'][] {
  const definitions = roleTools(role).map((tool) => tool.definition);
  return isSmall === true ? definitions.filter(({ name }) => !SPARED.includes(name)) : definitions;
}
