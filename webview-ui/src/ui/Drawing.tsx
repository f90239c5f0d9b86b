/** A layered graph: nodes below their dependencies, with arrows between. */
import { memo, type ReactNode, useEffect, useRef } from 'react';
import type { GraphEdge, TaskGraph } from '../../../src/core/task/view/taskGraph.ts';

/** Size of a node and the room around it, px. */
const WIDTH = 204;
const COLUMN = WIDTH + 16;
const HEIGHT = 46;
const ROW = HEIGHT + 38;
/** Size of an arrow's head. */
const TIP = 4;

export interface EdgeLook {
  /** Empty for an edge without a condition. */
  readonly label: string;
  readonly state: 'skipped' | 'gone' | 'open';
}

interface EdgeProps extends EdgeLook {
  readonly edge: GraphEdge;
  /** The layer of the node that the edge starts at. */
  readonly layer: number;
}

/** Draws a line from the bottom of one node to the top of the other, vertical across intermediate layers. */
const Edge = memo(function Edge({ edge, layer, label, state }: EdgeProps) {
  const xs = edge.xs.map((x) => x * COLUMN);
  const lines = xs.slice(1).map((x, at) => {
    const from = (layer + at) * ROW + HEIGHT;
    const to = (layer + at + 1) * ROW;
    const bend = (from + to) / 2;
    const down = at < xs.length - 2 ? ` V${to + HEIGHT}` : '';
    return `C${xs[at]} ${bend} ${x} ${bend} ${x} ${to}${down}`;
  });
  const [x, y] = [xs.at(-1) ?? 0, (layer + xs.length - 1) * ROW];
  const tip = `M${x - TIP} ${y - 2 * TIP}L${x} ${y}L${x + TIP} ${y - 2 * TIP}`;
  return (
    <g className={`edge edge-${state}`}>
      <path d={`M${xs[0]} ${layer * ROW + HEIGHT}${lines.join('')}${tip}`} />
      {label === '' ? null : (
        <text x={x + 7} y={y - 7}>
          {label}
        </text>
      )}
    </g>
  );
});

interface DrawingProps {
  readonly graph: TaskGraph;
  /** The name of the list of nodes. */
  readonly label: string;
  /** The number of the node that is in sight at first, if the graph is wider than the page. */
  readonly first?: number | undefined;
  readonly edge?: (edge: GraphEdge) => EdgeLook;
  readonly node: (number: number) => ReactNode;
}

const PLAIN: EdgeLook = { label: '', state: 'gone' };

export function Drawing({ graph, label, first, edge: edgeLook, node }: DrawingProps) {
  const layerOf = new Map(graph.nodes.map(({ number, layer }) => [number, layer]));
  const size = { width: graph.width * COLUMN, height: graph.layers * ROW - (ROW - HEIGHT) };
  const scroller = useRef<HTMLDivElement>(null);
  const middle = useRef(graph.nodes.find(({ number }) => number === first)?.x ?? 0);
  useEffect(() => {
    const { current } = scroller;
    if (current !== null) current.scrollLeft = middle.current * COLUMN - current.clientWidth / 2;
  }, []);
  return (
    <div className="graph-scroll" ref={scroller}>
      <div className="graph" style={size}>
        <svg {...size} aria-hidden="true">
          {graph.edges.map((edge) => (
            <Edge
              key={`${edge.from} ${edge.to}`}
              edge={edge}
              layer={layerOf.get(edge.from) ?? 0}
              {...(edgeLook?.(edge) ?? PLAIN)}
            />
          ))}
        </svg>
        <ol aria-label={label}>
          {graph.nodes.map(({ number, layer, x }) => (
            <li
              key={number}
              className="graph-place"
              style={{ left: x * COLUMN - WIDTH / 2, top: layer * ROW, width: WIDTH, height: HEIGHT }}
            >
              {node(number)}
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}
