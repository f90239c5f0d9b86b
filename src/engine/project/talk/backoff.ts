/**
 * Handles a refusal by the provider or the budget: the conversation waits for a time or asks the steward, and continues after the
 * answer.
 */

import type { ApprovalRow } from '../../../shared/approval.ts';
import type { MessageRow } from '../../../shared/project/projects.ts';
import { isForSteward, projectQuestion, refusalQuestion } from '../../approval/questions.ts';
import type { SessionResult } from '../../session/ports.ts';
import type { ConversationPorts } from './conversationPorts.ts';
import { oneId } from './conversationSession.ts';

const TRY_AGAIN_MS = 60_000;

/** Returns the time of the next attempt. Null if the steward is asked. */
export async function waitOrAskSteward(
  ports: ConversationPorts,
  sessionId: number,
  result: Extract<SessionResult, { outcome: 'unavailable' }>,
): Promise<string | null> {
  if (result.wakeAt !== null || !isForSteward(result.code)) {
    const until = result.wakeAt ?? new Date(ports.clock.now() + TRY_AGAIN_MS).toISOString();
    const code = result.code === 'LIMIT_REACHED' ? 'limit' : 'provider';
    await ports.store.commit({ type: 'wait_begun', session_id: sessionId, code, reason: result.detail, until });
    return until;
  }
  const id = await oneId(ports, 'approvals');
  const approval = projectQuestion(ports.projectId, id, refusalQuestion(result, id, 'project'));
  await ports.store.commit({ type: 'approval_requested', approval });
  return null;
}

/** The newest question of the conversation that was not settled otherwise. */
function openQuestion({ store, projectId }: ConversationPorts): ApprovalRow | undefined {
  return [...store.state.approvals.values()].findLast(
    (row) =>
      row.project_id === projectId &&
      row.job_id === null &&
      row.task_id === null &&
      (row.kind === 'limit' || row.kind === 'provider') &&
      row.status !== 'void',
  );
}

/**
 * Whether the conversation may continue. Uses up an answer: a raised limit is already raised; a rejection holds until the next
 * message.
 */
export async function mayContinue(ports: ConversationPorts, waiting: readonly MessageRow[]): Promise<boolean> {
  const asked = openQuestion(ports);
  if (asked === undefined) return true;
  if (asked.status === 'pending') return false;
  const refusedAt = asked.decided_at ?? '';
  if (asked.status === 'rejected' && !waiting.some(({ at }) => at > refusedAt)) return false;
  await ports.store.commit({ type: 'approval_voided', id: asked.id, reason: 'the conversation continues' });
  return true;
}
