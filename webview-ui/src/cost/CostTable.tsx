import { useState } from 'react';
import type { CostLine } from '../../../src/shared/panelView.ts';
import { count, usd, visible } from '../format.ts';

const PAGE = 50;

interface CostTableProps {
  readonly title: string;
  readonly lines: readonly CostLine[];
}

function Line({ line }: { readonly line: CostLine }) {
  return (
    <tr>
      <th scope="row">{visible(line.label)}</th>
      <td>{usd(line.settledUsd)}</td>
      <td>{usd(line.reservedUsd)}</td>
      <td>{usd(line.unsettledUsd)}</td>
      <td>{line.calls}</td>
      <td>{count(line.inputTokens)}</td>
      <td>{count(line.outputTokens)}</td>
      <td>{count(line.cacheReadTokens)}</td>
      <td>{count(line.cacheWriteTokens)}</td>
    </tr>
  );
}

export function CostTable({ title, lines }: CostTableProps) {
  const [shown, setShown] = useState(PAGE);
  if (lines.length === 0) return <p className="muted padded">Nothing spent yet.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls sideways, by keyboard too
    <section className="scroll-x" tabIndex={0} aria-label={`Cost ${title.toLowerCase()}`}>
      <table className="costs">
        <thead>
          <tr>
            <th scope="col">{title.replace('By ', '').replace(/^./, (first) => first.toUpperCase())}</th>
            <th scope="col">Settled</th>
            <th scope="col">Reserved</th>
            <th scope="col">Unsettled</th>
            <th scope="col">Calls</th>
            <th scope="col">Tokens in</th>
            <th scope="col">Tokens out</th>
            <th scope="col">Cache read</th>
            <th scope="col">Cache write</th>
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, shown).map((line) => (
            <Line key={line.key} line={line} />
          ))}
        </tbody>
      </table>
      {lines.length > shown ? (
        <button type="button" className="link more" onClick={() => setShown(shown + PAGE)}>
          Show more of {lines.length}
        </button>
      ) : null}
    </section>
  );
}
