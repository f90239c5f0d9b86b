/** Sample of other agents at work: some cards belong to them, and one card has three candidates to compare. */
import type { AgentProbe } from '../../src/shared/agent/executors.ts';
import type {
  PanelApproval,
  PanelAttempt,
  PanelCard,
  PanelDetails,
  PanelView,
} from '../../src/shared/workspace/panel.ts';

const SIDE = ['claude', 'builtin', 'cline'];
/** The compared card has three candidates to pick from, and the other one was tried by one agent; a second one follows. */
const COMPARED = 7;
const TRIED_ONCE = 3;

const probe = (name: string, title: string, patch: Partial<AgentProbe> = {}): AgentProbe => ({
  name,
  title,
  state: 'ready',
  detail: '',
  fix: '',
  version: '1.0.0',
  protocol: 1,
  can: [],
  lacks: [],
  priced: true,
  ...patch,
});

const AGENTS: readonly AgentProbe[] = [
  probe('claude', 'Claude Code', { version: '2.1.330' }),
  probe('cline', 'Cline', { version: '3.0.65' }),
  probe('codex', 'Codex', {
    state: 'login',
    detail: 'It is not signed in.',
    fix: 'Run: codex login',
    priced: false,
    version: '0.61.0',
  }),
  probe('gemini', 'Gemini CLI', {
    state: 'missing',
    detail: 'There is no gemini on the PATH.',
    fix: 'npm install -g @google/gemini-cli',
    priced: false,
    version: null,
    protocol: null,
  }),
  probe('goose', 'Goose', {
    state: 'unusable',
    detail: 'It speaks protocol 3; this version knows 1.',
    fix: 'Update Autonomous.',
    protocol: 3,
  }),
];

const QUESTION = { id: COMPARED, kind: 'pick', reviewable: false, executables: [] } as const;

function asked(card: PanelCard, before: PanelApproval): PanelApproval {
  return {
    ...before,
    ...QUESTION,
    question: `3 agents tried “${card.name}”. Whose result is it to be?`,
    detail: '71: claude, passed.\n72: builtin, passed.\n73: cline, failed.',
    choices: ['71', '72'],
    featureId: card.id,
  };
}

function atWork(card: PanelCard): PanelCard {
  if (card.id === COMPARED) return { ...card, status: 'pending', executors: SIDE, tried: 3, attempts: 3 };
  return card.id === TRIED_ONCE ? { ...card, executors: SIDE, tried: 1, attempts: 1 } : card;
}

export function withAgents(view: PanelView): PanelView {
  const cards = view.cards.map(atWork);
  const card = cards.find(({ id }) => id === COMPARED);
  const approvals = view.approvals.map((one) => (card?.approvalId === one.id ? asked(card, one) : one));
  return { ...view, cards, approvals, agents: AGENTS };
}

const RESULTS: readonly Partial<PanelAttempt>[] = [
  { changed: { files: 3, added: 64, removed: 12 }, tokens: 58_100, costUsd: 0.142 },
  {
    changed: { files: 5, added: 131, removed: 40 },
    tokens: 71_900,
    costUsd: 0.097,
    summary: 'Division by zero prints a message and continues. The error type moved to a separate file.',
  },
  {
    status: 'failed',
    cause: 'verify_failed',
    changed: { files: 1, added: 9, removed: 1 },
    tokens: 23_400,
    costUsd: 0.031,
    summary: 'Caught the exception around the whole program.',
  },
];

/** Details of a card that several agents tried, with the result of each. */
export function sideBySide(details: PanelDetails, card: PanelCard): PanelDetails {
  if (card.executors.length < 2) return details;
  const attempts = details.attempts.slice(0, card.tried).map((attempt, at): PanelAttempt => {
    const executor = SIDE[at] ?? 'builtin';
    const result = { ...attempt, status: 'succeeded', executor, ...RESULTS[at] };
    const evidence = attempt.evidence.map((one) => ({
      ...one,
      exitCode: result.status === 'failed' ? 1 : 0,
      durationMs: one.durationMs + 700 * at,
    }));
    const endedAt = new Date(Date.parse(attempt.startedAt) + 95_000 + 31_000 * at).toISOString();
    return { ...result, evidence, endedAt, workedMs: 95_000 + 31_000 * at };
  });
  return { ...details, attempts, executors: card.executors, candidates: attempts.map(({ id }) => id) };
}
