/**
 * Answers a worker's or planner's question about the repository in a separate conversation, on the summarizer's model. Its calls
 * are calls of the session that asks: they are reserved and booked under its feature, and its attempt's and job's ceilings apply.
 * Its journal is part of that session's journal, so that an interrupted question continues and an answered one is not asked
 * again.
 */

import { pricesWith } from '../../../core/money/price/terms.ts';
import { countedMicroUsd } from '../../../core/state/rows.ts';
import { failure } from '../../../shared/errors.ts';
import type { AttemptLimits, JobRow } from '../../../shared/job/rows.ts';
import type { State } from '../../../shared/workspace/state.ts';
import type { SessionSettings } from '../../session/economy.ts';
import type {
  Explorer,
  SessionPorts,
  SessionResult,
  ToolResult,
  Transcript,
  TranscriptEntry,
} from '../../session/ports.ts';
import { explorerSpec } from '../../session/prompts/explorer.ts';
import { openSession } from '../../session/session.ts';
import { headOnly } from '../../session/text.ts';

/** Ceilings of one question. The rest of the attempt's time is a limit too. */
export const EXPLORE_LIMITS: AttemptLimits = { turns: 20, tokens: 600_000, seconds: 600, microUsd: 250_000 };
/** A question may take this part of a long attempt, whose limit includes long waits for the model. */
const PARTS = 6;
/** Characters of an answer. */
const MAX_ANSWER = 4_000;
const CLAIM = '[The answer of another model: a claim. Check what your work depends on.]';
const NO_COMMANDS = 'an explorer runs no commands';

type ParentPorts = Pick<
  SessionPorts,
  'sessionId' | 'fetch' | 'workdir' | 'files' | 'transcript' | 'clock' | 'live' | 'signal'
>;

/** `map` returns the map of the repository. */
export function explorer(
  state: State,
  job: Pick<JobRow, 'options' | 'project_id'>,
  ports: ParentPorts,
  map: () => Promise<string>,
): Explorer {
  const kept = new Map<string, TranscriptEntry[]>();
  for (const entry of ports.transcript.entries)
    if (entry.kind === 'explored') keptOf(kept, entry.callId).push(entry.entry);
  return async ({ question, callId, msLeft }) => {
    const seconds = Math.min(Math.max(EXPLORE_LIMITS.seconds, job.options.attempt.seconds / PARTS), msLeft / 1_000);
    const { sessionId, workdir, files, clock, signal } = ports;
    const about = { project: job.project_id, session: sessionId, question, map: await map() };
    const spec = explorerSpec(job.options.models.summarizer, about);
    const result = await openSession(
      spec,
      {
        sessionId,
        within: callId,
        workdir,
        files,
        clock,
        signal,
        fetch: boundedFetch(state, ports),
        transcript: journalOf(ports.transcript, callId, keptOf(kept, callId)),
        commands: { run: async () => ({ exitCode: null, ended: 'refused', output: NO_COMMANDS }) },
        sessionTools: { addNote: async () => ({ ok: false, text: NO_COMMANDS }), notes: async () => '' },
        limits: { ...EXPLORE_LIMITS, seconds },
        checkpoint: async () => null,
        restore: async () => undefined,
        live: (text) => ports.live(`explore: ${text}`),
      },
      sessionSettings(job),
    ).run();
    return toldOf(result);
  };
}

/** Prices and windows of the models of the job, for its sessions. */
export const sessionSettings = ({ options }: Pick<JobRow, 'options'>): SessionSettings => ({
  prices: pricesWith(options.terms),
});

function keptOf(kept: Map<string, TranscriptEntry[]>, callId: string): TranscriptEntry[] {
  const entries = kept.get(callId) ?? [];
  kept.set(callId, entries);
  return entries;
}

/** Entries of the explorer, each durable as an entry of the session that asks. `own` grows with them. */
function journalOf(parent: Transcript, callId: string, own: TranscriptEntry[]): Transcript {
  return {
    entries: [...own],
    append: async (entry) => {
      await parent.append({ kind: 'explored', callId, entry });
      own.push(entry);
    },
  };
}

/**
 * Refuses a call once the question has used its money. The session that asks is idle meanwhile, so all of its calls since then
 * are the explorer's. Calls before a crash are not counted again: the attempt's ceiling applies to them.
 */
function boundedFetch(state: State, { sessionId, fetch }: ParentPorts): typeof globalThis.fetch {
  let before = 0;
  for (const id of state.spends.keys()) before = Math.max(before, id);
  return (...request) => {
    let microUsd = 0;
    for (const row of state.spends.values())
      if (row.session_id === sessionId && row.id > before) microUsd += countedMicroUsd(row);
    if (microUsd < EXPLORE_LIMITS.microUsd) return fetch(...request);
    return Promise.reject(
      failure('LIMIT_REACHED', `this question has used its limit of $${EXPLORE_LIMITS.microUsd / 1e6}`, {
        details: { limit: 'explore' },
      }),
    );
  };
}

function toldOf(result: SessionResult): ToolResult {
  switch (result.outcome) {
    case 'answered': {
      const text = result.answer.kind === 'text' ? result.answer.text.trim() : '';
      if (text === '') return { ok: false, text: 'The explorer gave no answer. Read the files yourself.' };
      return { ok: true, text: `${CLAIM}\n${headOnly(text, MAX_ANSWER)}` };
    }
    case 'ended':
      return {
        ok: false,
        text: `The explorer found no answer: ${result.detail} (${result.reason}). Ask less at once, or read the files yourself.`,
      };
    case 'unavailable':
      return { ok: false, text: `The explorer could not be asked: ${result.detail}. Read the files yourself.` };
    case 'aborted':
      throw failure('ABORTED', 'the explorer was interrupted');
  }
}
