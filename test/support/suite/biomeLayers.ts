/** The tables of `layers.ts` as overrides of Biome, so that the editor shows a forbidden import where it is written. */
import { LAYERS, type Layer, LIBRARIES, laterSubjects, PAGE } from './layers.ts';

interface Ban {
  readonly group: readonly string[];
  readonly message: string;
}

/** Glob patterns of import specifiers are read in order, as in a .gitignore: `!` takes back what an earlier one matched. */
const RELATIVE = ['!.', '!..', '!./**', '!../**', '!node:*', '!node:*/**'];
const names = (list: readonly string[]): string => list.join(', ') || 'no other layer';

function libraryBan(place: string): Ban {
  const allowed = Object.entries(LIBRARIES)
    .filter(([, places]) =>
      places.some((one) => one === place || one.startsWith(`${place}/`) || place.startsWith(`${one}/`)),
    )
    .flatMap(([name]) => [`!${name}`, `!${name}/**`]);
  return {
    group: ['*', '@*/**', ...RELATIVE, ...allowed],
    message: 'This package is not for this folder: see the libraries in test/support/suite/layers.ts.',
  };
}

function builtinBans({ builtins }: Layer): readonly Ban[] {
  if (builtins === 'all') return [];
  return [
    {
      group: ['node:*', 'node:*/**', ...builtins.map((name) => `!${name}`)],
      message:
        builtins.length === 0
          ? 'No module of Node here: take what you need through a port.'
          : `Of the modules of Node ${builtins.join(' and ')} alone: take the rest through a port.`,
    },
  ];
}

/** `below`: the layers that may be imported; a folder of theirs can have the name of a subject. */
function subjectBans(layer: string, subject: string, below: readonly string[]): readonly Ban[] {
  const later = laterSubjects(layer, subject);
  if (later.length === 0) return [];
  return [
    {
      group: [
        // A folder; or a file, from a folder below the layer or below that.
        ...later.flatMap((name) => [`**/${name}/**`, `../${name}.ts`, `../../${name}.ts`]),
        ...below.map((name) => `!**/${name}/**`),
      ],
      message: `${layer}/${subject} may not import ${names(later)} of its layer: see test/support/suite/layers.ts.`,
    },
  ];
}

const override = (includes: readonly string[], bans: readonly Ban[]) => ({
  includes,
  linter: { rules: { style: { noRestrictedImports: { level: 'error', options: { patterns: bans } } } } },
});

/** `more`: layers of which some files may be imported, so that no pattern of folders can refuse them. */
function layerBan(name: string, { layers }: Layer, more: readonly string[] = []): Ban {
  const others = Object.keys(LAYERS).filter((other) => ![name, ...layers, ...more].includes(other));
  return {
    group: [...others, 'webview-ui'].map((other) => `**/${other}/**`),
    message: `src/${name} imports ${names([...layers, ...more])}: the rest comes through ports, or is put together in src/app.`,
  };
}

function ofLayer(name: string, layer: Layer): readonly object[] {
  const bans = (place: string) => [layerBan(name, layer), ...builtinBans(layer), libraryBan(place)];
  const whole = override([`src/${name}/**`], bans(name));
  const parts = (layer.subjects ?? []).map((subject) =>
    override(
      [`src/${name}/${subject}/**`, `src/${name}/${subject}.ts`],
      [...bans(`${name}/${subject}`), ...subjectBans(name, subject, layer.layers)],
    ),
  );
  return [whole, ...parts];
}

const PAGE_LIBRARIES = ['react', 'react-dom', 'zustand', '@vscode-elements/elements', '@vscode/codicons', 'uplot']
  .flatMap((name) => [`!${name}`, `!${name}/**`])
  .concat('!@dnd-kit/*', '!@tanstack/react-virtual');

function ofPage(): readonly object[] {
  const others = Object.keys(LAYERS).filter((name) => !PAGE.layers.includes(name));
  const bans: readonly Ban[] = [
    {
      group: others.map((name) => `**/src/${name}/**`),
      message: `The page imports only ${names(PAGE.layers)} of src/.`,
    },
    {
      group: ['*', '@*/**', 'node:*', 'node:*/**', '!.', '!..', '!./**', '!../**', ...PAGE_LIBRARIES],
      message: 'This package is not for the page.',
    },
  ];
  const below = PAGE.layers.map((name) => `src/${name}`);
  return [
    override(['webview-ui/**'], bans),
    ...PAGE.subjects.map((subject) =>
      override([`webview-ui/src/${subject}/**`], [...bans, ...subjectBans('page', subject, below)]),
    ),
  ];
}

/** The text of biome.layers.json. Of the engine an adapter imports only the files of ports, which the architecture test checks. */
export function biomeLayers(): string {
  const overrides = Object.entries(LAYERS).flatMap(([name, layer]) => {
    if (name === 'app') return [];
    return name === 'adapters'
      ? [override(['src/adapters/**'], [layerBan(name, layer, ['engine'])])]
      : ofLayer(name, layer);
  });
  const lines = [...overrides, ...ofPage()].map((one) => JSON.stringify(one));
  return `{ "overrides": [\n${lines.join(',\n')}\n] }\n`;
}
