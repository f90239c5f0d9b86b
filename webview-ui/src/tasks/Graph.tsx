/** The steps drawn: each below those that it needs. */
import { memo, useEffect, useRef } from 'react';
import type { GraphEdge, TaskGraph } from '../../../src/core/views/taskGraph.ts';
import type { PanelStep } from '../../../src/shared/taskPanel.ts';
import { t } from '../l10n.ts';
import { StepLine } from './StepLine.tsx';

/** Of a step and the room around it, px. */
const WIDTH = 204;
const COLUMN = WIDTH + 16;
const HEIGHT = 46;
const ROW = HEIGHT + 38;
/** Of an arrow's head. */
const TIP = 4;

interface EdgeProps {
  readonly edge: GraphEdge;
  /** Of the step that it comes from. */
  readonly layer: number;
  /** As words; empty: it is always gone. */
  readonly label: string;
  readonly state: 'skipped' | 'gone' | 'open';
}

/** From below one step to above the other, straight down where it passes a layer. */
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

function stateOf(from: PanelStep | undefined, to: PanelStep | undefined): EdgeProps['state'] {
  if (to?.status === 'SKIPPED' || from?.status === 'SKIPPED') return 'skipped';
  return from !== undefined && from.status !== 'PENDING' && from.status !== 'RUNNING' ? 'gone' : 'open';
}

function labelOf(edge: GraphEdge, to: PanelStep | undefined): string {
  if (to?.branch?.of !== edge.from) return '';
  return to.branch.when ? t('true') : t('false');
}

interface GraphProps {
  readonly steps: readonly PanelStep[];
  readonly graph: TaskGraph;
  readonly selected: number | null;
  readonly reached: number | null;
}

export function Graph({ steps, graph, selected, reached }: GraphProps) {
  const byNumber = new Map(steps.map((step) => [step.number, step]));
  const layerOf = new Map(graph.nodes.map(({ number, layer }) => [number, layer]));
  const size = { width: graph.width * COLUMN, height: graph.layers * ROW - (ROW - HEIGHT) };
  const scroller = useRef<HTMLDivElement>(null);
  const first = useRef(graph.nodes.find(({ number }) => steps.find(({ id }) => id === reached)?.number === number));
  useEffect(() => {
    const { current } = scroller;
    // Where it is wider than the page, what it is about is in sight at first.
    if (current !== null) current.scrollLeft = (first.current?.x ?? 0) * COLUMN - current.clientWidth / 2;
  }, []);
  return (
    <div className="graph-scroll" ref={scroller}>
      <div className="graph" style={size}>
        <svg {...size} aria-hidden="true">
          {graph.edges.map((edge) => {
            const [from, to] = [byNumber.get(edge.from), byNumber.get(edge.to)];
            return (
              <Edge
                key={`${edge.from} ${edge.to}`}
                edge={edge}
                layer={layerOf.get(edge.from) ?? 0}
                label={labelOf(edge, to)}
                state={stateOf(from, to)}
              />
            );
          })}
        </svg>
        <ol aria-label={t('Steps')}>
          {graph.nodes.map(({ number, layer, x }) => {
            const step = byNumber.get(number);
            return step === undefined ? null : (
              <li
                key={step.id}
                className="graph-place"
                style={{ left: x * COLUMN - WIDTH / 2, top: layer * ROW, width: WIDTH, height: HEIGHT }}
              >
                <StepLine step={step} selected={step.id === selected} reached={step.id === reached} />
              </li>
            );
          })}
        </ol>
      </div>
    </div>
  );
}
