/** Cost over time, a layer for each role. A table has the same content for screen readers. The library is loaded when the cost tab first opens. */
import { useEffect, useRef } from 'react';
import type UPlot from 'uplot';
import type { PanelCostTables } from '../../../src/shared/workspace/panel.ts';
import { t } from '../store/l10n.ts';
import { tickTime, usd } from '../ui/text/format.ts';
import { roleLabel } from '../ui/text/labels.ts';

type Series = PanelCostTables['series'];

const HEIGHT = 220;
const HEADROOM = 1.05;
/** Dashes distinguish the lines without colors. */
const COLORS = ['blue', 'green', 'purple', 'yellow', 'orange', 'red'];
const DASHES = [[], [7, 3], [2, 3], [10, 3, 2, 3]];

const themed = (name: string, otherwise: string) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim() || otherwise;

const colorOf = (layer: number) => `--vscode-charts-${COLORS[layer % COLORS.length]}`;
const dashOf = (layer: number) => DASHES[layer % DASHES.length] ?? [];

/** uPlot's columns: the times, then the layers from the topmost, each stacked on those below it. */
function stacked({ roles, points }: Series): UPlot.AlignedData {
  const layers = roles.map((_, layer) =>
    points.map(({ usd: sums }) => sums.slice(0, layer + 1).reduce((sum, one) => sum + one, 0)),
  );
  return [points.map(({ at }) => at), ...layers.reverse()];
}

function options(width: number, { roles, points }: Series): UPlot.Options {
  const text = themed('--vscode-foreground', 'currentColor');
  const grid = { stroke: themed('--vscode-panel-border', 'transparent'), width: 1 };
  const font = `11px ${themed('--vscode-font-family', 'sans-serif')}`;
  const axis = { stroke: text, font, labelFont: font, ticks: grid, labelSize: 16, labelGap: 0 };
  const span = (points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0);
  const topmost = roles.map((_, index) => roles.length - 1 - index);
  return {
    width,
    height: HEIGHT,
    padding: [8, 12, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    // Stacked layers start at zero: a cut axis would make the lowest look small.
    scales: { y: { range: (_, __, highest) => [0, highest * HEADROOM || 1] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        label: t('Time'),
        size: 28,
        space: 72,
        values: (_, ticks) => ticks.map((at) => tickTime(at, span)),
      },
      {
        ...axis,
        grid: { ...grid, dash: [1, 4] },
        label: t('Cost in all'),
        size: 56,
        values: (_, ticks) => ticks.map(usd),
      },
    ],
    series: [
      {},
      ...topmost.map((layer) => {
        const stroke = themed(colorOf(layer), text);
        return {
          stroke,
          dash: dashOf(layer),
          width: 1.5,
          fill: `color-mix(in srgb, ${stroke} 20%, transparent)`,
          points: { show: false },
        };
      }),
    ],
    bands: topmost.slice(1).map((_, index) => ({ series: [index + 1, index + 2] as UPlot.Band.Bounds })),
  };
}

function Legend({ roles }: Pick<Series, 'roles'>) {
  if (roles.length < 2) return null;
  return (
    <p className="legend">
      {roles.map((role, layer) => (
        <span key={role} className={`key layer-${layer % COLORS.length}`}>
          <svg className="stroke" aria-hidden="true">
            <line x2="100%" y1="50%" y2="50%" strokeDasharray={dashOf(layer).join(' ') || undefined} />
          </svg>
          {roleLabel(role)}
        </span>
      ))}
    </p>
  );
}

/** Draws until the returned function is called. */
function draw(Plot: typeof UPlot, element: HTMLElement, series: Series): () => void {
  const data = stacked(series);
  let plot = new Plot(options(element.clientWidth, series), data, element);
  const redraw = () => {
    plot.destroy();
    plot = new Plot(options(element.clientWidth, series), data, element);
  };
  const sized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
  sized.observe(element);
  const themeChanged = new MutationObserver(redraw);
  themeChanged.observe(document.body, { attributeFilter: ['class'] });
  return () => {
    sized.disconnect();
    themeChanged.disconnect();
    plot.destroy();
  };
}

export function Chart({ series }: { readonly series: Series }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let stop: (() => void) | null = null;
    let over = false;
    // Load only the library separately: a chunk of this folder would share modules with the page, and the first paint would wait for both.
    void import('uplot').then(({ default: Plot }) => {
      if (!over && host.current !== null) stop = draw(Plot, host.current, series);
    });
    return () => {
      over = true;
      stop?.();
    };
  }, [series]);
  return (
    <>
      <Legend roles={series.roles} />
      <div className="chart" ref={host} aria-hidden="true" />
    </>
  );
}
