/** Who may import whom: DESIGN section 3 as data. The architecture test holds the tree to it; biome.json says most of it in the editor. */

/** Files directly in src/ that wire everything together. Nothing else may lie there. */
export const COMPOSITION_ROOTS: readonly string[] = ['cli.ts', 'worker.ts', 'extension.ts'];

interface Layer {
  /** Folders of src/ that this one may import, besides itself. */
  readonly layers: readonly string[];
  readonly builtins: 'all' | readonly string[];
}

const PATHS_AND_HASHES = ['node:path', 'node:crypto'];
const WIRING = ['engine', 'projects', 'tasks', 'agent', 'core', 'shared', 'adapters', 'terminal', 'host'];
const OUTSIDE: Layer = { layers: ['engine', 'shared', 'core'], builtins: 'all' };
const INSIDE: Layer = { layers: ['agent', 'core', 'shared'], builtins: PATHS_AND_HASHES };

export const LAYERS: Readonly<Record<string, Layer>> = {
  shared: { layers: [], builtins: [] },
  core: { layers: ['shared'], builtins: [] },
  agent: { layers: ['shared', 'core'], builtins: PATHS_AND_HASHES },
  engine: INSIDE,
  /** Runs the engine's loops in its threads. */
  projects: { ...INSIDE, layers: [...INSIDE.layers, 'engine'] },
  /** Led in the owner: it commits, and keeps long results in artifacts. */
  tasks: { ...INSIDE, layers: [...INSIDE.layers, 'engine'] },
  /** Besides these: the port files below; never another adapter. */
  adapters: { layers: ['shared', 'core'], builtins: 'all' },
  terminal: OUTSIDE,
  host: OUTSIDE,
  /** The composition roots' parts: they may import anything. */
  compose: { layers: WIRING, builtins: 'all' },
};

/** What an adapter implements. */
export const PORT_FILE = /^(agent|engine|projects|tasks)\/(?:\w+\/)*(?:ports|\w+Ports)\.ts$/;

/** Each library and the only places that may import it: a folder of src/, or one of its subfolders or files. Anything else is refused. */
export const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  zod: ['shared', 'core', 'agent', 'engine', 'projects', 'tasks', 'adapters', 'terminal', 'host'],
  '@anthropic-ai/sdk': ['agent', 'adapters/gateway'],
  '@anthropic-ai/sandbox-runtime': ['adapters/shell'],
  '@vscode/ripgrep': ['adapters/shell'],
  'tree-kill': ['adapters/shell'],
  'sql.js': ['adapters/sqlite'],
  'simple-git': ['adapters/git'],
  birpc: ['adapters/ipc'],
  '@modelcontextprotocol/server': ['adapters/mcp'],
  'p-queue': ['adapters/gateway'],
  undici: ['adapters/gateway/envProxy.ts'],
  yaml: ['core/yamlDocument.ts', 'projects', 'tasks', 'host', 'adapters/agentData'],
  commander: ['terminal'],
  '@marcbachmann/cel-js': ['core/tasks'],
  croner: ['core/tasks'],
  hono: ['adapters/http'],
  '@hono/node-server': ['adapters/http'],
  '@agentclientprotocol/sdk': ['adapters/acp'],
  ws: ['adapters/http'],
  vscode: ['host'],
};

/** Only these read the clock or set a timer; everything else is given a clock. Each entry says why. */
export const TIME_ALLOWED: Readonly<Record<string, string>> = {
  'adapters/clock.ts': 'it is the clock',
};
