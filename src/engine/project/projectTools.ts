/**
 * Implements the project tools for sessions of a conversation. A request that an interrupted round made before is found and not
 * repeated.
 */

import { jobFeatures, projectJobs, projectMessages } from '../../core/state/rows.ts';
import { type ErrorCode, fromPlain } from '../../shared/errors.ts';
import { TOLD_LATER } from '../../shared/job/jobTool.ts';
import type { JobRow } from '../../shared/job/rows.ts';
import { MAIN_PROJECT, type Sender } from '../../shared/project/projects.ts';
import type { State } from '../../shared/workspace/state.ts';
import type { ProjectTools, ToolResult } from '../session/ports.ts';
import { memoryStore } from './memory/memory.ts';
import { useSkill } from './memory/skills.ts';
import type { ConversationPorts, Speaker } from './talk/conversationPorts.ts';
import { oneId } from './talk/conversationSession.ts';
import { runSubagent } from './talk/subagents.ts';
import type { Answered } from './threadPorts.ts';

const yes = (text: string): ToolResult => ({ ok: true, text });
const no = (text: string): ToolResult => ({ ok: false, text });

/** These are no news for a model: they end its session. */
const NOT_TOLD: readonly ErrorCode[] = ['ABORTED', 'DISK', 'OWNER_LOST', 'INTERNAL', 'STATE_DAMAGED'];

function toToolResult(answered: Answered<string>): ToolResult {
  if ('value' in answered) return yes(answered.value);
  const { code, message, hint } = answered.failure;
  if (NOT_TOLD.includes(code)) throw fromPlain(answered.failure);
  return no(hint === '' ? message : `${message}. ${hint}`);
}

/** The turn in which a tool is called. */
export interface TurnAt {
  /** The highest message of the turn. */
  heldUpTo(): number;
  /** The message that the turn owes an answer; null if it was not asked. */
  asked(): number | null;
}

export function projectTools(
  ports: ConversationPorts,
  speaker: Speaker,
  turn: TurnAt,
  signal: AbortSignal,
): ProjectTools {
  const { sessionId } = speaker;
  const sender = ports.projectId === MAIN_PROJECT ? 'main' : 'project';
  return {
    memory: memoryStore(ports.memory),
    notify: async (text, { concerns: named, information }) => {
      // Every notice reaches the main agent.
      const concerns = named === MAIN_PROJECT ? null : named;
      if (concerns === ports.projectId) return no('That is you: name another project, or none.');
      const unknown = concerns === null ? null : await unknownName(ports, concerns, turn.heldUpTo());
      if (unknown !== null) return unknown;
      const level = information ? 'info' : null;
      const said = { sender, text, concerns, sessionId, replyTo: turn.asked(), level } as const;
      return toToolResult(await ports.owner.delivery(await sayOnce(ports, said, turn.heldUpTo())));
    },
    useSkill: (name, file) => useSkill(ports.skills, name, file),
    spawnSubagent: (task, callId) => {
      // Its tools send no messages, so the turn is never used.
      const never: TurnAt = { heldUpTo: () => 0, asked: () => null };
      const toolsOf = (child: Speaker): ProjectTools => projectTools(ports, child, never, signal);
      return runSubagent(ports, speaker, { task, callId }, { toolsOf, signal });
    },
    submitBrief: async (asked) => {
      const answered = await ports.owner.submitBrief(sessionId, asked);
      if ('failure' in answered) return toToolResult(answered);
      const { jobId } = answered.value;
      const budget = ports.store.state.jobs.get(jobId)?.options.budgetMicroUsd ?? null;
      const within = budget === null ? '' : `, with a budget of $${(budget / 1e6).toFixed(2)}`;
      return yes(`Filed as job ${jobId}${within}.${TOLD_LATER}`);
    },
    jobStatus: async (jobId) => {
      const { state } = ports.store;
      if (jobId !== null) return toToolResult(await ports.owner.jobTool(jobId, 'status', ''));
      const jobs = projectJobs(state, ports.projectId);
      return yes(jobs.length === 0 ? 'This project has no jobs.' : jobs.map((job) => jobLine(state, job)).join('\n'));
    },
    steerJob: async (jobId, action, reason) => toToolResult(await ports.owner.jobTool(jobId, action, reason)),
    recall: async (query) => toToolResult(await ports.owner.recall(query)),
    taskTool: async (input) => toToolResult(await ports.owner.taskTool(sessionId, input)),
    mainTool: async (name, input) => toToolResult(await ports.owner.mainTool(name, input)),
  };
}

/** Refuses a name that no other project has. */
async function unknownName(ports: ConversationPorts, name: string, heldUpTo: number): Promise<ToolResult | null> {
  const answered = await ports.owner.briefing(heldUpTo);
  if ('failure' in answered) return toToolResult(answered);
  const { others } = answered.value;
  if (others.includes(name)) return null;
  const which =
    others.length === 0
      ? 'No other project takes messages: leave out concerns.'
      : `These take messages: ${others.join(', ')}.`;
  return no(`No other project ${JSON.stringify(name)} takes messages. ${which} No message was sent.`);
}

interface Said {
  readonly sender: Sender;
  readonly text: string;
  readonly concerns: string | null;
  readonly sessionId: number | null;
  /** The message that it answers. */
  readonly replyTo: number | null;
  readonly level?: 'info' | null;
}

/** Sends an `out` message in the current turn and returns its id. The same text is sent once per turn. */
export async function sayOnce(ports: ConversationPorts, said: Said, heldUpTo: number): Promise<number> {
  const { store, projectId } = ports;
  const { sender, text, concerns, sessionId, replyTo, level = null } = said;
  const known = projectMessages(store.state, projectId).find(
    (row) => row.direction === 'out' && row.id > heldUpTo && row.text === text && row.concerns === concerns,
  );
  if (known !== undefined) return known.id;
  const id = await oneId(ports, 'messages');
  await store.commit({
    type: 'message_sent',
    message: {
      id,
      project_id: projectId,
      direction: 'out',
      sender,
      text,
      concerns,
      relayed_from: null,
      session_id: sessionId,
      reply_to: replyTo,
      level,
    },
  });
  return id;
}

function jobLine(state: State, job: JobRow): string {
  const features = jobFeatures(state, job.id);
  const done = features.filter((feature) => feature.status === 'completed').length;
  const why = job.reason === null ? '' : ` (${job.reason})`;
  return `- ${job.id}: ${job.status}${why}, ${done} of ${features.length} features done: ${job.title}`;
}
