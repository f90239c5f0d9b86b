/** The pure parts of projects and conversations on the page. */

import { describe, expect, it } from 'vitest';
import type { ConversationMessage } from '../../src/shared/project/projectView.ts';
import { sampleView } from '../../webview-ui/dev/sample.ts';
import { sampleConversation } from '../../webview-ui/dev/sampleProjects.ts';
import { approveLabel, isEitherOr } from '../../webview-ui/src/approval/approveLabel.ts';
import { speakerOf } from '../../webview-ui/src/project/talk/talkers.ts';
import { readDrafts, settledDrafts, unsent, withDraft } from '../../webview-ui/src/store/drafts.ts';
import { ofProject } from '../../webview-ui/src/store/shown.ts';
import { FRESH, readUiState } from '../../webview-ui/src/store/uiState.ts';
import { blocksOf, spansOf } from '../../webview-ui/src/ui/text/formatted.ts';
import { choiceLabel } from '../../webview-ui/src/ui/text/labels.ts';
import { changes } from '../../webview-ui/src/workspace/changes.ts';
import { HOSTILE } from '../hostile/page/payloads.ts';

const view = sampleView(20, 'projects');
const conversation = sampleConversation(true)('api-migration', 100, 0);
const said = (patch: Partial<ConversationMessage>): ConversationMessage => ({
  ...(conversation.messages[0] as ConversationMessage),
  ...patch,
});

describe('a text', () => {
  it('is paragraphs, headings, lists and code', () => {
    const text = 'One\ntwo\n\n## Then\n- a\n  more\n  - b\n2) c\n```ts\n# no heading\n\n- no item\n```\nend';
    expect(blocksOf(text)).toEqual([
      { kind: 'paragraph', text: 'One\ntwo' },
      { kind: 'heading', text: 'Then' },
      {
        kind: 'list',
        items: [
          { mark: '', depth: 0, text: 'a\nmore' },
          { mark: '', depth: 1, text: 'b' },
          { mark: '2)', depth: 0, text: 'c' },
        ],
      },
      { kind: 'code', text: '# no heading\n\n- no item' },
      { kind: 'paragraph', text: 'end' },
    ]);
  });

  it('ends a fence with a fence of its kind, or with the text', () => {
    expect(blocksOf('````\n```\n````')).toEqual([{ kind: 'code', text: '```' }]);
    expect(blocksOf('~~~\nopen')).toEqual([{ kind: 'code', text: 'open' }]);
  });

  it('has code and strong words, and no links', () => {
    expect(spansOf('a `b **c**` **d** [e](https://example.invalid) *f*')).toEqual([
      { kind: 'text', text: 'a ' },
      { kind: 'code', text: 'b **c**' },
      { kind: 'text', text: ' ' },
      { kind: 'strong', text: 'd' },
      { kind: 'text', text: ' [e](https://example.invalid) *f*' },
    ]);
  });

  it('loses no letter of what is hostile', () => {
    const letters = (text: string) => text.replace(/[^\p{L}\p{N}<>]/gu, '');
    const shown = (text: string) =>
      blocksOf(text).map((block) =>
        block.kind === 'list' ? block.items.map((item) => item.mark + item.text) : block.text,
      );
    for (const text of HOSTILE) {
      const spans = shown(text)
        .flat()
        .flatMap(spansOf)
        .map((span) => span.text);
      expect(letters(spans.join(''))).toBe(letters(text));
    }
  });

  it.each(['`'.repeat(50_000), '*'.repeat(50_000), '- '.repeat(30_000), `${' '.repeat(50_000)}x`, '\n'.repeat(50_000)])(
    'is read to its end, however often its marks repeat: %#',
    (text) => {
      const letters = blocksOf(text).flatMap((block) =>
        block.kind === 'list' ? block.items.map((item) => item.text) : spansOf(block.text).map((span) => span.text),
      );
      expect(letters.join('').length).toBeLessThanOrEqual(text.length);
    },
  );
});

