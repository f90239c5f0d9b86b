/**
 * Keeps the scratch folder and the whole outputs of a worker's conversation between two attempts at a feature. At most one conversation
 * is kept, in this process alone. Of a process that was killed, the command runner removes them.
 */
import type { CommandSession } from '../../session/commandPorts.ts';
import type { JobContext } from '../context.ts';
import type { KeptScratch } from '../jobMemory.ts';

type Context = Pick<JobContext, 'memory' | 'signal' | 'store'>;

/** Returns the kept folder of this conversation, or null. Removes the kept folder of any other one. */
export async function takeScratch(context: Context, sessionId: number): Promise<CommandSession | null> {
  const { scratch } = context.memory;
  if (scratch?.sessionId !== sessionId) {
    await dropScratch(context);
    return null;
  }
  context.memory.scratch = null;
  return scratch.session;
}

/** Keeps it for the next attempt if there may be one in this process; removes it otherwise. */
export async function leaveScratch(context: Context, kept: KeptScratch): Promise<void> {
  await dropScratch(context);
  if (context.signal.aborted || !mayContinue(context, kept.sessionId)) await kept.session.close();
  else context.memory.scratch = kept;
}

export async function dropScratch({ memory }: Pick<Context, 'memory'>): Promise<void> {
  const { scratch } = memory;
  memory.scratch = null;
  await scratch?.session.close();
}

/** Whether the feature of the conversation's last attempt is still open. */
function mayContinue({ store }: Context, sessionId: number): boolean {
  const last = [...store.state.attempts.values()].findLast((row) => row.session_id === sessionId);
  const feature = last?.feature_id == null ? undefined : store.state.features.get(last.feature_id);
  return feature?.status === 'pending' || feature?.status === 'in_progress';
}
