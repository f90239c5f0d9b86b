/**
 * README.md or CHANGELOG.md for the extension's page in the editor, which has neither our files nor an address for them: the first
 * picture comes with the text, the others and the files beside it are left out, and links to them become their words.
 * `read` gives a picture's bytes.
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
