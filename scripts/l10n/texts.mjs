/** The texts that a source file hands to `l10n.t`, in order. Throws for one that is not a plain string: nobody could translate it. */
export function textsOf(source) {
  const literal = /^\s*(?:\{\s*message:\s*)?('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.)*`)/;
  return [...source.matchAll(/\bl10n\.t\(/g)].map(({ index, 0: call }) => {
    const rest = source.slice(index + call.length);
    const found = literal.exec(rest)?.[1];
    if (found === undefined) throw new Error(`l10n.t takes a plain string, not ${JSON.stringify(rest.slice(0, 60))}`);
    return unquoted(found);
  });
}

function unquoted(literal) {
  const escapes = { n: '\n', t: '\t' };
  return literal.slice(1, -1).replace(/\\(.)/g, (_, char) => escapes[char] ?? char);
}
