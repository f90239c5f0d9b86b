/** Cards for a plain browser and the tests: `sampleCards(n)` is always the same. */
import type { CardPlace, Lane } from '../../src/shared/job/place.ts';
import type { PanelAttempt, PanelCard, PanelDetails } from '../../src/shared/workspace/panel.ts';

const WORK: readonly (readonly [name: string, category: string])[] = [
  ['Parse the configuration file', 'config'],
  ['Reject unknown keys with a message that names the nearest known one', 'config'],
  ['Read the stack from standard input', 'cli'],
  ['Print results as JSON', 'cli'],
  ['Undo and redo', 'core'],
  ['Keep a history of at most a thousand entries', 'core'],
  ['Divide by zero without ending the program', 'core'],
  ['Describe every command in the manual', 'docs'],
  ['Run the tests on three systems', 'infrastructure'],
  ['Colour the prompt unless NO_COLOR is set', 'cli'],
];
const PLACES: readonly CardPlace[] = [
  { lane: 2, queue: 1, returned: null },
  { lane: 1, queue: null, returned: null },
  { lane: 3, queue: null, returned: { cause: 'conflict', path: 'src/routes/items.ts', more: 0 } },
];
const placeOf = (id: number): CardPlace => PLACES[id % PLACES.length] ?? { lane: 1, queue: null, returned: null };
const LANES: readonly Lane[] = ['pending', 'completed', 'pending', 'in_progress', 'failed', 'completed', 'needs_you'];
const PHASES = ['Foundations', 'Commands', 'Polish'];
const START = Date.UTC(2026, 10, 2, 9);

const SAMPLE_ROUTE = {
  mode: 'on',
  model: 'claude-haiku-5-5',
  reason: 'claude-haiku-5-5: 9 of 10 features of `docs` passed at $0.02 each',
} as const;

/** Every third card is worked on by another agent. */
const whoDid = (card: number): string => (card % 3 === 1 ? 'cline' : 'builtin');

function attempt(card: number, number: number, lane: Lane): PanelAttempt {
  const running = lane === 'in_progress';
  const failed = lane === 'failed';
  return {
    id: card * 10 + number,
    number,
    status: running ? 'running' : failed ? 'failed' : 'succeeded',
    cause: failed ? 'verify_failed' : null,
    summary: running ? null : 'Wrote the parser and seven tests; the error messages name the line.',
    returns: [],
    feedback: failed ? 'The second test expects exit code 2 for a missing file.' : null,
    todo: running
      ? [
          { text: 'Read the existing parser', state: 'done' },
          { text: 'Write the test for an empty file', state: 'in_progress' },
          { text: 'Name the line in each error', state: 'pending' },
        ]
      : [],
    evidence: running
      ? []
      : [
          {
            command: 'node --test',
            exitCode: failed ? 1 : 0,
            ended: null,
            durationMs: 2300,
            artifact: `output-${card}-${number}.txt`,
          },
        ],
    diff: running ? null : `diff-${card}-${number}.patch`,
    changed: running ? null : { files: 3, added: 64, removed: 12 },
    executor: whoDid(card),
    model: 'claude-haiku-5-5',
    route: card === 3 ? SAMPLE_ROUTE : null,
    tokens: 58_100,
    unpriced: false,
    sessionId: card * 10 + number,
    startedAt: new Date(START + card * 60_000).toISOString(),
    endedAt: running ? null : new Date(START + card * 60_000 + 95_000).toISOString(),
    workedMs: 95_000,
    costUsd: 0.042,
  };
}

