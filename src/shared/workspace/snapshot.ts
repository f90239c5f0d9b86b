/**
 * Transfers a snapshot to a page. It is always whole: its head names every part of its long lists. A part that the page has already is not sent
 * again. Texts are sent as bytes, because the editor copies objects value by value, and writes strings twice.
 */

import type { ConversationMessage, ProjectView } from '../project/projectView.ts';
import type { PanelStep, PanelTask, PanelTaskLine } from '../task/taskPanel.ts';
import type { PanelCard, PanelView } from './panel.ts';

/** The lists that are sent in parts. */
interface Lists {
  readonly cards: readonly PanelCard[];
  readonly projects: readonly ProjectView[];
  /** Messages of the conversation that the page shows. */
  readonly messages: readonly ConversationMessage[];
  readonly tasks: readonly PanelTask[];
  /** Steps of the task that the page shows. */
  readonly steps: readonly PanelStep[];
  readonly lines: readonly PanelTaskLine[];
}

const NAMES = ['cards', 'projects', 'messages', 'tasks', 'steps', 'lines'] as const satisfies readonly (keyof Lists)[];

type ListName = keyof Lists;
type Row = Lists[ListName][number];

export type SnapshotMessage =
  | { readonly kind: 'part'; readonly list: ListName; readonly part: number; readonly rows: Uint8Array }
  | {
      readonly kind: 'snapshot';
      readonly revision: number;
      readonly parts: Readonly<Record<ListName, readonly number[]>>;
      /** Everything but the lists. */
      readonly head: Uint8Array;
    };

/** Ends a part after such an id, so that an added or removed row moves no other part. */
const PART_END = 128;
const PART_MOST = 256;

interface Part {
  readonly key: number;
  readonly rows: readonly Row[];
}

const idOf = (row: Row): number | string => ('id' in row ? row.id : row.name);
const endsPart = (row: Row): boolean => 'id' in row && typeof row.id === 'number' && row.id % PART_END === 0;

function inParts(rows: readonly Row[]): (readonly Row[])[] {
  const parts: Row[][] = [];
  let part: Row[] = [];
  for (const row of rows) {
    part.push(row);
    if (!endsPart(row) && part.length < PART_MOST) continue;
    parts.push(part);
    part = [];
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

function encoded(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** Takes the long lists out of a view. */
function taken({ cards, projects, tasks, conversation, task, ...head }: PanelView): { lists: Lists; head: unknown } {
  const { messages = [], ...talk } = conversation ?? {};
  const { steps = [], log: lines = [], ...looked } = task ?? {};
  return {
    lists: { cards, projects, messages, tasks, steps, lines },
    head: { ...head, conversation: conversation && talk, task: task && looked },
  };
}

export interface SnapshotPacker {
  /** Messages that bring the page to this view; the last one is the snapshot itself. Each is created on demand. */
  pack(revision: number, view: PanelView): Iterable<SnapshotMessage>;
  /** Call after the page was reloaded, because it has lost all parts. */
  forget(): void;
}

/** Creates the packer for one page. A row counts as unchanged if it is the same object as before. */
export function snapshotPacker(): SnapshotPacker {
  let keys = 0;
  let held = new Map<string, Part>();
  const place = (name: ListName, rows: readonly Row[]): string =>
    `${name} ${rows[0] === undefined ? '' : idOf(rows[0])}`;
  const partOf = (name: ListName, rows: readonly Row[]): Part => {
    const before = held.get(place(name, rows));
    const same = before?.rows.length === rows.length && rows.every((row, at) => row === before.rows[at]);
    return same ? before : { key: ++keys, rows };
  };
  return {
    *pack(revision, view) {
      const { lists, head } = taken(view);
      const known = new Set([...held.values()].map(({ key }) => key));
      const partsOf = (name: ListName) => inParts(lists[name]).map((rows) => partOf(name, rows));
      const parts = NAMES.map((name) => ({ name, own: partsOf(name) }));
      const all = parts.flatMap(({ name, own }) => own.map((part) => ({ name, part })));
      held = new Map(all.map(({ name, part }) => [place(name, part.rows), part]));
      for (const { name, part } of all) {
        if (!known.has(part.key)) yield { kind: 'part', list: name, part: part.key, rows: encoded(part.rows) };
      }
      const keys = parts.map(({ name, own }) => [name, own.map(({ key }) => key)] as const);
      const named = Object.fromEntries(keys) as Record<ListName, number[]>;
      yield { kind: 'snapshot', revision, parts: named, head: encoded(head) };
    },
    forget: () => held.clear(),
  };
}

export interface Snapshot {
  readonly revision: number;
  readonly view: PanelView;
}

function equal(a: Row, b: Row): boolean {
  const [left, right] = [a as unknown as Record<string, unknown>, b as unknown as Record<string, unknown>];
  const names = Object.keys(left);
  // A field that the older row lacks is a difference.
  return names.length === Object.keys(right).length && names.every((name) => same(left[name], right[name]));
}

/** Also true for two lists, or two objects, of the same values. */
function same(a: unknown, b: unknown): boolean {
  if (a === b || typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.entries(a), b as Record<string, unknown>];
  return left.length === Object.keys(b).length && left.every(([name, value]) => same(value, right[name]));
}

/** A list as the page holds it: its rows stay the same objects while they are unchanged. */
interface Held {
  rows: readonly Row[];
  byId: ReadonlyMap<number | string, Row>;
  /** The parts of the view in this message. */
  shown: string;
}

function heldList(): Held {
  return { rows: [], byId: new Map(), shown: '' };
}

/**
 * Unpacks messages in the page. Returns the snapshot that a message completes, `null` while messages are missing, or `lost` if a part is missing and
 * the page must request everything again. Unchanged rows stay the same objects.
 */
export function snapshotUnpacker(): (message: SnapshotMessage) => Snapshot | null | 'lost' {
  const decoder = new TextDecoder();
  const parts = new Map<number, readonly Row[]>();
  const lists = Object.fromEntries(NAMES.map((name) => [name, heldList()])) as Record<ListName, Held>;
  const refresh = (list: Held, keys: readonly number[]): void => {
    const wanted = keys.join();
    if (wanted === list.shown) return;
    list.rows = keys.flatMap((key) => parts.get(key) ?? []);
    list.byId = new Map(list.rows.map((row) => [idOf(row), row]));
    list.shown = wanted;
  };
  return (message) => {
    if (message.kind === 'part') {
      const { byId } = lists[message.list];
      const came = JSON.parse(decoder.decode(message.rows)) as Row[];
      const kept = came.map((row) => {
        const before = byId.get(idOf(row));
        return before !== undefined && equal(before, row) ? before : row;
      });
      parts.set(message.part, kept);
      return null;
    }
    const still = new Set(NAMES.flatMap((name) => message.parts[name]));
    if ([...still].some((key) => !parts.has(key))) return 'lost';
    for (const name of NAMES) refresh(lists[name], message.parts[name]);
    for (const key of parts.keys()) if (!still.has(key)) parts.delete(key);
    const { conversation, task, ...head } = JSON.parse(decoder.decode(message.head)) as PanelView;
    const rows = <Name extends ListName>(name: Name) => lists[name].rows as Lists[Name];
    const view: PanelView = {
      ...head,
      cards: rows('cards'),
      projects: rows('projects'),
      tasks: rows('tasks'),
      conversation: conversation && { ...conversation, messages: rows('messages') },
      task: task && { ...task, steps: rows('steps'), log: rows('lines') },
    };
    return { revision: message.revision, view };
  };
}
