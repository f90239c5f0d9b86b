/** A section with a heading that opens and closes. */
import type { MouseEvent, ReactNode } from 'react';
import { look, usePage } from '../store/store.ts';
import { Badge } from './Badge.tsx';

interface SectionProps {
  readonly title: string;
  readonly count?: number;
  readonly open?: boolean;
  /** The key under which the page remembers whether the section is open. Without it, `open` decides each time. */
  readonly fold?: string;
  readonly children: ReactNode;
}

/** A collapsible part, as in VS Code's side bar. */
export function Section({ title, count, open = true, fold, children }: SectionProps) {
  const kept = usePage(({ ui }) => (fold === undefined ? undefined : ui.folds[fold]));
  const isOpen = kept ?? open;
  const keep = (now: boolean) => {
    if (fold !== undefined && now !== isOpen) look({ folds: { ...usePage.getState().ui.folds, [fold]: now } });
  };
  // The browser reports a toggle some time after it shows it. A page that is left in between must know of it.
  const toggle = (event: MouseEvent) => {
    if (fold === undefined) return;
    event.preventDefault();
    keep(!isOpen);
  };
  return (
    <details className="section" open={isOpen} onToggle={({ currentTarget }) => keep(currentTarget.open)}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button, and a key press on it is a click. */}
      <summary onClick={toggle}>
        <h2>{title}</h2>
        {count === undefined ? null : <Badge count={count} />}
      </summary>
      {children}
    </details>
  );
}
