/**
 * Computes the layout of a task's graph: layers by the longest path to a step, next to its neighbors. Edges that another path implies are left out;
 * an edge that passes a layer takes a position in it. Pure.
 */

export interface GraphStep {
  readonly number: number;
  /** Numbers of the steps before it. */
  readonly after: readonly number[];
}

interface GraphNode {
  readonly number: number;
  readonly layer: number;
  /** Center of the node, in widths of a node. */
  readonly x: number;
}

export interface GraphEdge {
  readonly from: number;
  readonly to: number;
  /** One for each layer from the first to the last. */
  readonly xs: readonly number[];
}

export interface TaskGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly layers: number;
  /** Width in widths of a node. */
  readonly width: number;
}

/** Beyond these limits a drawing is not readable. */
const MOST_STEPS = 150;
const MOST_PLACES = 2_000;

const SWEEPS = 4;
/** Width of an edge that passes a layer, in widths of a node. */
const PASSING = 0.2;

/** A node, or where an edge passes a layer. */
interface LayoutNode {
  readonly layer: number;
  readonly wide: number;
  readonly up: LayoutNode[];
  readonly down: LayoutNode[];
  x: number;
}

/** Each step's layer, and the earlier steps on which it depends without an implied path. Steps in a cycle have no dependencies. */
function ordered(steps: readonly GraphStep[]): Map<number, { readonly layer: number; readonly after: number[] }> {
  const placed = new Map<number, { layer: number; after: number[] }>();
  /** A bit for each step that has to be over before. */
  const before = new Map<number, bigint>();
  const bit = new Map(steps.map(({ number }, at) => [number, 1n << BigInt(at)]));
  const put = ({ number, after }: GraphStep): void => {
    const own = [...new Set(after)].filter((one) => placed.has(one));
    const all = own.map((one) => before.get(one) ?? 0n);
    const implied = all.reduce((sum, bits) => sum | bits, 0n);
    const layers = own.map((one) => (placed.get(one)?.layer ?? 0) + 1);
    placed.set(number, {
      layer: Math.max(0, ...layers),
      after: own.filter((one) => (implied & (bit.get(one) ?? 0n)) === 0n),
    });
    before.set(
      number,
      own.reduce((sum, one) => sum | (bit.get(one) ?? 0n), implied),
    );
  };
  let left = steps;
  while (left.length > 0) {
    const ready = left.filter(({ after }) => after.every((one) => placed.has(one) || !bit.has(one)));
    const now = ready.length > 0 ? ready : left.slice(0, 1);
    for (const one of now) put(one);
    left = left.filter(({ number }) => !placed.has(number));
  }
  return placed;
}

function linked(chain: readonly LayoutNode[]): void {
  chain.forEach((place, at) => {
    const next = chain[at + 1];
    if (next === undefined) return;
    place.down.push(next);
    next.up.push(place);
  });
}

const middle = (places: readonly LayoutNode[], otherwise: number): number =>
  places.length === 0 ? otherwise : places.reduce((sum, { x }) => sum + x, 0) / places.length;

/** Moves each as near to its wanted position as possible, without changing their order. */
function settle(row: readonly LayoutNode[], wanted: readonly number[]): void {
  const gap = (at: number): number => ((row[at]?.wide ?? 0) + (row[at + 1]?.wide ?? 0)) / 2;
  const right = [...wanted];
  for (let at = 1; at < row.length; at++) right[at] = Math.max(right[at] ?? 0, (right[at - 1] ?? 0) + gap(at - 1));
  const left = [...wanted];
  for (let at = row.length - 2; at >= 0; at--) left[at] = Math.min(left[at] ?? 0, (left[at + 1] ?? 0) - gap(at));
  row.forEach((place, at) => {
    place.x = ((right[at] ?? 0) + (left[at] ?? 0)) / 2;
  });
}

/** Arranges rows by layer: first in an order with few crossings, then near to its neighbors. */
function arrange(rows: LayoutNode[][]): void {
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isDown = sweep % 2 === 0;
    for (const row of isDown ? rows : rows.toReversed()) {
      row.sort((a, b) => middle(isDown ? a.up : a.down, a.x) - middle(isDown ? b.up : b.down, b.x));
      row.forEach((place, at) => {
        place.x = at - (row.length - 1) / 2;
      });
    }
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isDown = sweep % 2 === 0;
    for (const row of isDown ? rows : rows.toReversed()) {
      settle(
        row,
        row.map(({ up, down, x }) => middle(isDown ? up : down, middle(isDown ? down : up, x))),
      );
    }
  }
}

/** Returns null if the graph is too large to be drawn. */
export function drawnGraph(steps: readonly GraphStep[]): TaskGraph | null {
  if (steps.length > MOST_STEPS) return null;
  const order = ordered(steps);
  const rows: LayoutNode[][] = [];
  const placeAt = (layer: number, wide: number): LayoutNode => {
    rows[layer] ??= [];
    const row = rows[layer];
    const place: LayoutNode = { layer, wide, up: [], down: [], x: row.length };
    row.push(place);
    return place;
  };
  const nodes = new Map([...order].map(([number, { layer }]) => [number, placeAt(layer, 1)]));
  const edges: { from: number; to: number; chain: LayoutNode[] }[] = [];
  let places = 0;
  for (const [to, { after, layer }] of order) {
    for (const from of after) {
      const [start, end] = [nodes.get(from), nodes.get(to)];
      if (start === undefined || end === undefined) continue;
      places += layer - start.layer;
      if (places > MOST_PLACES) return null;
      const chain = [start];
      for (let passed = start.layer + 1; passed < layer; passed++) chain.push(placeAt(passed, PASSING));
      chain.push(end);
      linked(chain);
      edges.push({ from, to, chain });
    }
  }
  arrange(rows);
  const all = rows.flat();
  const leftmost = Math.min(0, ...all.map(({ x, wide }) => x - wide / 2));
  const x = (place: LayoutNode): number => place.x - leftmost;
  return {
    nodes: [...nodes].map(([number, place]) => ({ number, layer: place.layer, x: x(place) })),
    edges: edges.map(({ from, to, chain }) => ({ from, to, xs: chain.map(x) })),
    layers: rows.length,
    width: Math.max(0, ...all.map((place) => x(place) + place.wide / 2)),
  };
}
