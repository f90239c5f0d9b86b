/**
 * Who may import whom, as data. A file has two addresses: the layer says what it may know, the subject what it is about. The
 * architecture test checks the tree against these tables, and `npm run layers` writes them into biome.layers.json for the editor.
 */

/** Files directly in src/ that start a process. Nothing else may lie there. */
export const ENTRIES: readonly string[] = ['cli.ts', 'worker.ts', 'extension.ts'];

export interface Layer {
  /** Layers that this one may import, besides itself. */
  readonly layers: readonly string[];
  readonly builtins: 'all' | readonly string[];
  /**
   * In their order: a subject imports only subjects before it. Each is a folder, or one file of that name. Files directly in
   * the layer that are no subject stand above all of them. Null: the layer has no subjects.
   */
  readonly subjects: readonly string[] | null;
}

export const LAYERS: Readonly<Record<string, Layer>> = {
  shared: {
    layers: [],
    builtins: [],
    subjects: [
      ...['clock', 'errors', 'jsonDepth', 'invisibleCharacters', 'printed', 'actor', 'live', 'diagnostic', 'notice'],
      ...['model', 'session', 'agent', 'money', 'routing', 'note', 'rule', 'approval', 'waiting', 'job', 'project'],
      ...['task', 'eval', 'workspace'],
    ],
  },
  core: {
    layers: ['shared'],
    builtins: [],
    subjects: [
      ...['text', 'guard', 'repository', 'model', 'state', 'session', 'agent', 'money', 'routing', 'note'],
      ...['approval', 'rule', 'job', 'project', 'task', 'eval', 'workspace'],
    ],
  },
  engine: {
    layers: ['core', 'shared'],
    builtins: ['node:path', 'node:crypto'],
    subjects: ['state', 'session', 'agent', 'approval', 'job', 'project', 'task', 'main', 'eval', 'workspace'],
  },
  /** Besides these: the port files and the shared adapters below; never another adapter. */
  adapters: { layers: ['core', 'shared'], builtins: 'all', subjects: null },
  terminal: {
    layers: ['engine', 'core', 'shared'],
    builtins: 'all',
    subjects: [
      'text',
      'screen',
      'model',
      'agent',
      'money',
      'note',
      'approval',
      'job',
      'project',
      'task',
      'eval',
      'workspace',
      'verbs',
    ],
  },
  vscode: {
    layers: ['engine', 'core', 'shared'],
    builtins: 'all',
    subjects: [
      ...['words', 'settings', 'window', 'model', 'agent', 'note', 'approval', 'job', 'project', 'task'],
      ...['page', 'main', 'workspace'],
    ],
  },
  /** Puts processes together: it may import anything. */
  app: { layers: ['engine', 'core', 'shared', 'adapters', 'terminal', 'vscode'], builtins: 'all', subjects: null },
};

/** The page, in webview-ui/src: its subjects, and what it may import of src/. */
export const PAGE: {
  readonly layers: readonly string[];
  readonly subjects: readonly string[];
  readonly imports: RegExp;
} = {
  layers: ['core', 'shared'],
  // The views of core alone: what decides runs in the engine.
  imports: /^(?:shared|core\/\w+\/view)\//,
  subjects: ['styles', 'store', 'ui', 'agent', 'money', 'approval', 'job', 'project', 'task', 'workspace'],
};

/** Subjects that import less than the order allows. */
export const WALLS: Readonly<Record<string, readonly string[]>> = {
  // A session knows no job, project, task or state: it is given what it needs.
  'engine/session': [],
  'engine/agent': ['session'],
  // The main agent and the threads of projects do not know each other.
  'engine/workspace': ['state', 'session', 'agent', 'approval', 'job', 'project', 'eval'],
  // An eval is a client of the engine: it drives a job by requests alone.
  'engine/eval': ['state', 'session'],
};

/** Adapters that others may import, each with the reason. They import no other adapter. */
export const SHARED_ADAPTERS: Readonly<Record<string, string>> = {
  platform: 'what differs between systems is in one place',
  loopback: 'the API of tasks and the model server are one hardened HTTP server with two sets of routes',
};

/** What an adapter implements. */
export const PORT_FILE = /^engine\/(?:\w+\/)*(?:ports|\w+Ports)\.ts$/;

