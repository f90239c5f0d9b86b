/** Announces changes to screen readers. */
import { useEffect, useRef, useState } from 'react';
import type { PanelView } from '../../../src/shared/workspace/panel.ts';
import { changes } from './changes.ts';

/** A screen reader gets what changed in one piece, and no sooner than this after the last. */
const BETWEEN_MS = 3000;

/** Announces the changes since the last announcement. A change that was reversed meanwhile is skipped. */
export function Announcer({ view }: { readonly view: PanelView }) {
  const told = useRef(view);
  const newest = useRef(view);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const [words, setWords] = useState('');
  useEffect(() => {
    newest.current = view;
    if (timer.current !== null) return;
    const speak = () => {
      const said = changes(told.current, newest.current);
      told.current = newest.current;
      timer.current = said.length === 0 ? null : setTimeout(speak, BETWEEN_MS);
      if (said.length > 0) setWords(said.join(' '));
    };
    speak();
  }, [view]);
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
  return (
    <p className="unseen" aria-live="polite" data-announcer="">
      {words}
    </p>
  );
}