describe('a draft', () => {
  const drafts = withDraft({ web: { text: 'other', sentAfter: null } }, 'api-migration', {
    text: 'Go on.',
    sentAfter: 42,
  });

  it('stays until it is seen as said', () => {
    expect(settledDrafts(drafts, null)).toBe(drafts);
    expect(settledDrafts(drafts, conversation)).toBe(drafts);
    const old = { ...conversation, messages: [...conversation.messages, said({ id: 41, text: 'Go on.' })] };
    expect(settledDrafts(drafts, old)).toBe(drafts);
    const others = { ...conversation, messages: [said({ id: 43, text: 'Go on.', sender: 'main' })] };
    expect(settledDrafts(drafts, others)).toBe(drafts);
    const now = { ...conversation, messages: [said({ id: 43, text: 'Go on.' })] };
    expect(settledDrafts(drafts, now)).toEqual({ web: { text: 'other', sentAfter: null } });
  });

  it('can be edited again when it was not sent', () => {
    expect(unsent(drafts, 'api-migration')['api-migration']).toEqual({ text: 'Go on.', sentAfter: null });
    expect(unsent(drafts, 'constructor')).toBe(drafts);
  });

  it('is read from a saved state of any shape', () => {
    for (const saved of [null, 7, 'x', [1, null], { a: null, b: { text: 7 }, c: { text: '' } }]) {
      expect(readDrafts(saved)).toEqual({});
    }
    expect(readDrafts(JSON.parse('{"__proto__":{"text":"x"},"b":{"text":"y","sentAfter":"1"}}'))).toEqual(
      Object.fromEntries([
        ['__proto__', { text: 'x', sentAfter: null }],
        ['b', { text: 'y', sentAfter: null }],
      ]),
    );
    const kept = { ...FRESH, tab: 'conversations', talk: 'web', projectId: 'web', drafts } as const;
    expect(readUiState(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
  });
});

describe('who speaks', () => {
  it.each([
    [{ direction: 'in', sender: 'steward' }, 'You'],
    [{ direction: 'in', sender: 'main' }, 'Main agent'],
    [{ direction: 'in', sender: 'project', relayedFrom: 'web' }, 'web'],
    [{ direction: 'in', sender: 'heartbeat' }, 'Heartbeat'],
    [{ direction: 'in', sender: 'engine' }, 'Autonomous'],
    [{ direction: 'out', sender: 'engine' }, 'Autonomous'],
    [{ direction: 'out', sender: 'project' }, 'api-migration'],
  ] as const)('%o', (patch, name) => {
    expect(speakerOf('api-migration', said(patch)).name).toBe(name);
  });
});

describe('a choice', () => {
  it('of whom to tell is a name, whatever that is', () => {
    expect(['merge', 'nobody', 'api-migration'].map((choice) => choiceLabel('relay', choice))).toEqual([
      'merge',
      'Nobody',
      'api-migration',
    ]);
    expect(choiceLabel('merge', 'merge')).toBe('Merge');
    expect(choiceLabel('definition', 'take_over')).toBe('Take It Over');
  });

  it('is what its button says', () => {
    expect(approveLabel({ kind: 'relay', choices: ['web', 'nobody'] }, 'web')).toBe('Pass On');
    expect(approveLabel({ kind: 'relay', choices: ['web', 'nobody'] }, 'nobody')).toBe('Forward to No Project');
    expect(approveLabel({ kind: 'provider', choices: [] })).toBe('Try Again');
    expect(approveLabel({ kind: 'project', choices: ['try_again'] })).toBe('Try Again');
    expect(approveLabel({ kind: 'merge', choices: ['merge', 'branch'] }, 'merge')).toBe('Approve');
    expect(isEitherOr({ kind: 'definition', choices: ['take_over', 'put_back'] })).toBe(true);
    expect(isEitherOr({ kind: 'merge', choices: ['merge', 'branch'] })).toBe(false);
  });
});

describe('the board of one project', () => {
  it('has its jobs and cards, and all that waits for the steward', () => {
    const one = ofProject(view, 'api-migration');
    expect(one.jobs.map(({ id }) => id)).toEqual(['job-3']);
    expect(one.cards).toEqual([]);
    expect(one.approvals).toBe(view.approvals);
    expect(ofProject(view, 'default').cards).toEqual(view.cards);
  });

  it('is that of all while the project is not known', () => {
    expect(ofProject(view, '')).toBe(view);
    expect(ofProject(view, 'gone')).toBe(view);
  });
});

describe('what is told of conversations', () => {
  const looked = { ...view, conversation };
  const more = (patch: Partial<ConversationMessage>) => ({
    ...looked,
    conversation: { ...conversation, messages: [...conversation.messages, said({ id: 43, ...patch })] },
  });

  it('is the words of a project where one looks, not one’s own, and not all of them at first', () => {
    expect(changes(looked, more({ direction: 'out', text: 'Done.' }))).toEqual(['api-migration says: Done.']);
    expect(changes(looked, more({ text: 'Thanks.' }))).toEqual([]);
    expect(changes({ ...view, conversation: null }, looked)).toEqual([]);
  });

  it('is that there are some elsewhere, and that one stands still', () => {
    const patched = (name: string, patch: object) => ({
      ...view,
      projects: view.projects.map((one) => (one.name === name ? { ...one, ...patch } : one)),
    });
    expect(changes(view, patched('docs', { unread: 1 }))).toEqual(['docs has sent a message.']);
    expect(changes(view, patched('docs', { parked: true, reason: 'line 7' }))).toEqual(['docs is parked: line 7']);
    expect(changes(view, patched('api-migration', { unread: 0 }))).toEqual([]);
  });
});
