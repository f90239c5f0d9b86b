/** The YAML between two lines of `---` at the top of a Markdown file, read as one mapping of plain text. */
import { CST, isMap, isScalar, Lexer, type Node, type YAMLMap } from 'yaml';
import { yamlDocument } from '../../../core/text/yamlDocument.ts';
import { failure } from '../../../shared/errors.ts';

const MAX_FRONTMATTER_BYTES = 64 * 1024;

/** A value and its line in the file. `text` is the text of a scalar. Null if the scalar is empty or `null`. */
export type Value =
  | { readonly line: number; readonly text: string | null }
  | { readonly line: number; readonly fields: Fields }
  | { readonly line: number; readonly list: true };
export type Fields = ReadonlyMap<string, Value>;

interface Split {
  readonly yaml: string;
  /** The body as in the file, byte for byte, after the line break that ends the frontmatter. */
  readonly body: string;
}

/** INVALID_INPUT that names the line; `details.line` has it too. */
export function faultAt(line: number, what: string): Error {
  return failure('INVALID_INPUT', `line ${line}: ${what}`, { details: { line } });
}

const FENCE = /^---[ \t]*(?:\r?\n|$)/;
const END = /^---[ \t]*(?:\r?\n|$)/m;

/** Throws INVALID_INPUT with the line. */
export function splitFrontmatter(file: string): Split {
  const text = file.startsWith('\uFEFF') ? file.slice(1) : file;
  const first = FENCE.exec(text);
  if (first === null) throw faultAt(1, 'the file does not start with a line of ---');
  const rest = text.slice(first[0].length);
  const end = END.exec(rest);
  if (end === null) throw faultAt(1, 'the frontmatter that starts here has no line of --- at its end');
  const yaml = rest.slice(0, end.index);
  if (new TextEncoder().encode(yaml).length > MAX_FRONTMATTER_BYTES) {
    throw faultAt(1, `the frontmatter is over ${MAX_FRONTMATTER_BYTES / 1024} KiB`);
  }
  return { yaml, body: rest.slice(end.index + end[0].length) };
}

/** Features of YAML beyond plain values, each rejected by name. */
const REFUSED: Partial<Record<CST.TokenType, string>> = {
  alias: 'an alias of YAML; put a value that starts with * in quotes',
  anchor: 'an anchor of YAML; put a value that starts with & in quotes',
  tag: 'a tag of YAML; put a value that starts with ! in quotes',
  'directive-line': 'a directive of YAML',
  'doc-start': 'a second document',
  'doc-end': 'a second document',
};
const MAX_FLOW_DEPTH = 8;

/** Checks the tokens alone, before they are parsed. */
function refuseMagic(yaml: string, firstLine: number): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.exec(yaml);
  const lineAt = (offset: number): number => firstLine + yaml.slice(0, offset).split('\n').length - 1;
  if (control !== null) throw faultAt(lineAt(control.index), 'a control character');
  let offset = 0;
  let depth = 0;
  let isPlain = false;
  for (const token of new Lexer().lex(yaml)) {
    // The lexer's own marks are not part of the text; the token after this one is a value, whatever its first
    // character.
    const wasPlain = isPlain;
    isPlain = token === CST.SCALAR;
    if (isPlain || token === CST.DOCUMENT || token === CST.FLOW_END) continue;
    const type = wasPlain ? null : CST.tokenType(token);
    const refused = type === null ? undefined : REFUSED[type];
    if (refused !== undefined) throw faultAt(lineAt(offset), `not taken here: ${refused}`);
    if (type === 'flow-map-start' || type === 'flow-seq-start') depth++;
    if (type === 'flow-map-end' || type === 'flow-seq-end') depth--;
    if (depth > MAX_FLOW_DEPTH) throw faultAt(lineAt(offset), 'nested too deep');
    offset += token.length;
  }
}

/** The fields of a frontmatter whose first line is the file's second. Throws INVALID_INPUT with the line. */
export function readFields(yaml: string): Fields {
  const firstLine = 2;
  refuseMagic(yaml, firstLine);
  // Every scalar stays text: its field decides its meaning.
  const { document, lines } = yamlDocument(yaml, { schema: 'failsafe', merge: false });
  const lineOf = (offset: number): number => firstLine + Math.max(0, lines.linePos(offset).line - 1);
  const [error] = document.errors;
  if (error !== undefined) throw faultAt(lineOf(error.pos[0]), firstSentence(error.message));
  const { contents } = document;
  if (contents === null) return new Map();
  if (!isMap(contents)) throw faultAt(lineOf(contents.range?.[0] ?? 0), 'not a list of fields (name: value)');
  return fieldsOf(contents, lineOf);
}

const firstSentence = (message: string): string => message.split('\n', 1)[0] ?? message;

function fieldsOf(map: YAMLMap, lineOf: (offset: number) => number): Fields {
  const fields = new Map<string, Value>();
  for (const { key, value } of map.items) {
    const line = lineOf((key as Node | null)?.range?.[0] ?? 0);
    if (!isScalar(key) || typeof key.value !== 'string') throw faultAt(line, 'the name of a field is a plain word');
    fields.set(key.value, readValue(value as Node | null, line, lineOf));
  }
  return fields;
}

function readValue(node: Node | null, line: number, lineOf: (offset: number) => number): Value {
  if (isMap(node)) return { line, fields: fieldsOf(node, lineOf) };
  if (!isScalar(node)) return node === null ? { line, text: null } : { line, list: true };
  const text = String(node.value ?? '');
  const isNothing = node.type === 'PLAIN' && ['', '~', 'null'].includes(text);
  return { line, text: isNothing ? null : text };
}
