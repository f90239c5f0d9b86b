import '@vscode-elements/elements/dist/vscode-single-select/index.js';
import '@vscode-elements/elements/dist/vscode-option/index.js';
import { useEffect, useRef } from 'react';
import { visible } from '../format.ts';

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

export function Select({ label, value, choices, onPick }: SelectProps) {
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
