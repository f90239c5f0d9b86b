import { expect, it } from 'vitest';
import { clock, progressLine } from '../../../scripts/test/progress.mjs';
import { blocked, secondsLeft, startable } from '../../../scripts/test/schedule.mjs';

type Status = 'passed' | 'failed' | 'running' | 'not run';

const step = (name: string, seconds: number, needs: readonly string[] = []) => ({
  name,
  command: ['true'],
  seconds,
  needs,
});
const statuses = (known: Readonly<Record<string, Status>>) => new Map(Object.entries(known));
const names = (steps: readonly { readonly name: string }[]) => steps.map(({ name }) => name);

const STEPS = [
  step('editor', 60),
  step('types', 5),
  step('lint', 3),
  step('suite', 100, ['types', 'lint']),
  step('window', 40, ['editor']),
];

it('starts as many steps as there are lanes', () => {
  expect(names(startable(STEPS, statuses({}), 2))).toEqual(['editor', 'types']);
  expect(names(startable(STEPS, statuses({ editor: 'running' }), 2))).toEqual(['types']);
  expect(names(startable(STEPS, statuses({ editor: 'running', types: 'running' }), 2))).toEqual([]);
  expect(names(startable(STEPS, statuses({ editor: 'running', types: 'running' }), 1))).toEqual([]);
});

it('starts a step only once all that it needs has passed', () => {
  expect(names(startable(STEPS, statuses({ editor: 'running', types: 'passed', lint: 'running' }), 2))).toEqual([]);
  expect(names(startable(STEPS, statuses({ editor: 'running', types: 'passed', lint: 'passed' }), 2))).toEqual([
    'suite',
  ]);
});

it('never starts what needs a step that failed, also over several steps', () => {
  const chain = [step('types', 1), step('build', 1, ['types']), step('package', 1, ['build']), step('unit', 1)];
  expect(names(blocked(chain, statuses({ types: 'failed' })))).toEqual(['build', 'package']);
  expect(names(startable(chain, statuses({ types: 'failed' }), 2))).toEqual(['unit']);
});

it('estimates the rest from lanes, needs and what has run already', () => {
  const elapsed = () => 2;
  expect(secondsLeft([step('a', 10), step('b', 10), step('c', 10)], statuses({}), elapsed, 2)).toBe(20);
  expect(secondsLeft([step('a', 10), step('b', 10)], statuses({ a: 'running' }), elapsed, 1)).toBe(18);
  expect(secondsLeft([step('a', 10), step('b', 10, ['a'])], statuses({}), elapsed, 2)).toBe(20);
  expect(secondsLeft([step('a', 1)], statuses({ a: 'running' }), elapsed, 2)).toBe(1);
  expect(secondsLeft([step('a', 1), step('b', 5, ['a'])], statuses({ a: 'failed', b: 'not run' }), elapsed, 2)).toBe(0);
});

it('shows what is done, what runs and how long the rest takes, in one line', () => {
  const known = statuses({ editor: 'running', types: 'passed', lint: 'failed', suite: 'not run' });
  expect(progressLine(STEPS, known, () => 75, 2)).toBe('3/5 steps, 1 failed · running: editor 1:15 · about 0:41 left');
  expect(clock(59.6)).toBe('1:00');
});
