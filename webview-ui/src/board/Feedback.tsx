import { PRINTED } from '../../../src/shared/printed.ts';
import { visible } from '../format.ts';

/** Feedback for an attempt, with the output of a command in a monospace font. */
export function Feedback({ text }: { readonly text: string }) {
  const at = text.indexOf(PRINTED);
  if (at === -1) return <p className="prose quoted">{visible(text)}</p>;
  const output = at + PRINTED.length;
  return (
    <div className="quoted">
      <p className="prose">{visible(text.slice(0, output).trimEnd())}</p>
      <pre className="prose printed">{visible(text.slice(output))}</pre>
    </div>
  );
}
