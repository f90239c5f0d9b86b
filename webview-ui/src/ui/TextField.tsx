/** A text field. */
interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** A native input: visible with the first paint, and fully accessible to screen readers and tests. */
export function TextField({ label, value, onInput }: TextFieldProps) {
  return (
    <input
      type="text"
      className="text-field"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={({ target }) => onInput(target.value)}
    />
  );
}
