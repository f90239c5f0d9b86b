interface ProgressProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  /** Drawn as an error: over the limit. */
  readonly over?: boolean;
}

export function Progress({ label, value, max, over = false }: ProgressProps) {
  return (
    <progress
      className={over ? 'progress over' : 'progress'}
      aria-label={label}
      value={Math.min(value, max)}
      max={max}
    />
  );
}
