/** The page's pure parts, and what its sources may not do. */

import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sampleView } from '../../webview-ui/dev/sample.ts';
import { sampleCards } from '../../webview-ui/dev/sampleCards.ts';
import { laneRows } from '../../webview-ui/src/job/lanes.ts';
import { canMove, dropped } from '../../webview-ui/src/job/moves.ts';
import { filtered } from '../../webview-ui/src/store/shown.ts';
import { FRESH, readUiState } from '../../webview-ui/src/store/uiState.ts';
import { duration, usd, visible } from '../../webview-ui/src/ui/text/format.ts';
import { windowParts } from '../../webview-ui/src/ui/use/windowed.ts';
import { changes } from '../../webview-ui/src/workspace/changes.ts';

const cards = sampleCards(30);
const card = (id: number) => cards[id - 1]!;
const EVERY = { query: '', jobId: '', category: '', executor: '' };
const names = (query: string) => filtered(cards, { ...EVERY, query }).map(({ id }) => id);

describe('a drop', () => {
  it('takes the place of a pending card of the same phase', () => {
    expect(dropped(card(1), { card: card(3) }).request).toEqual({ kind: 'reorderFeature', featureId: 1, position: 2 });
    expect(dropped(card(1), { card: card(10) }).request).toBeNull();
    expect(dropped(card(1), { card: card(1) }).request).toBeNull();
    expect(dropped(card(1), { lane: 'pending' }).request).toBeNull();
  });

  it('of a failed card on Pending tries it again, and means nothing elsewhere', () => {
    expect(dropped(card(5), { lane: 'pending' }).request).toEqual({ kind: 'retryFeature', featureId: 5 });
    expect(dropped(card(5), { card: card(3) }).request).toEqual({ kind: 'retryFeature', featureId: 5 });
    for (const lane of ['in_progress', 'needs_you', 'completed'] as const) {
      expect(dropped(card(1), { lane }).request).toBeNull();
      expect(dropped(card(5), { lane }).request).toBeNull();
    }
    expect(dropped(card(1), { lane: 'failed' }).request).toBeNull();
  });

  it('is offered for pending and failed cards of a job only', () => {
    expect([1, 2, 4, 5, 7].filter((id) => canMove(card(id)))).toEqual([1, 5]);
    expect(canMove({ ...card(1), jobId: null })).toBe(false);
  });
});

describe('the filter and the groups', () => {
  it('wants every word, and knows a card by its number', () => {
    expect(names('json PRINT')).toEqual([4, 14, 24]);
    expect(names('#14')).toEqual([14]);
    expect(filtered(cards, { ...EVERY, jobId: 'other' })).toEqual([]);
    expect(filtered(cards, { ...EVERY, category: 'docs' }).length).toBe(3);
    expect(filtered(cards, { ...EVERY, executor: 'cline' }).map(({ id }) => id)).toEqual(names('cline'));
    expect(filtered(cards, { ...EVERY, executor: 'builtin' })).toHaveLength(20);
  });

  it('groups in the order of the first card, losing none', () => {
    const rows = laneRows(cards, 'category');
    expect(rows.filter(({ kind }) => kind === 'card')).toHaveLength(cards.length);
    const groups = rows.flatMap((row) => (row.kind === 'group' ? [[row.title, row.size]] : []));
    expect(groups[0]).toEqual(['config', 6]);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
  });
});

describe('what changed', () => {
  const view = sampleView(20);
  const moved = (ids: readonly number[]) => ({
    ...view,
    cards: view.cards.map((one) => (ids.includes(one.id) ? { ...one, lane: 'failed' as const } : one)),
  });

  it('is named, or counted when it is much', () => {
    expect(changes(view, view)).toEqual([]);
    expect(changes(view, moved([1]))).toEqual(['Parse the configuration file: Failed.']);
    expect(changes(view, moved([1, 2, 3, 4]))).toEqual(['4 cards moved.']);
  });

  it('is told of tasks by their state', () => {
    const tasks = sampleView(20, 'tasks');
    const over = (ids: readonly string[]) => ({
      ...tasks,
      tasks: tasks.tasks.map((task) => (ids.includes(task.id) ? { ...task, status: 'CANCELLED' as const } : task)),
    });
    expect(changes(tasks, over(['task-research']))).toEqual(['Market Research: Cancelled.']);
    expect(changes(tasks, over(tasks.tasks.map(({ id }) => id)))).toEqual(['6 tasks have progressed.']);
  });

  it('begins with the questions', () => {
    const before = { ...view, approvals: [] };
    expect(changes(before, moved([1]))[0]).toBe(
      'A question needs your answer: Merge “A calculator for the terminal” into main?',
    );
    expect(changes(before, { ...view, approvals: [...view.approvals, { ...view.approvals[0]!, id: 9 }] })).toEqual([
      '4 new questions need your answer.',
    ]);
  });
});

