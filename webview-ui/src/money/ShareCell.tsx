/** A cell with a share as a bar and a number. */
import { percent } from '../ui/text/format.ts';

/** `kind`: the color of the bar. */
export function ShareCell({ share, kind }: { readonly share: number | null; readonly kind: 'pass' | 'cost' }) {
  if (share === null) return <td />;
  return (
    <td className={`rate ${kind}`}>
      <span className="bar" aria-hidden="true">
        <span style={{ width: `${100 * share}%` }} />
      </span>
      <span className="share">{percent(share)}</span>
    </td>
  );
}
