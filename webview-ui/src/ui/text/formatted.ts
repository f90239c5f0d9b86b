/**
 * Parses a text into blocks: paragraphs, headings, lists, code. Other Markdown stays text, also links and images, so that nothing in a message can be
 * pressed or loaded. Pure, in linear time.
 */

export type Span =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong'; readonly text: string };

export type Block =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly ListItem[] };

export interface ListItem {
  /** The list mark as written, `1.`; empty for a bullet. */
  readonly mark: string;
  /** 0 at the top level. */
  readonly depth: number;
  readonly text: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6} +(\S.*)$/;
const ITEM = /^( *)(?:[-*+]|(\d{1,9}[.)])) +(\S.*)$/;
const MOST_DEPTH = 3;

function itemOf(line: string): ListItem | null {
  const [, indent = '', mark = '', text] = ITEM.exec(line) ?? [];
  if (text === undefined) return null;
  return { mark, depth: Math.min(MOST_DEPTH, Math.floor(indent.length / 2)), text };
}

/** The lines up to one that closes the fence, or all that are left. */
function fenced(lines: readonly string[], from: number, fence: string): { text: string; next: number } {
  const ends = (line: string) => line.trim().startsWith(fence) && line.trim().replaceAll(fence[0] ?? '', '') === '';
  let next = from;
  while (next < lines.length && !ends(lines[next] ?? '')) next++;
  return { text: lines.slice(from, next).join('\n'), next: next + 1 };
}

export function blocksOf(text: string): readonly Block[] {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  let items: ListItem[] = [];
  const close = () => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', text: paragraph.join('\n') });
    if (items.length > 0) blocks.push({ kind: 'list', items });
    paragraph = [];
    items = [];
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const fence = FENCE.exec(line)?.[1];
    const heading = HEADING.exec(line)?.[1];
    const item = itemOf(line);
    if (fence !== undefined) {
      close();
      const { text: code, next } = fenced(lines, at + 1, fence);
      blocks.push({ kind: 'code', text: code });
      at = next - 1;
    } else if (line.trim() === '') {
      close();
    } else if (heading !== undefined) {
      close();
      blocks.push({ kind: 'heading', text: heading });
    } else if (item !== null) {
      if (paragraph.length > 0) close();
      items.push(item);
    } else if (items.length > 0) {
      const last = items.pop() as ListItem;
      items.push({ ...last, text: `${last.text}\n${line.trim()}` });
    } else {
      paragraph.push(line);
    }
  }
  close();
  return blocks;
}

const SPAN = /`([^`\n]+)`|\*\*([^*\n]+)\*\*/g;

export function spansOf(text: string): readonly Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const found of text.matchAll(SPAN)) {
    if (found.index > from) spans.push({ kind: 'text', text: text.slice(from, found.index) });
    const [whole, code, strong] = found;
    spans.push(code === undefined ? { kind: 'strong', text: strong ?? '' } : { kind: 'code', text: code });
    from = found.index + whole.length;
  }
  if (from < text.length) spans.push({ kind: 'text', text: text.slice(from) });
  return spans;
}
