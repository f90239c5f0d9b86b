/** What the next message of a conversation leaves out. */
import { expect, it } from 'vitest';
import type { LimitLeft } from '../../../../../src/core/money/limitsLeft.ts';
import { changedLimits, changedSections } from '../../../../../src/engine/session/prompts/known.ts';
import { limitsSection } from '../../../../../src/engine/session/prompts/limitsSection.ts';
import { planSection } from '../../../../../src/engine/session/prompts/worker.ts';
import { jobRow } from '../../../../support/state/builders.ts';

const money = (left: number): readonly LimitLeft[] => [{ counts: 'money', limit: 'job', left, most: 1_000_000 }];

it('leaves out limits only if the last ones stated are the same', () => {
  const [before, now] = [money(600_000), money(400_000)];
  const stated = (limits: readonly LimitLeft[]) => `Assignment\n\n${limitsSection(limits)}\n\nWork.`;
  expect(changedLimits(now, [stated(now), 'another message'])).toEqual([]);
  expect(changedLimits(now, [stated(now), stated(before)])).toEqual(now);
  expect(changedLimits(now, ['a message without limits'])).toEqual(now);
});

it('repeats the plan only if a feature was added to it', () => {
  const plan = ['Phase 1: Core', '- 1: Parse'];
  const texts = [`The repository.\n\n${planSection(plan)}\n\n# Phase 1`];
  expect(changedSections(jobRow({}), plan, texts)).toEqual([]);
  const longer = [...plan, '- 2: Fix'];
  expect(changedSections(jobRow({}), longer, texts)).toEqual([planSection(longer)]);
  expect(changedSections(jobRow({}), [], texts)).toEqual([]);
});
