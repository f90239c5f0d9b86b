const LITERAL = /('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.)*`)/.source;
const FIRST = new RegExp(String.raw`^\s*(?:\{\s*message:\s*)?${LITERAL}`);
const FORMS = new RegExp(String.raw`^[^{};]*\{\s*one:\s*${LITERAL},\s*other:\s*${LITERAL}`);

/** The texts that a source file passes to `l10n.t`, in order. Throws for an argument that is not a plain string, because it cannot be translated. */
export function textsOf(source) {
  return firstArguments(source, /\bl10n\.t\(/g, 'l10n.t');
}

/** The texts of the page's sources: those of `t`, and the forms for many of `plural`. */
export function pageTextsOf(source) {
  const plurals = [...source.matchAll(/\bplural\(/g)].flatMap(({ index, 0: call }) => {
    const rest = source.slice(index + call.length);
    // The definition, not a call.
    if (/^\s*amount: number/.test(rest)) return [];
    const other = FORMS.exec(rest)?.[2];
    if (other === undefined) throw new Error(`plural takes plain strings, not ${JSON.stringify(rest.slice(0, 60))}`);
    return [unquoted(other)];
  });
  return { texts: firstArguments(source, /(?<![.\w])t\((?!text: string)/g, 't'), plurals };
}

function firstArguments(source, calls, name) {
  return [...source.matchAll(calls)].map(({ index, 0: call }) => {
    const rest = source.slice(index + call.length);
    const found = FIRST.exec(rest)?.[1];
    if (found === undefined) throw new Error(`${name} takes a plain string, not ${JSON.stringify(rest.slice(0, 60))}`);
    return unquoted(found);
  });
}

function unquoted(literal) {
  const escapes = { n: '\n', t: '\t' };
  return literal.slice(1, -1).replace(/\\(.)/g, (_, char) => escapes[char] ?? char);
}
