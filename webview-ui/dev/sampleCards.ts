/** Cards for a plain browser and the tests: `sampleCards(n)` is always the same. */
import type { Lane, PanelAttempt, PanelCard } from '../../src/shared/panelView.ts';

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
const LANES: readonly Lane[] = ['pending', 'completed', 'pending', 'in_progress', 'failed', 'completed', 'needs_you'];
const PHASES = ['Foundations', 'Commands', 'Polish'];
const START = Date.UTC(2026, 10, 2, 9);

function attempt(card: number, number: number, lane: Lane): PanelAttempt {
  const running = lane === 'in_progress';
  const failed = lane === 'failed';
  return {
    id: card * 10 + number,
    number,
    status: running ? 'running' : failed ? 'failed' : 'succeeded',
    cause: failed ? 'verify_failed' : null,
    summary: running ? null : 'Wrote the parser and seven tests; the error messages name the line.',
    feedback: failed ? 'The second test expects exit code 2 for a missing file.' : null,
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
    sessionId: card * 10 + number,
    startedAt: new Date(START + card * 60_000).toISOString(),
    endedAt: running ? null : new Date(START + card * 60_000 + 95_000).toISOString(),
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
    description: `${name}. Behaves the same from a file and from a terminal, and says what is wrong in one line.`,
    category,
    testingSteps: ['Run node --test', 'Feed it a file that is not there: exit code 2'],
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
    feedback: lane === 'failed' ? 'The second test expects exit code 2 for a missing file.' : null,
    approvalId: lane === 'needs_you' ? id : null,
    costUsd: tried * 0.042,
    notes:
      index % 4 === 1
        ? [{ id, content: 'Keep the old flag working until 2.0.', createdAt: new Date(START).toISOString() }]
        : [],
    attempts: Array.from({ length: tried }, (_, nth) => attempt(id, nth + 1, lane)),
    startedAt: lane === 'in_progress' ? new Date(START + id * 60_000).toISOString() : null,
  };
}

export function sampleCards(amount: number): PanelCard[] {
  return Array.from({ length: amount }, (_, index) => sampleCard(index));
}
