import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import type { FormEvent } from 'react';

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

export function TextField({ label, value, onInput }: TextFieldProps) {
  const changed = (event: FormEvent<HTMLElement>) => onInput((event.target as HTMLInputElement).value);
  return <vscode-textfield label={label} placeholder={label} value={value} onInput={changed} />;
}
