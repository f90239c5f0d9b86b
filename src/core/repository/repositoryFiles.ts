/** The files of a commit, and how they add up by folder and language. */

export interface ListedFile {
  /** Path from the top of the repository, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly isLink: boolean;
}

/** Counts include everything below. */
export interface FolderNode {
  readonly name: string;
  readonly depth: number;
  readonly files: ListedFile[];
  readonly folders: Map<string, FolderNode>;
  count: number;
  bytes: number;
  /** Bytes by language. */
  readonly languages: Map<string, number>;
}

const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  TypeScript: ['ts', 'tsx', 'mts', 'cts'],
  JavaScript: ['js', 'jsx', 'mjs', 'cjs'],
  Python: ['py', 'pyi'],
  Go: ['go'],
  Rust: ['rs'],
  Java: ['java'],
  Kotlin: ['kt', 'kts'],
  Scala: ['scala'],
  'C#': ['cs'],
  C: ['c', 'h'],
  'C++': ['cc', 'cpp', 'cxx', 'hpp', 'hh'],
  'Objective-C': ['m', 'mm'],
  Swift: ['swift'],
  Ruby: ['rb'],
  PHP: ['php'],
  Dart: ['dart'],
  Elixir: ['ex', 'exs'],
  Erlang: ['erl'],
  Haskell: ['hs'],
  Lua: ['lua'],
  Perl: ['pl', 'pm'],
  R: ['r'],
  Shell: ['sh', 'bash', 'zsh'],
  PowerShell: ['ps1'],
  SQL: ['sql'],
  HTML: ['html', 'htm'],
  CSS: ['css', 'scss', 'sass', 'less'],
  Vue: ['vue'],
  Svelte: ['svelte'],
  Terraform: ['tf'],
  Protobuf: ['proto'],
};
const LANGUAGE_OF = new Map(
  Object.entries(LANGUAGES).flatMap(([name, ends]) => ends.map((end) => [end, name] as const)),
);

/** Null for a file that is not code. */
function languageOf(path: string): string | null {
  return LANGUAGE_OF.get(/\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '') ?? null;
}

const emptyFolder = (name: string, depth: number): FolderNode => ({
  name,
  depth,
  files: [],
  folders: new Map(),
  count: 0,
  bytes: 0,
  languages: new Map(),
});

/** The top folder. */
export function folderTree(files: readonly ListedFile[]): FolderNode {
  const top = emptyFolder('', 0);
  for (const file of files) {
    const language = file.isLink ? null : languageOf(file.path);
    let at = top;
    const names = file.path.split('/').slice(0, -1);
    add(at, file.bytes, language);
    for (const name of names) {
      const next = at.folders.get(name) ?? emptyFolder(name, at.depth + 1);
      at.folders.set(name, next);
      at = next;
      add(at, file.bytes, language);
    }
    at.files.push(file);
  }
  return top;
}

function add(folder: FolderNode, bytes: number, language: string | null): void {
  folder.count++;
  folder.bytes += bytes;
  if (language !== null) folder.languages.set(language, (folder.languages.get(language) ?? 0) + bytes);
}

/** The languages with the most bytes, with their share of the code in percent. Less than one percent is left out. */
export function topLanguages({ languages }: FolderNode, most: number): readonly { name: string; percent: number }[] {
  const total = [...languages.values()].reduce((sum, bytes) => sum + bytes, 0);
  return [...languages]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, most)
    .map(([name, bytes]) => ({ name, percent: Math.round((100 * bytes) / Math.max(1, total)) }))
    .filter(({ percent }) => percent > 0);
}
