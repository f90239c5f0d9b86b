/** Draws the steps, each below its dependencies. */
import type { GraphEdge, TaskGraph } from '../../../src/core/task/view/taskGraph.ts';
import type { PanelStep } from '../../../src/shared/task/taskPanel.ts';
import { t } from '../store/l10n.ts';
import { Drawing, type EdgeLook } from '../ui/Drawing.tsx';
import { StepLine } from './StepLine.tsx';

function stateOf(from: PanelStep | undefined, to: PanelStep | undefined): EdgeLook['state'] {
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
  const look = (edge: GraphEdge): EdgeLook => {
    const [from, to] = [byNumber.get(edge.from), byNumber.get(edge.to)];
    return { label: labelOf(edge, to), state: stateOf(from, to) };
  };
  const node = (number: number) => {
    const step = byNumber.get(number);
    return step === undefined ? null : (
      <StepLine step={step} selected={step.id === selected} reached={step.id === reached} />
    );
  };
  const first = steps.find(({ id }) => id === reached)?.number;
  return <Drawing graph={graph} label={t('Steps')} first={first} edge={look} node={node} />;
}