describe('what is shown and kept', () => {
  it('writes out what cannot be seen, and leaves the rest', () => {
    expect(visible('a\u202eb\u0000c\u001b[0m')).toBe('a‹U+202E›b‹U+0000›c‹U+001B›[0m');
    expect(visible('tab\tline\nעברית 🧨')).toBe('tab\tline\nעברית 🧨');
  });

  it('rounds money and time as people do', () => {
    expect([0, 0.0042, 1.844, 12_345].map(usd)).toEqual(['$0.00', '$0.0042', '$1.84', '$12,345.00']);
    expect([-5, 8_900, 200_000, 3_845_000].map(duration)).toEqual(['0s', '8s', '3m 20s', '1h 04m']);
  });

  it('takes a saved state of any shape', () => {
    for (const value of [null, undefined, 7, 'x', [], { tab: 'evil', selected: '1', query: {} }]) {
      expect(readUiState(value)).toEqual(FRESH);
    }
    const kept = { ...FRESH, tab: 'costs', groupBy: 'phase', query: 'json', selected: 3 } as const;
    expect(readUiState(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
  });
});

describe('the sources of the page', () => {
  const root = fileURLToPath(new URL('../../webview-ui/src', import.meta.url));
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path: path.split(sep).join('/'), text: readFileSync(join(root, path), 'utf8') }));

  /** A name of a key, a status, the path of a line, or a word that only machines read. */
  const NOT_SHOWN =
    /^([CM]\$\{.*|PENDING|RUNNING|PAUSED|COMPLETED|FAILED|SKIPPED|CANCELLED|Arrow(Up|Down|Left|Right)|Home|End|Enter|Esc|Escape|Space|Tab|APPROVED|REJECTED|ESCALATE|USD)$/;

  /** Literals that begin as a sentence or a label does, outside of `t` and `plural`. */
  function untranslated(text: string): string[] {
    const code = text
      .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
      .replace(/(?<![.\w])t\(\s*('(?:[^'\\]|\\.)*'|"[^"]*")/g, 't(')
      .replace(/\b(one|other): '[^']*'/g, '$1:');
    return [...code.matchAll(/'([A-Z][^'\n]*)'|"([A-Z][^"\n]*)"|`([A-Z][^`]*)`|>\s*([A-Z][\w ]+)\s*</g)]
      .map((found) => found.slice(1).find((part) => part !== undefined) ?? '')
      .filter((literal) => !NOT_SHOWN.test(literal));
  }

  it('say nothing that cannot be translated', () => {
    expect(untranslated(`<p title="Close">{t('Fine')}</p>; const a = 'No jobs'; look(\`Phase #\`)`)).toEqual([
      'Close',
      'No jobs',
      'Phase #',
    ]);
    expect(files.flatMap(({ path, text }) => untranslated(text).map((literal) => `${path}: ${literal}`))).toEqual([]);
  });

  it('reach the host through one file, and never make markup of text', () => {
    const api = /acquireVsCodeApi\s*\(/;
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter(({ text }) => api.test(text)).map(({ path }) => path)).toEqual(['store/bridge.ts']);
    const markup = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/i;
    expect('dangerouslySetInnerHTML').toMatch(markup);
    expect(files.filter(({ text }) => markup.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

describe('a long list', () => {
  const sized = (sizes: readonly number[], from: number, to: number, always = -1) =>
    windowParts({ count: sizes.length, sizeOf: (index) => sizes[index] ?? 0, from, to, always }).map((part) =>
      part.kind === 'row' ? part.index : `${part.height} px`,
    );

  it('has the rows in sight, and the room of the others', () => {
    expect(sized([10, 10, 10, 10, 10, 10], 15, 28)).toEqual(['10 px', 1, 2, '30 px']);
    expect(sized([10, 30, 5], 0, 100)).toEqual([0, 1, 2]);
    expect(sized([], 0, 100)).toEqual([]);
  });

  it('has one row more, wherever that is', () => {
    expect(sized([10, 10, 10, 10, 10], 0, 5, 3)).toEqual([0, '20 px', 3, '10 px']);
    expect(sized([10, 10, 10], 500, 600, 0)).toEqual([0, '20 px']);
  });
});
