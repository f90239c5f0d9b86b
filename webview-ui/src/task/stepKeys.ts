/** Decides which step an arrow key selects. Pure. */
import type { TaskGraph } from '../../../src/core/task/view/taskGraph.ts';
import type { PanelStep } from '../../../src/shared/task/taskPanel.ts';

const SIDES: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Numbers of the steps in the direction of a key. */
function towards(key: string, from: number, { nodes, edges }: TaskGraph): number[] {
  if (key === 'ArrowDown') return edges.filter((edge) => edge.from === from).map(({ to }) => to);
  if (key === 'ArrowUp') return edges.filter((edge) => edge.to === from).map((edge) => edge.from);
  const own = nodes.find(({ number }) => number === from);
  const side = SIDES[key];
  if (own === undefined || side === undefined) return [];
  return nodes.filter(({ layer, x }) => layer === own.layer && (x - own.x) * side > 0).map(({ number }) => number);
}

/** In the drawing along its edges, and to the side in one layer; in the list from line to line. */
export function stepTarget(
  key: string,
  from: PanelStep,
  steps: readonly PanelStep[],
  graph: TaskGraph | null,
): PanelStep | undefined {
  if (key === 'Home') return steps[0];
  if (key === 'End') return steps.at(-1);
  if (graph === null) {
    const at = steps.indexOf(from);
    return key === 'ArrowDown' ? steps[at + 1] : key === 'ArrowUp' ? steps[at - 1] : undefined;
  }
  const reachable = new Set(towards(key, from.number, graph));
  const own = graph.nodes.find(({ number }) => number === from.number)?.x ?? 0;
  const [nearest] = graph.nodes
    .filter(({ number }) => reachable.has(number))
    .sort((a, b) => Math.abs(a.x - own) - Math.abs(b.x - own));
  return steps.find(({ number }) => number === nearest?.number);
}