/** Each library and the only places that may import it: a folder of src/, or one of its subfolders or files. Anything else is refused. */
export const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  zod: ['shared', 'core', 'engine', 'adapters', 'terminal', 'vscode'],
  '@anthropic-ai/sdk': ['engine/session', 'engine/agent', 'adapters/gateway'],
  '@anthropic-ai/sandbox-runtime': ['adapters/shell/sandbox'],
  '@vscode/ripgrep': ['adapters/platform/ripgrep.ts'],
  'sql.js': ['adapters/sqlite'],
  'simple-git': ['adapters/git'],
  birpc: ['adapters/ipc'],
  '@modelcontextprotocol/server': ['adapters/mcp'],
  'p-queue': ['adapters/gateway/door'],
  undici: ['adapters/gateway/wire'],
  aws4fetch: ['adapters/gateway/wire/awsSignature.ts'],
  jsonrepair: ['adapters/gateway/wire/sdk'],
  '@ai-sdk/provider': ['adapters/gateway/wire/sdk'],
  '@ai-sdk/openai-compatible': ['adapters/gateway/wire/sdk'],
  '@ai-sdk/openai': ['adapters/gateway/wire/sdk'],
  '@ai-sdk/google': ['adapters/gateway/wire/sdk'],
  yaml: ['core/text/yamlDocument.ts', 'engine/project/definition', 'engine/task/text', 'vscode', 'adapters/userData'],
  commander: ['terminal/verbs'],
  '@marcbachmann/cel-js': ['core/task/script'],
  croner: ['core/task'],
  hono: ['adapters/http'],
  '@hono/node-server': ['adapters/http'],
  '@agentclientprotocol/sdk': ['adapters/acp'],
  ws: ['adapters/http/live'],
  vscode: ['vscode'],
};

/** Each file of assets/ that is compiled in, and the only file that imports it. Adapters read the others at run time. */
export const COMPILED_ASSETS: Readonly<Record<string, string>> = {
  'prices.json': 'core/money/price/prices.ts',
  'catalogue.json': 'core/money/price/catalogue.ts',
  'agents.json': 'adapters/userData/knownAgents.ts',
  'connections.json': 'adapters/userData/knownConnections.ts',
};

/** No folder of src/ and of the page holds more files. */
export const MAX_FILES = 15;

/** No file of src/ and of the page has more import statements: with more it is about several things. */
export const MAX_IMPORTS = 20;

/** Only these read the clock or set a timer; everything else is given a clock. Each entry says why. */
export const TIME_ALLOWED: Readonly<Record<string, string>> = {
  'adapters/clock.ts': 'it is the clock',
  'adapters/platform/heldFiles.ts': 'it waits for files in each thread of each process, where no clock is given',
};

/** The only folder that may ask which system this is, and what only it may use. */
export const PLATFORM = 'adapters/platform';

/** Other files that may, each with the reason. */
export const SYSTEM_ALLOWED: Readonly<Record<string, string>> = {
  'terminal/model/checkModel.ts': 'it shows the name of the system',
  'vscode/workspace/diagnostics.ts': 'it shows the name of the system',
  'vscode/window/wsl.ts': 'WSL exists on Windows alone',
  'engine/job/tree/freshTree.ts': 'an installation of packages holds for one system',
  'vscode/settings/read.ts': 'the main thread of an editor finds variables whatever their case',
  'vscode/window/owner/key.ts': 'the main thread of an editor finds variables whatever their case',
};

/** Other folders and files that list or end processes as one system does, each with the reason. */
export const PROCESSES_ALLOWED: Readonly<Record<string, string>> = {
  'adapters/shell/sandbox': 'its words run inside of the sandbox of Linux or macOS',
  'adapters/shell/process/otherProcess.ts': 'it judges and ends another owner',
  'adapters/shell/session/sessionScript.ts': 'it is a script inside of the sandbox',
  'adapters/tree/heldFolder.ts': 'Linux alone reaches entries through an open folder',
  'app/terminal/terminalIo.ts': 'it ends itself by the signal of Ctrl-C',
};

/** Subjects of this layer that a subject of it may not import. */
export function laterSubjects(layer: string, subject: string): readonly string[] {
  const all = (layer === 'page' ? PAGE : LAYERS[layer])?.subjects ?? [];
  const wall = WALLS[`${layer}/${subject}`];
  const allowed = wall ?? all.slice(0, all.indexOf(subject));
  return all.filter((name) => name !== subject && !allowed.includes(name));
}
