/** Connects an external agent to a session's row: its environment, its payment, its access. */

import path from 'node:path';
import { attemptUse } from '../../../core/money/attemptUse.ts';
import { oneByOne } from '../../../core/session/oneByOne.ts';
import { need } from '../../../core/state/rows.ts';
import type { JobRow } from '../../../shared/job/rows.ts';
import { openExternalSession } from '../../agent/agentSession.ts';
import type { AgentWorld } from '../../agent/agentWorld.ts';
import type { SessionPorts, SessionSpec } from '../../session/ports.ts';
import type { AgentSession } from '../../session/session.ts';
import type { SessionDirectory } from '../../session/sessionDirectory.ts';
import type { JobContext } from '../context.ts';
import { jobTree } from '../tree/tree.ts';
import { approvedCommands, mayRun } from './commands.ts';
import { ownAccount } from './ownAccount.ts';
import { sessionVerbs } from './sessionTools.ts';

/** The ports of every session, independent of its executor. */
export type SessionBase = Omit<SessionPorts, 'commands' | 'project'>;

export interface ExternalGiven {
  readonly context: JobContext;
  readonly job: JobRow;
  readonly id: number;
  readonly executor: string;
  readonly paidByUs: boolean;
  readonly spec: SessionSpec;
  readonly ports: SessionBase;
}

export function externalAgent(given: ExternalGiven): {
  readonly agent: AgentSession;
  readonly place: SessionDirectory;
} {
  const { context, job, id, executor, paidByUs, spec, ports } = given;
  const { state } = context.store;
  const session = openExternalSession(spec, {
    ...ports,
    executor,
    open: (order) => context.agents.open(order, world),
    used: () => attemptUse(state, need(state, 'sessions', id)),
    account: paidByUs ? null : ownAccount(context, id),
  });
  const place = context.openPlace({
    jobDir: job.job_dir,
    workdir: ports.workdir,
    sessionId: id,
    verbs: sessionVerbs(context, id, ports),
    tools: session.tools,
  });
  const world: AgentWorld = {
    place,
    readable: readableFor(context, job),
    fetch: session.fetch,
    commands: approvedCommands(context, place, spec.role),
    allowed: job.options.allowedCommands,
    mayRun: askedOneByOne((command, agent) => mayRun(context, command, agent)),
  };
  return { agent: session, place };
}

/** The clone's own git borrows the engine's objects. */
function readableFor(context: JobContext, job: JobRow): readonly string[] {
  return job.clone_dir === null ? [] : [path.join(jobTree(context.projectDir, job).gitDir, 'objects')];
}

/** Several questions of the same kind may arrive at once: the answer to one answers all. */
function askedOneByOne(ask: AgentWorld['mayRun']): AgentWorld['mayRun'] {
  const inTurn = oneByOne();
  return (text, agent) => inTurn(() => ask(text, agent));
}
