/** Candidates of several agents for one feature: a list to pick from, and a diff of each against their common base. */
import * as vscode from 'vscode';
import { candidatesOf } from '../../core/agent/executors.ts';
import { glance } from '../../core/approval/stewardship.ts';
import { areUnpriced } from '../../core/money/price/unpriced.ts';
import { BUILT_IN } from '../../shared/agent/executors.ts';
import type { ApprovalRow } from '../../shared/approval.ts';
import { failure } from '../../shared/errors.ts';
import type { AttemptRow } from '../../shared/job/rows.ts';
import type { State } from '../../shared/workspace/state.ts';
import { agentName } from '../agent/agentWords.ts';
import type { HostContext } from '../window/context.ts';
import { plainWords } from '../words/plainWords.ts';
import { openChanges } from './review/changes.ts';

const MS_PER_MINUTE = 60_000;

interface Candidate {
  readonly attempt: AttemptRow;
  /** `builtin`, or the name of an agent. */
  readonly executor: string;
  readonly passed: boolean;
}

function candidates(state: State, { feature_id }: ApprovalRow): Candidate[] {
  const feature = feature_id === null ? undefined : state.features.get(feature_id);
  if (feature === undefined) return [];
  return candidatesOf(state, feature).map((attempt) => ({
    attempt,
    executor: state.sessions.get(attempt.session_id)?.executor ?? BUILT_IN,
    passed: attempt.status === 'succeeded',
  }));
}

/** Returns the id of the attempt whose result is taken, undefined if dismissed. */
export async function pickCandidate(
  { agents, engine }: HostContext,
  approval: ApprovalRow,
  first: string | null = null,
): Promise<string | undefined> {
  const { state } = engine;
  const all = candidates(state, approval);
  const isFirst = ({ attempt }: Candidate): number => Number(String(attempt.id) === first);
  const named = all
    .filter(({ attempt }) => approval.choices.includes(String(attempt.id)))
    .toSorted((a, b) => isFirst(b) - isFirst(a));
  const rows = named.map(({ attempt, executor }) => ({
    label: `$(pass) ${agentName(agents, executor)}`,
    description: [vscode.l10n.t('passed'), costText(state, attempt), tookText(attempt)].join(' · '),
    detail: plainWords(glance(attempt.summary ?? '')),
    choice: String(attempt.id),
  }));
  const failed = all
    .filter(({ passed }) => !passed)
    .map(({ attempt, executor }) => ({
      label: vscode.l10n.t('{0} failed: {1}', agentName(agents, executor), attempt.cause ?? attempt.status),
      kind: vscode.QuickPickItemKind.Separator,
      choice: '',
    }));
  const picked = await vscode.window.showQuickPick([...rows, ...failed], {
    title: plainWords(approval.question),
    ignoreFocusOut: true,
  });
  return picked?.choice === '' ? undefined : picked?.choice;
}

/** Settled cost of an attempt. Without a known price, the cost that the agent reported. */
function costText({ spends }: State, { id }: AttemptRow): string {
  const calls = [...spends.values()].filter((row) => row.attempt_id === id);
  const microUsd = calls.reduce((sum, row) => sum + row.settled_micro_usd, 0);
  const usd = `$${(microUsd / 1e6).toFixed(microUsd < 1e6 ? 4 : 2)}`;
  if (!areUnpriced(calls)) return usd;
  return microUsd === 0 ? vscode.l10n.t('not priced') : vscode.l10n.t('{0} as reported', usd);
}

function tookText({ worked_ms: ms }: AttemptRow): string {
  return ms < MS_PER_MINUTE
    ? vscode.l10n.t('{0} s', Math.round(ms / 1000))
    : vscode.l10n.t('{0} min', Math.round(ms / MS_PER_MINUTE));
}

/** Opens every file of every passed candidate beside the common base, under the name of the agent. */
export async function compareCandidates(
  { agents, engine }: HostContext,
  approval: ApprovalRow,
  title: string,
): Promise<void> {
  const { job_id: jobId } = approval;
  const sides = candidates(engine.state, approval).flatMap(({ attempt, executor, passed }) =>
    passed && attempt.commit !== null
      ? [{ from: attempt.base_commit, to: attempt.commit, under: agentName(agents, executor).replaceAll('/', '-') }]
      : [],
  );
  if (jobId === null || sides.length === 0) throw failure('NOT_FOUND', vscode.l10n.t('No result is left to compare.'));
  await openChanges(engine.files, title, { jobId, sides, approvalId: null });
}
