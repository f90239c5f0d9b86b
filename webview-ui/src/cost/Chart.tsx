/** Cost over time, drawn; its table twin says the same to those who do not see it. Loaded when the cost tab first opens. */
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import type { PanelCostTables } from '../../../src/shared/panelView.ts';
import { usd } from '../format.ts';

const HEIGHT = 180;

const themed = (name: string, otherwise: string) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim() || otherwise;

function options(width: number): UPlot.Options {
  const text = themed('--vscode-foreground', 'currentColor');
  const grid = { stroke: themed('--vscode-panel-border', 'transparent'), width: 1 };
  const line = themed('--vscode-charts-blue', text);
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    axes: [
      { stroke: text, grid: { show: false }, ticks: grid },
      { stroke: text, grid, ticks: grid, size: 64, values: (_, ticks) => ticks.map(usd) },
    ],
    series: [{}, { stroke: line, width: 2, points: { show: false } }],
  };
}

export function Chart({ series }: Pick<PanelCostTables, 'series'>) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const data: UPlot.AlignedData = [series.map(([at]) => at), series.map(([, amount]) => amount)];
    let plot = new UPlot(options(element.clientWidth), data, element);
    const redraw = () => {
      plot.destroy();
      plot = new UPlot(options(element.clientWidth), data, element);
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
  }, [series]);
  return <div className="chart" ref={host} aria-hidden="true" />;
}
