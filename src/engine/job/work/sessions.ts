/** Opens the agent behind a session, on its transcript, with its tools and commands. */

import { need } from '../../../core/state/rows.ts';
import { BUILT_IN } from '../../../shared/agent/executors.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import { assignmentOf } from '../../../shared/workspace/assignment.ts';
import type { CommandSession } from '../../session/commandPorts.ts';
import type { SessionSpec, Transcript } from '../../session/ports.ts';
import { type AgentSession, openSession as openAgent } from '../../session/session.ts';
import { givenTexts } from '../../session/transcript/history.ts';
import { type JobContext, say } from '../context.ts';
import { freshOpening } from '../freshOpening.ts';
import { repositoryMapOf } from '../jobFacts.ts';
import { checkpointing, watchedFiles } from '../tree/checkpoints.ts';
import { leaveScratch, takeScratch } from '../tree/scratch.ts';
import { jobHead, repositoryOf, treeOf } from '../tree/tree.ts';
import { approvedCommands, attemptClock } from './commands.ts';
import { explorer, sessionSettings } from './explorer.ts';
import { type ExternalGiven, externalAgent, type SessionBase } from './externalAgent.ts';
import { judgeCommands } from './judgeCommands.ts';
import { sessionShell } from './sessionShell.ts';
import { sessionTools, sessionVerbs } from './sessionTools.ts';

export interface OpenedSession {
  readonly id: number;
  readonly agent: AgentSession;
  /** Lets go of its folder and its journal. */
  close(): Promise<void>;
  /** The newest assignment in the transcript. Null if the transcript is empty. */
  readonly told: string | null;
  /** The texts that the session was given. Grows with it. */
  readonly texts: readonly string[];
}

/**
 * Opens the agent of a session's row, with the model of the row. An existing transcript is continued. `start` is the commit that the tree was just set to,
 * for a new session. Null for the head of the job or the current tree.
 */
export async function openAgentSession(
  context: JobContext,
  job: JobRow,
  id: number,
  assigned: SessionSpec,
  start: string | null = null,
): Promise<OpenedSession> {
  const { executor, model } = need(context.store.state, 'sessions', id);
  const spec = { ...assigned, model };
  // Checked first: the executor may no longer be known.
  const paidByUs = executor === BUILT_IN || (await context.agents.paidByUs(executor));
  const opened = await context.openTranscript(id);
  const texts = [...givenTexts(opened.entries)];
  const transcript: Transcript = {
    entries: opened.entries,
    append: async (entry) => {
      await opened.append(entry);
      texts.push(...givenTexts([entry]));
    },
  };
  const given = {
    context,
    job,
    id,
    executor,
    paidByUs,
    spec,
    ports: portsOf(context, job, id, spec, transcript, start, executor === BUILT_IN),
  };
  const kept = await takeScratch(context, id);
  const { agent, place } = executor === BUILT_IN ? ownAgent(given, start, kept) : externalAgent(given);
  const close = async (): Promise<void> => {
    await place.close();
    await opened.close();
  };
  return { id, agent, close, told: lastAssignment(transcript), texts };
}

function portsOf(
  context: JobContext,
  job: JobRow,
  id: number,
  spec: SessionSpec,
  transcript: Transcript,
  start: string | null,
  isOurs: boolean,
): SessionBase {
  const workdir = job.clone_dir === null ? repositoryOf(job, context.projectDir) : treeOf(context, job).workTree;
  const ports = {
    sessionId: id,
    fetch: context.gatewayFetch(id),
    workdir,
    files: watchedFiles(context, id, context.openTree(workdir)),
    transcript,
    clock: attemptClock(context),
    live: (text: string) => say(context, text, { sessionId: id, ...featureOf(context, id) }),
    signal: context.signal,
  };
  const explores = isOurs && (spec.role === 'worker' || spec.role === 'planner');
  return {
    ...ports,
    sessionTools: {
      ...sessionTools(context, id),
      ...(explores ? { explore: explorer(context.store.state, job, ports, () => repositoryMapOf(context, job)) } : {}),
    },
    limits: job.options.attempt,
    ...(spec.role === 'worker' && isOurs ? { freshOpening: () => freshOpening(context, id) } : {}),
    ...checkpointing(context, spec.role, transcript.entries.length === 0 ? start : null, isOurs),
  };
}

type OpenedAgent = { readonly agent: AgentSession; readonly place: { close(): Promise<void> } };

/** `kept`: what commands of an earlier attempt of this conversation left. */
function ownAgent(given: ExternalGiven, start: string | null, kept: CommandSession | null): OpenedAgent {
  const { context, job, id, spec, ports } = given;
  const { entries } = ports.transcript;
  const leave = (session: CommandSession) => leaveScratch(context, { sessionId: id, session });
  const shell = sessionShell(context, { workdir: ports.workdir, entries }, { kept, leave });
  const own = { ...ports, scratchFile: shell.scratchFile };
  const settings = sessionSettings(job);
  if (spec.role === 'planner' || spec.role === 'reviewer') {
    const commit = start ?? jobHead(job);
    const judge = judgeCommands(context, { sessionId: id, commit, resumed: entries.length > 0, shell });
    return { agent: openAgent(spec, { ...own, commands: judge.commands }, settings), place: closing(shell, judge) };
  }
  const place = context.openPlace({
    jobDir: job.job_dir,
    workdir: ports.workdir,
    sessionId: id,
    verbs: sessionVerbs(context, id, ports),
  });
  const commands = approvedCommands(context, place, spec.role, shell);
  return { agent: openAgent(spec, { ...own, commands }, settings), place: closing(shell, place) };
}

const closing = (...parts: readonly { close(): Promise<void> }[]): OpenedAgent['place'] => ({
  close: async () => {
    for (const part of parts) await part.close();
  },
});

function lastAssignment({ entries }: Transcript): string | null {
  return givenTexts(entries).findLast((text) => assignmentOf(text) !== null) ?? null;
}

function featureOf(context: JobContext, sessionId: number): { featureId?: number } {
  const featureId = context.store.state.sessions.get(sessionId)?.feature_id ?? null;
  return featureId === null ? {} : { featureId };
}
