interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** The browser's own: there with the first paint, and nothing of it is hidden from a reader or a test. */
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
