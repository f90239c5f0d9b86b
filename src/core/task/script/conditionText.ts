/**
 * Converts conditions between text and expression: references become variables, a template's parameters become literals. No value is inserted as
 * plain text.
 */
import type { Json } from '../../../shared/task/tasks.ts';
import { textOf } from './fill.ts';
import { pieces, type Resolved, resolveReference, type StepNames, type Target } from './references.ts';

/** Replaces references in braces by variables. A reference that is quoted alone means the value too. */
export function variablesFor(
  text: string,
  names: StepNames,
): { source: string; targets: Map<string, Target> } | { readonly problem: string } {
  const targets = new Map<string, Target>();
  let source = '';
  for (const token of tokens(text)) {
    const inner = token.isQuoted ? token.text.slice(1, -1) : token.text;
    const parts = pieces(inner);
    const references = parts.filter((piece) => 'reference' in piece);
    if (references.length === 0) {
      source += token.text;
      continue;
    }
    if (token.isQuoted && parts.length > 1) {
      return { problem: 'a reference within a longer quoted text is not filled in: put it outside of the quotes' };
    }
    for (const piece of parts) {
      if ('text' in piece) source += piece.text;
      else {
        const target: Resolved = resolveReference(piece.reference, names);
        if ('problem' in target) return target;
        const variable = `reference_${targets.size + 1}`;
        targets.set(variable, target);
        source += ` ${variable} `;
      }
    }
  }
  return { source, targets };
}

/** A condition with the values of a template's parameters as literals. A parameter without a value stays unchanged. */
export function fillCondition(text: string, values: (reference: string) => Json | undefined): string {
  let filled = '';
  for (const token of tokens(text)) {
    filled += token.text.replace(/\{\{([^{}]*)\}\}/g, (whole, reference: string) => {
      const value = values(reference.trim());
      if (value === undefined) return whole;
      return token.isQuoted ? literalOf(textOf(value)).slice(1, -1) : literalOf(value);
    });
  }
  return filled;
}

/** Without braces and quotes that could be read as more than text. */
function literalOf(value: Json): string {
  if (typeof value !== 'string') return typeof value === 'number' ? `(${value})` : JSON.stringify(value);
  return JSON.stringify(value).replaceAll('{', '\\u007b').replaceAll("'", "\\'");
}

/** Quoted literals, and the text between them. */
function* tokens(text: string): Generator<{ readonly text: string; readonly isQuoted: boolean }> {
  const literal = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs;
  let from = 0;
  for (const match of text.matchAll(literal)) {
    if (match.index > from) yield { text: text.slice(from, match.index), isQuoted: false };
    yield { text: match[0], isQuoted: true };
    from = match.index + match[0].length;
  }
  if (from < text.length) yield { text: text.slice(from), isQuoted: false };
}
