/** A list of choices in VS Code's style. */
import { useEffect, useRef, useState } from 'react';
import { visible } from './text/format.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly onPick: (value: string) => void;
}

const ELEMENT = 'vscode-single-select';

/** Maximum delay on a busy page. */
const PATIENCE_MS = 500;

/** Whether the list's element is defined. It is loaded after the next frame, when the page is idle. */
function useElement(): boolean {
  const [defined, setDefined] = useState(() => customElements.get(ELEMENT) !== undefined);
  useEffect(() => {
    if (defined) return;
    const load = () => void import('./selectElement.ts').then(() => setDefined(true));
    let waiting = 0;
    // An idle moment before the first frame would delay that frame.
    const frame = requestAnimationFrame(() => {
      waiting = requestIdleCallback(load, { timeout: PATIENCE_MS });
    });
    return () => {
      cancelAnimationFrame(frame);
      cancelIdleCallback(waiting);
    };
  }, [defined]);
  return defined;
}

export function Select(props: SelectProps) {
  const { value, choices } = props;
  if (useElement()) return <List {...props} />;
  return (
    <span className="select-to-come">{visible(choices.find((choice) => choice.value === value)?.label ?? '')}</span>
  );
}

function List({ label, value, choices, onPick }: SelectProps) {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    const select = element.current;
    const changed = () => onPick((select as HTMLSelectElement | null)?.value ?? '');
    select?.addEventListener('change', changed);
    return () => select?.removeEventListener('change', changed);
  }, [onPick]);
  return (
    <vscode-single-select ref={element} label={label} value={value} title={label}>
      {choices.map((choice) => (
        <vscode-option key={choice.value} value={choice.value} selected={choice.value === value}>
          {visible(choice.label)}
        </vscode-option>
      ))}
    </vscode-single-select>
  );
}
