/**
 * Converts README.md or CHANGELOG.md for the extension's page in the editor, which has neither the repository's files nor an
 * address for them: embeds the first picture, omits the others, and replaces links to files by their text. `read` returns a
 * picture's bytes.
 */
export function packagedReadme(text, read) {
  let shown = false;
  const pictures = text.replaceAll(/^!\[([^\]]*)\]\((?!https:)([^)\s]+)\)\n?/gm, (_, words, path) => {
    if (shown) return '';
    shown = true;
    return `![${words}](data:image/png;base64,${read(path).toString('base64')})\n`;
  });
  return pictures.replaceAll(/(?<!!)\[([^\]]+)\]\((?!https:|#)[^)\s]+\)/g, '$1').replaceAll(/\n{3,}/g, '\n\n');
}
