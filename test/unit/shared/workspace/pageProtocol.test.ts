/** What the host takes from a page, which anybody may have got hold of: nothing beyond these shapes. */
import { describe, expect, it } from 'vitest';
import { MAX_MESSAGES, MAX_TEXT } from '../../../../src/shared/project/projectView.ts';
import { fromPage, PROJECT_ACTS } from '../../../../src/shared/workspace/pageProtocol.ts';
import { NO_LOOK } from '../../../../src/shared/workspace/panel.ts';

const takes = (message: unknown): boolean => fromPage.safeParse(message).success;
const look = { kind: 'look', ...NO_LOOK };
const message = { kind: 'sendMessage', project: 'api', text: 'Go on.' };

describe('a request of a page about projects', () => {
  it.each([
    look,
    { ...look, conversation: 'api', messages: MAX_MESSAGES },
    { kind: 'newBrief' },
    { kind: 'newBrief', project: 'api' },
    { kind: 'newProject' },
    { kind: 'openConversation', project: 'main' },
    { ...message, text: 'x'.repeat(MAX_TEXT) },
    { kind: 'markRead', project: 'api', upTo: 7 },
    { kind: 'stopTurn', project: 'api' },
    ...PROJECT_ACTS.map((act) => ({ kind: 'project', project: 'api', act })),
  ])('is taken: %#', (request) => {
    expect(takes(request)).toBe(true);
  });

  it.each([
    { ...look, messages: MAX_MESSAGES + 1 },
    { ...look, messages: -1 },
    { ...look, messages: 0.5 },
    { ...look, conversation: '' },
    { ...look, conversation: 'x'.repeat(65) },
    { kind: 'newBrief', project: '' },
    { ...message, text: '' },
    { ...message, text: 'x'.repeat(MAX_TEXT + 1) },
    { ...message, project: { toString: 'api' } },
    { kind: 'markRead', project: 'api', upTo: 0 },
    { kind: 'markRead', project: 'api', upTo: '7' },
    { kind: 'project', project: 'api', act: 'approve' },
    { kind: 'project', project: 'api', act: 'constructor' },
    { kind: 'defineProject', project: 'api', limits: {} },
  ])('is not taken: %#', (request) => {
    expect(takes(request)).toBe(false);
  });

  it('carries nothing beside what it is made of', () => {
    expect(fromPage.parse({ ...message, from: 'main', provider: 'openai' })).toEqual(message);
  });
});
