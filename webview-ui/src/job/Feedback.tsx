/** Feedback for an attempt. */
import { splitPrinted } from '../../../src/shared/printed.ts';
import { visible } from '../ui/text/format.ts';

/** Feedback for an attempt, with the output of a command in a monospace font. */
export function Feedback({ text }: { readonly text: string }) {
  const printed = splitPrinted(text);
  if (printed === null) return <p className="prose quoted">{visible(text)}</p>;
  return (
    <div className="quoted">
      <p className="prose">{visible(printed.before.trimEnd())}</p>
      <pre className="prose printed">{visible(printed.output)}</pre>
    </div>
  );
}
