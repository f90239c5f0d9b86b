import type { ReactNode } from 'react';
import { Badge } from './Badge.tsx';

interface SectionProps {
  readonly title: string;
  readonly count?: number;
  readonly open?: boolean;
  readonly children: ReactNode;
}

/** A collapsible part, as in VS Code's side bar. */
export function Section({ title, count, open = true, children }: SectionProps) {
  return (
    <details className="section" open={open}>
      <summary>
        <h2>{title}</h2>
        {count === undefined ? null : <Badge count={count} />}
      </summary>
      {children}
    </details>
  );
}
