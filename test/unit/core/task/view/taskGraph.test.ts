/** Where steps stand when they are drawn. */

import { describe, expect, it } from 'vitest';
import { drawnGraph, type GraphStep, type TaskGraph } from '../../../../../src/core/task/view/taskGraph.ts';
import { fc } from '../../../../support/suite/property.ts';

const step = (number: number, ...after: number[]): GraphStep => ({ number, after });

function drawn(...steps: GraphStep[]): TaskGraph {
  const graph = drawnGraph(steps);
  if (graph === null) throw new Error('too much to be drawn');
  return graph;
}

const layers = ({ nodes }: TaskGraph) => Object.fromEntries(nodes.map(({ number, layer }) => [number, layer]));
const edges = (graph: TaskGraph) => graph.edges.map(({ from, to }) => `${from}-${to}`);

/** Steps that need earlier ones alone. */
const anySteps = fc
  .array(fc.array(fc.nat(), { maxLength: 4 }), { maxLength: 40 })
  .map((all) => all.map((needs, at) => step(at + 1, ...(at === 0 ? [] : needs.map((need) => 1 + (need % at))))));

describe('the drawing of steps', () => {
  it('puts each in the layer after the last that it needs', () => {
    expect(layers(drawn(step(1), step(2, 1), step(3, 1), step(4, 2, 3), step(5)))).toEqual({
      1: 0,
      2: 1,
      3: 1,
      4: 2,
      5: 0,
    });
  });

  it('leaves out what another way implies, and leads a long edge past a layer', () => {
    expect(edges(drawn(step(1), step(2, 1), step(3, 1, 2)))).toEqual(['1-2', '2-3']);
    const graph = drawn(step(1), step(2, 1), step(3, 2), step(4, 1), step(5, 3, 4));
    expect(graph.edges.find(({ from, to }) => from === 4 && to === 5)?.xs).toHaveLength(3);
  });

  it('has no two at one place, every edge downwards, and each step once', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const graph = drawn(...steps);
        const layer = layers(graph);
        expect(graph.nodes.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
          steps.map(({ number }) => number),
        );
        for (const { from, to, xs } of graph.edges) expect(xs).toHaveLength((layer[to] ?? 0) - (layer[from] ?? 0) + 1);
        for (const row of Map.groupBy(graph.nodes, (node) => node.layer).values()) {
          const xs = row.map(({ x }) => x).sort((a, b) => a - b);
          for (const [at, x] of xs.entries()) expect(x - (xs[at - 1] ?? -0.5)).toBeGreaterThan(0.999);
          expect(xs.at(-1)).toBeLessThanOrEqual(graph.width - 0.5 + 1e-9);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('draws what hangs in a circle, or on nothing, all the same', () => {
    const graph = drawn(step(1, 2), step(2, 1), step(3, 99));
    expect(graph.nodes).toHaveLength(3);
    expect(edges(graph)).toEqual(['1-2']);
    expect(drawn()).toEqual({ nodes: [], edges: [], layers: 0, width: 0 });
  });

  it('refuses what would only be a thicket', () => {
    const chain = (length: number) => Array.from({ length }, (_, at) => step(at + 1, ...(at === 0 ? [] : [at])));
    expect(drawnGraph(chain(150))?.layers).toBe(150);
    expect(drawnGraph(chain(151))).toBeNull();
    const many = Array.from({ length: 60 }, (_, at) => at + 1);
    expect(drawnGraph([...many.map((number) => step(number)), ...many.map((at) => step(60 + at, ...many))])).toBeNull();
  });
});
