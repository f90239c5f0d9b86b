/** A table that scrolls sideways in a narrow view. */
import { type ReactNode, useState } from 'react';
import { t } from '../store/l10n.ts';
import { Link } from '../ui/Button.tsx';

const PAGE = 50;

interface WideTableProps<Row> {
  readonly label: string;
  readonly head: ReactNode;
  readonly rows: readonly Row[];
  readonly row: (row: Row, index: number) => ReactNode;
  /** Shown instead of the table if there are no rows. */
  readonly none: string;
}

/** Heads of columns: the text columns are aligned to the left, those of figures follow. */
export function Heads({
  first,
  text,
  figures,
}: Record<'text' | 'figures', readonly string[]> & { readonly first: string }) {
  return (
    <>
      <th scope="col">{first}</th>
      {text.map((head) => (
        <th key={head} scope="col" className="text">
          {head}
        </th>
      ))}
      {figures.map((head) => (
        <th key={head} scope="col">
          {head}
        </th>
      ))}
    </>
  );
}

/** A table that scrolls sideways within the page, under its first column, and shows its first rows at first. */
export function WideTable<Row>({ label, head, rows, row, none }: WideTableProps<Row>) {
  const [shown, setShown] = useState(PAGE);
  if (rows.length === 0) return <p className="muted padded">{none}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls sideways, by keyboard too
    <section className="scroll-x" tabIndex={0} aria-label={label}>
      <table className="costs" aria-label={label}>
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>{rows.slice(0, shown).map(row)}</tbody>
      </table>
      {rows.length > shown ? (
        <p className="more">
          <Link label={t('Show more of {0}', rows.length)} onPress={() => setShown(shown + PAGE)} />
        </p>
      ) : null}
    </section>
  );
}
