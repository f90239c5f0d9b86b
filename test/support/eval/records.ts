/** Records of evals for tests. */
import type { EvalNote, EvalResult } from '../../../src/shared/eval/records.ts';

export function resultOf(parts: Partial<EvalResult> = {}): EvalResult {
  const outcome = parts.outcome ?? 'passed';
  return {
    version: 1,
    at: '2026-11-02T12:00:00.000Z',
    release: '1.2.3',
    task: 't1',
    title: 'A task',
    category: 'src',
    variant: 'a',
    settings: 's1',
    repetition: 1,
    executor: 'builtin',
    model: 'claude-sonnet-5-5',
    provider: 'anthropic',
    outcome,
    passed: outcome === 'passed',
    reason: outcome === 'passed' ? '' : 'a test failed',
    microUsd: 100_000,
    unpricedCalls: 0,
    turns: 5,
    seconds: 10,
    worker: { category: 'core', features: 1, passed: outcome === 'passed' ? 1 : 0, microUsd: 60_000 },
    ...parts,
  };
}

export function started(run: string, folder = `/eval/${run}`): EvalNote {
  return { type: 'started', version: 1, at: '2026-11-02T12:00:00.000Z', run, folder, reservedMicroUsd: 2_000_000 };
}

export function lost(run: string, folder = `/eval/${run}`): EvalNote {
  return { type: 'lost', version: 1, at: '2026-11-02T12:00:00.000Z', run, folder, microUsd: 2_000_000 };
}
