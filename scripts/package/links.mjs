/** The links of packed Markdown, and which of them lead to nothing that is packed. */
import { posix } from 'node:path';

const TARGET = /\]\(<?([^)\s>]+)>?[^)]*\)/g;
const ELSEWHERE = /^(#|[a-z][a-z\d+.-]*:)/i;

/** Returns a sentence for each dead link. `read` returns the text of a packed file, by its path with `/`. */
export function deadLinks(paths, read) {
  const packed = new Set(paths);
  return paths
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) => {
      const targets = [...read(path).matchAll(TARGET)].map(([, target]) => target);
      const files = targets.filter((target) => !ELSEWHERE.test(target)).map((target) => target.replace(/#.*$/, ''));
      return [...new Set(files)]
        .filter((target) => !packed.has(posix.join(posix.dirname(path), target)))
        .map((target) => `has a dead link in ${path}: ${target}`);
    });
}
