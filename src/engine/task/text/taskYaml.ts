/**
 * Parses YAML into plain values, each with its position in the text. Rejects features that could be a bomb or are ambiguous, with
 * their names.
 */
import { type Document, isAlias, isCollection, isMap, isNode, isScalar, type Node, visit } from 'yaml';
import { MAX_DEPTH, MOST_FAULTS, yamlDocument } from '../../../core/text/yamlDocument.ts';
import { TASK_LIMITS } from '../../../shared/task/tasks.ts';
import type { TextFault, TextSpan } from '../../../shared/task/taskText.ts';

export type Path = readonly (string | number)[];

export interface ReadYaml {
  /** Undefined if there are faults. */
  readonly value: unknown;
  readonly faults: readonly TextFault[];
  /** The span of the value at a path, or of the nearest enclosing one; with `key`, of its key. */
  spanOf(path: Path, key?: 'key'): TextSpan;
}

const NOWHERE: TextSpan = { line: 0, column: 0, endLine: 0, endColumn: 0 };

export function readYaml(text: string): ReadYaml {
  if (new TextEncoder().encode(text).length > TASK_LIMITS.definitionBytes) {
    const message = `the text is longer than ${TASK_LIMITS.definitionBytes / 1024 / 1024} MB`;
    return { value: undefined, faults: [{ ...NOWHERE, message }], spanOf: () => NOWHERE };
  }
  const { document, lines } = yamlDocument(text, { schema: 'core' });
  const span = (from: number, to: number): TextSpan => {
    const [start, end] = [lines.linePos(from), lines.linePos(to)];
    return { line: start.line - 1, column: start.col - 1, endLine: end.line - 1, endColumn: end.col - 1 };
  };
  const faults = [
    ...document.errors.map(({ message, pos: [from, to] }): TextFault => ({ ...span(from, to), message })),
    ...refusedNodes(document).map(({ message, range }): TextFault => ({ ...span(range[0], range[1]), message })),
  ];
  const spanOf = (path: Path, key?: 'key'): TextSpan => {
    const [from, to] = rangeAt(document, path, key === 'key');
    return span(from, to);
  };
  return { value: faults.length > 0 ? undefined : document.toJS({ maxAliasCount: 0 }), faults, spanOf };
}

interface Refused {
  readonly message: string;
  readonly range: readonly [number, number];
}

function refusedNodes(document: Document): readonly Refused[] {
  const found: Refused[] = [];
  const refuse = (node: unknown, message: string): void => {
    const range = isNode(node) ? node.range : undefined;
    found.push({ message, range: range ? [range[0], range[1]] : [0, 0] });
  };
  visit(document, {
    Node: (_, node, path) => {
      if (isAlias(node)) refuse(node, 'an alias of YAML is not taken; put text that starts with * in quotes');
      else if (node.anchor !== undefined)
        refuse(node, 'an anchor of YAML is not taken; put text that starts with & in quotes');
      else if (node.tag !== undefined)
        refuse(node, 'a tag of YAML is not taken; put text that starts with ! in quotes');
      if (isCollection(node) && path.length > 2 * MAX_DEPTH) {
        refuse(node, `this is nested deeper than ${MAX_DEPTH} times`);
        return visit.BREAK;
      }
      return found.length < MOST_FAULTS ? undefined : visit.BREAK;
    },
  });
  return found;
}

/** The range of the value, or of its key if that was requested or the value is a collection. */
function rangeAt(document: Document, path: Path, ofKey: boolean): readonly [number, number] {
  let node: unknown = document.contents;
  let found: readonly [number, number] = [rangeOf(node)?.[0] ?? 0, rangeOf(node)?.[0] ?? 0];
  for (const part of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => keyText(key) === String(part)) : undefined;
    const next: unknown = isCollection(node) && pair === undefined ? node.get(part, true) : pair?.value;
    if (pair === undefined && next === undefined) break;
    const own = pair !== undefined && (ofKey || isCollection(next)) ? rangeOf(pair.key) : rangeOf(next);
    found = own ?? rangeOf(pair?.key) ?? found;
    node = next;
  }
  return found;
}

const keyText = (key: unknown): string => String(isScalar(key) ? key.value : key);

function rangeOf(node: unknown): readonly [number, number] | null {
  const range = isNode(node) ? (node as Node).range : undefined;
  return range ? [range[0], range[1]] : null;
}