function sampleCard(index: number): PanelCard {
  const id = index + 1;
  const lane = LANES[index % LANES.length] ?? 'pending';
  const [name, category] = WORK[index % WORK.length] ?? ['Work', 'core'];
  const phase = Math.floor(index / 8) % PHASES.length;
  const tried = lane === 'pending' ? 0 : lane === 'failed' ? 3 : 1;
  return {
    id,
    name: index < WORK.length ? name : `${name} (${id})`,
    category,
    lane,
    status: lane === 'needs_you' ? 'in_progress' : lane,
    position: index,
    jobId: 'job-1',
    phaseId: phase + 1,
    phaseNumber: phase + 1,
    phaseTitle: PHASES[phase] ?? null,
    retries: lane === 'failed' ? 3 : index % 5 === 0 ? 1 : 0,
    maxRetries: 3,
    held: lane === 'pending' && index % 9 === 2 ? 'Held: it depends on feature 5, which failed.' : null,
    failureReason: lane === 'failed' ? 'node --test: exit code 1 in three attempts' : null,
    approvalId: lane === 'needs_you' ? id : null,
    costUsd: tried * 0.042,
    notes: index % 4 === 1 ? 1 : 0,
    attempts: tried,
    startedAt:
      lane === 'in_progress' && placeOf(id).queue === null ? new Date(START + id * 60_000).toISOString() : null,
    todo: lane === 'in_progress' ? { done: 1, total: 3, current: 'Write the test for an empty file' } : null,
    ...(lane === 'in_progress' ? { place: placeOf(id) } : {}),
    executors: whoDid(id) === 'cline' ? ['cline'] : [],
    tried: 0,
  };
}

export function sampleCards(amount: number): PanelCard[] {
  return Array.from({ length: amount }, (_, index) => sampleCard(index));
}

/** The details that the host sends for an open card. */
export function sampleDetails(card: PanelCard): PanelDetails {
  const at = new Date(START).toISOString();
  return {
    featureId: card.id,
    description: `${card.name}. Behaves the same from a file and from a terminal, and reports errors in one line.`,
    testingSteps: ['Run node --test', 'Pass a missing file: exit code 2'],
    dependsOn: card.held === null ? [] : [{ id: 5, name: 'Undo and redo', status: 'failed' }],
    held: card.held,
    failureReason: card.failureReason,
    feedback: card.lane === 'failed' ? 'The second test expects exit code 2 for a missing file.' : null,
    commit: card.lane === 'completed' ? '0f3c2a9d41b7e8c65d1f0a2b3c4d5e6f70819203' : null,
    executors: card.executors.length === 0 ? null : card.executors,
    candidates: [],
    picked: null,
    attempts: Array.from({ length: card.attempts }, (_, nth) => attempt(card.id, nth + 1, card.lane)),
    reviews:
      card.lane === 'completed'
        ? [
            {
              id: card.id * 10 + 9,
              number: 1,
              status: 'succeeded',
              cause: 'done',
              verdict: 'REJECTED',
              reason: 'The manual names a flag that the program does not have.',
              feedback: 'Name the flag --json in the manual as the program does.',
              evidence: attempt(card.id, 1, card.lane).evidence.map((one) => ({
                ...one,
                exitCode: 1,
                fresh: { inTree: 'passed' as const },
              })),
              executor: 'builtin',
              model: 'claude-opus-5-5',
              route: null,
              sessionId: card.id * 10 + 9,
              startedAt: at,
              endedAt: new Date(START + 40_000).toISOString(),
              workedMs: 40_000,
              costUsd: 0.031,
            },
          ]
        : [],
    notes: Array.from({ length: card.notes }, () => ({
      id: card.id,
      content: 'Keep the old flag working until 2.0.',
      created_by: 'worker' as const,
      created_by_session: card.id * 10 + 1,
      createdAt: at,
      file: 'src/config/parse.js',
      line: 12,
    })),
    sessions: Array.from({ length: card.attempts }, (_, nth) => ({
      id: card.id * 10 + nth + 1,
      role: 'worker' as const,
      model: 'claude-sonnet',
      executor: whoDid(card.id),
      status: card.lane === 'in_progress' ? ('running' as const) : ('completed' as const),
      turns: 14,
      inputTokens: 52_000,
      outputTokens: 6_100,
      costUsd: 0.042,
      error: null,
      startedAt: at,
      endedAt: null,
      workedMs: 0,
      handovers: nth === 0 ? 3 : 0,
      savedUsd: nth === 0 ? 0.42 : null,
    })),
  };
}
