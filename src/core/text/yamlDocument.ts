/**
 * Parses YAML as a document with the positions of its parts, in time linear in the length of the text: a text that is nested too deep is not built,
 * parsing stops after a limit of faults, and each key of a mapping is compared once.
 */
import {
  Composer,
  CST,
  Document,
  isNode,
  isScalar,
  Lexer,
  LineCounter,
  Parser,
  type SchemaOptions,
  visit,
  YAMLParseError,
} from 'yaml';

/** More faults would not help a reader, and each is looked up in the text. */
export const MOST_FAULTS = 100;
export const MAX_DEPTH = 40;
const OPENING: ReadonlySet<CST.TokenType | null> = new Set(['flow-map-start', 'flow-seq-start']);
const CLOSING: ReadonlySet<CST.TokenType | null> = new Set(['flow-map-end', 'flow-seq-end']);
/** A list or a key within another one in the same line. */
const NESTING: ReadonlySet<CST.TokenType | null> = new Set(['seq-item-ind', 'explicit-key-ind']);

export interface YamlDocument {
  /** Its `errors` are in the order of discovery, at most MOST_FAULTS. */
  readonly document: Document;
  readonly lines: LineCounter;
}

export function yamlDocument(text: string, options: SchemaOptions = {}): YamlDocument {
  const lines = new LineCounter();
  const refused: YAMLParseError[] = [];
  const refuse: Refuse = (offset, code, message) =>
    refused.push(new YAMLParseError([offset, offset + 1], code, message));
  // `error`: the parser emits no warnings to the process.
  const composer = new Composer({ ...options, uniqueKeys: false, prettyErrors: false, logLevel: 'error' });
  return withoutStacks(() => {
    const [first] = composer.compose(ofOneDocument(tokensOf(text, lines, refuse), refuse), true, text.length);
    const document: Document = first ?? new Document();
    document.errors = [...document.errors, ...refused].slice(0, MOST_FAULTS);
    if (document.errors.length === 0) document.errors = repeatedKeys(document);
    return { document, lines };
  });
}

type Refuse = (offset: number, code: YAMLParseError['code'], message: string) => void;

/** Ends at text that is nested too deep, because the composer is recursive. */
function* tokensOf(text: string, lines: LineCounter, refuse: Refuse): Generator<CST.Token> {
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  let brackets = 0;
  let inLine = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const type = CST.tokenType(lexeme);
    if (OPENING.has(type)) brackets++;
    else if (CLOSING.has(type)) brackets--;
    else if (NESTING.has(type)) inLine++;
    else if (type === 'newline') inLine = 0;
    if (Math.max(brackets, inLine) > MAX_DEPTH)
      return refuse(parser.offset, 'RESOURCE_EXHAUSTION', `it is nested deeper than ${MAX_DEPTH} times`);
    yield* parser.next(lexeme);
  }
  yield* parser.end();
}

/** Yields tokens up to the second document, or to the limit of faults. */
function* ofOneDocument(tokens: Iterable<CST.Token>, refuse: Refuse): Generator<CST.Token> {
  let documents = 0;
  let faults = 0;
  for (const token of tokens) {
    if (token.type === 'document' && ++documents > 1)
      return refuse(token.offset, 'MULTIPLE_DOCS', 'a second document starts here');
    yield token;
    if (token.type === 'error' && ++faults >= MOST_FAULTS) return;
  }
}

/** Creates errors without stacks, which are never read: for many faults, capturing them takes most of the time. */
function withoutStacks<T>(read: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return read();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

function repeatedKeys(document: Document): YAMLParseError[] {
  const found: YAMLParseError[] = [];
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const value = isScalar(key) ? String(key.value) : key;
        const [from, to] = (isNode(key) ? key.range : undefined) ?? [0, 0];
        if (seen.has(value)) found.push(new YAMLParseError([from, to], 'DUPLICATE_KEY', 'duplicate key'));
        if (found.length >= MOST_FAULTS) return visit.BREAK;
        seen.add(value);
      }
      return undefined;
    },
  });
  return found;
}
