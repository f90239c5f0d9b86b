/** Shows text with a little Markdown, never as markup. */
import { memo } from 'react';
import { visible } from './text/format.ts';
import { type Block, blocksOf, spansOf } from './text/formatted.ts';

function Spans({ text }: { readonly text: string }) {
  return spansOf(text).map((span, at) => {
    const shown = visible(span.text);
    // biome-ignore-start lint/suspicious/noArrayIndexKey: a text is replaced as a whole
    if (span.kind === 'code') return <code key={at}>{shown}</code>;
    if (span.kind === 'strong') return <strong key={at}>{shown}</strong>;
    return <span key={at}>{shown}</span>;
    // biome-ignore-end lint/suspicious/noArrayIndexKey: as above
  });
}

function BlockView({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p className="prose">
          <Spans text={block.text} />
        </p>
      );
    case 'heading':
      return (
        <p className="said-heading">
          <Spans text={block.text} />
        </p>
      );
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is too wide is scrolled by keyboard too
        <pre tabIndex={0}>
          <code>{visible(block.text)}</code>
        </pre>
      );
    case 'list':
      return (
        <ul className="said-list">
          {block.items.map(({ mark, depth, text }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <li key={at} className={`depth-${depth}`}>
              <span className="said-mark">{mark === '' ? '•' : mark}</span>
              <span className="prose">
                <Spans text={text} />
              </span>
            </li>
          ))}
        </ul>
      );
  }
}

/** A message's text. Links and other content are shown as text, without effect. */
export const Formatted = memo(function Formatted({ text }: { readonly text: string }) {
  return blocksOf(text).map((block, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text is replaced as a whole
    <BlockView key={at} block={block} />
  ));
});
