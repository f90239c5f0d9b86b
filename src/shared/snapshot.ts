/**
 * A snapshot on its way to a page. It is always whole: its head names every part of its cards. A part that the page holds
 * already, unchanged, is not sent again. Texts cross as bytes: the editor walks through objects value by value, and writes
 * strings twice.
 */
import type { PanelCard, PanelView } from './panelView.ts';

export type SnapshotMessage =
  | { readonly kind: 'cards'; readonly part: number; readonly cards: Uint8Array }
  | {
      readonly kind: 'snapshot';
      readonly revision: number;
      readonly parts: readonly number[];
      /** Everything but the cards. */
      readonly head: Uint8Array;
    };

/** Ends a part after such an id, so that a card that comes or goes moves no other part. */
const PART_END = 128;
const PART_MOST = 256;

interface Part {
  readonly key: number;
  readonly cards: readonly PanelCard[];
}

function inParts(cards: readonly PanelCard[]): (readonly PanelCard[])[] {
  const parts: PanelCard[][] = [];
  let part: PanelCard[] = [];
  for (const card of cards) {
    part.push(card);
    if (card.id % PART_END !== 0 && part.length < PART_MOST) continue;
    parts.push(part);
    part = [];
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

function encoded(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

export interface SnapshotPacker {
  /** What brings the page to this view; the last message is the snapshot itself. Each is made when it is asked for. */
  pack(revision: number, view: PanelView): Iterable<SnapshotMessage>;
  /** The page was loaded anew: it holds nothing. */
  forget(): void;
}

/** For one page. A card that is the same object as before is unchanged. */
export function snapshotPacker(): SnapshotPacker {
  let keys = 0;
  let held = new Map<number | undefined, Part>();
  const partOf = (cards: readonly PanelCard[]): Part => {
    const before = held.get(cards[0]?.id);
    const same = before?.cards.length === cards.length && cards.every((card, at) => card === before.cards[at]);
    return same ? before : { key: ++keys, cards };
  };
  return {
    *pack(revision, { cards, ...head }) {
      const parts = inParts(cards).map(partOf);
      const known = new Set([...held.values()].map(({ key }) => key));
      held = new Map(parts.map((part) => [part.cards[0]?.id, part]));
      for (const part of parts) {
        if (!known.has(part.key)) yield { kind: 'cards', part: part.key, cards: encoded(part.cards) };
      }
      yield { kind: 'snapshot', revision, parts: parts.map(({ key }) => key), head: encoded(head) };
    },
    forget: () => held.clear(),
  };
}

export interface Snapshot {
  readonly revision: number;
  readonly view: PanelView;
}

function equal(a: PanelCard, b: PanelCard): boolean {
  return (Object.keys(a) as (keyof PanelCard)[]).every((name) => a[name] === b[name]);
}

/**
 * The page's side: the snapshot that a message completes, `null` while there is more to come, `lost` when a part is missing
 * and the page has to ask for everything again. Cards that did not change stay the same objects.
 */
export function snapshotUnpacker(): (message: SnapshotMessage) => Snapshot | null | 'lost' {
  const decoder = new TextDecoder();
  const parts = new Map<number, readonly PanelCard[]>();
  let cards: readonly PanelCard[] = [];
  let byId = new Map<number, PanelCard>();
  let shown = '';
  return (message) => {
    if (message.kind === 'cards') {
      const came = JSON.parse(decoder.decode(message.cards)) as PanelCard[];
      const kept = came.map((card) => {
        const before = byId.get(card.id);
        return before !== undefined && equal(before, card) ? before : card;
      });
      parts.set(message.part, kept);
      return null;
    }
    const named = message.parts.map((key) => parts.get(key));
    if (named.includes(undefined)) return 'lost';
    const wanted = message.parts.join();
    if (wanted !== shown) {
      cards = named.flatMap((part) => part ?? []);
      byId = new Map(cards.map((card) => [card.id, card]));
      const still = new Set(message.parts);
      for (const key of parts.keys()) if (!still.has(key)) parts.delete(key);
      shown = wanted;
    }
    const head = JSON.parse(decoder.decode(message.head)) as Omit<PanelView, 'cards'>;
    return { revision: message.revision, view: { ...head, cards } };
  };
}
