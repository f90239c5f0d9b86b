/** A progress bar. */
interface ProgressProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  /** An additional, lighter part after `value`: possible further progress. */
  readonly maybe?: number;
  /** Text for screen readers instead of a percentage. */
  readonly says?: string;
  /** Drawn as an error: over the limit. */
  readonly over?: boolean;
}

const share = (part: number, max: number) => `${Math.min(100, max <= 0 ? 0 : (100 * part) / max)}%`;

export function Progress({ label, value, max, maybe = 0, says, over = false }: ProgressProps) {
  return (
    <div
      className={over ? 'progress over' : 'progress'}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      aria-valuetext={says}
    >
      {maybe > 0 ? <span className="maybe" style={{ width: share(value + maybe, max) }} /> : null}
      <span className="sure" style={{ width: share(value, max) }} />
    </div>
  );
}
