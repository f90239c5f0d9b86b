/** A wait on the page: its words, and where it is shown. */
import { expect, it } from 'vitest';
import type { Waiting } from '../../src/shared/waiting.ts';
import { sampleView } from '../../webview-ui/dev/sample.ts';
import { sampleTask } from '../../webview-ui/dev/sampleTasks.ts';
import { shownStatus } from '../../webview-ui/src/job/jobFacts.ts';
import { stepState, taskLook } from '../../webview-ui/src/task/taskFacts.ts';
import { apart, sinceText, waitText } from '../../webview-ui/src/ui/text/waitFacts.ts';
import { changes } from '../../webview-ui/src/workspace/changes.ts';

const NOW = Date.UTC(2026, 10, 2, 12);
const waiting: Waiting = {
  code: 'provider',
  reason: 'HTTP 429',
  since: new Date(NOW - 120_000).toISOString(),
  until: new Date(NOW + 60_000).toISOString(),
  who: 'provider',
  now: ['try_now'],
  approvalId: null,
};

it('says why, when it is tried again, and since when it waits', () => {
  expect(waitText(waiting, NOW)).toMatch(/^HTTP 429, retries /);
  expect(waitText(waiting, NOW + 60_000)).toBe('HTTP 429, trying again');
  expect(sinceText(waiting, NOW)).toMatch(/^since /);
  expect(sinceText({ ...waiting, since: waiting.until }, NOW)).toBe('');
});

it('leaves questions and pauses to the places that they have', () => {
  expect(apart({ ...waiting, code: 'question' })).toBeNull();
  expect(apart({ ...waiting, code: 'paused' })).toBeNull();
  expect(apart(waiting)).toBe(waiting);
});

it('shows a job that a call keeps from moving as waiting, and tells when that begins and ends', () => {
  const before = sampleView(20);
  const [first] = before.jobs;
  const after = { ...before, jobs: before.jobs.map((job) => (job === first ? { ...job, waiting } : job)) };
  expect(shownStatus({ ...first!, status: 'running', waiting })).toBe('waiting');
  expect(shownStatus({ ...first!, status: 'running', waiting: null })).toBe('running');
  expect(changes(before, after)).toEqual([`${first?.title} is waiting: HTTP 429`]);
  expect(changes(after, before)).toEqual([`${first?.title} continues.`]);
});

it('shows a task and a step that a call keeps from moving as waiting', () => {
  const task = { status: 'RUNNING', questions: 0, waiting } as const;
  expect(taskLook(task)).toEqual({ label: 'Waiting', icon: 'clock' });
  expect(taskLook({ ...task, waiting: null }).label).toBe('Running');
  expect(taskLook({ ...task, questions: 1 }).label).toBe('Needs your input');
  const [step] = sampleTask(sampleView(20), 'task-old', null, 1)?.steps ?? [];
  const running = { ...step!, status: 'RUNNING', wakeAt: null, questionId: null } as const;
  expect(stepState({ ...running, waiting })).toBe('waiting');
  expect(stepState({ ...running, waiting: null })).toBe('running');
});
